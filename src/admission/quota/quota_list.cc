#include "admission/quota/quota_list.h"

#include "value/document.h"

namespace strake::admission {
namespace {

using value::Value;

Result<QuotaFacts> read_quota(const api::Object& object) {
  STRAKE_TRY(const value::Document document, api::parse_stored(*object.bytes()));
  const Value& spec = document.root().get("spec");
  const Value& status = document.root().get("status");
  return QuotaFacts{.namespace_name = std::string(object.namespace_name()),
                    .name = std::string(object.name()),
                    .limits = kinds::read_amounts(spec.get("hard")),
                    .told_limits = kinds::read_amounts(status.get("hard")),
                    .told_used = kinds::read_amounts(status.get("used")),
                    .scopes = kinds::read_quota_scopes(spec)};
}

}  // namespace

QuotaInformer::QuotaInformer(api::Hub& hub)
    : Informer(hub, {.prefixes = {"/registry/resourcequotas/"},
                     .read = read_quota,
                     .indexes = {{std::string(kByNamespace), [](const QuotaFacts& facts) {
                                    return std::vector<std::string>{facts.namespace_name};
                                  }}}}) {}

}  // namespace strake::admission
