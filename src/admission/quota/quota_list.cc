#include "admission/quota/quota_list.h"

#include "value/document.h"
#include "value/fields.h"

namespace strake::admission {
namespace {

using value::Value;

Result<QuotaFacts> read_quota(const api::Object& object) {
  STRAKE_TRY(const value::Document document, api::parse_stored(*object.bytes()));
  const Value& spec = document.root().get("spec");
  const Value& status = document.root().get("status");
  return QuotaFacts{.namespace_name = std::string(object.namespace_name()),
                    .name = std::string(object.name()),
                    .limits = read_amounts(spec.get("hard")),
                    .told_limits = read_amounts(status.get("hard")),
                    .told_used = read_amounts(status.get("used")),
                    .scoped = !spec.get("scopes").items().empty() ||
                              !spec.get("scopeSelector").get("matchExpressions").items().empty()};
}

}  // namespace

Amounts read_amounts(const Value& list) {
  Amounts out;
  for (const value::Member& one : list.members()) {
    if (const auto amount = Quantity::parse(value::text_of(one.value)))
      out.emplace(one.key, *amount);
  }
  return out;
}

QuotaInformer::QuotaInformer(api::Hub& hub)
    : Informer(hub, {.prefixes = {"/registry/resourcequotas/"},
                     .read = read_quota,
                     .indexes = {{std::string(kByNamespace), [](const QuotaFacts& facts) {
                                    return std::vector<std::string>{facts.namespace_name};
                                  }}}}) {}

}  // namespace strake::admission
