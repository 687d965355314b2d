#include <algorithm>
#include <iterator>

#include "api/verbs/decode.h"
#include "api/verbs/verbs.h"

namespace strake::api {
namespace {

using meta::Status;

bool is_offered(const Call& call, std::string_view field) {
  if (field == "metadata.name") return true;
  if (field == "metadata.namespace") return call.resource().namespaced;
  return call.strategy().offers_field(field, *call.version);
}

// Whether the key tells what the field says.
bool is_in_key(std::string_view field) {
  return field == "metadata.name" || field == "metadata.namespace";
}

std::string_view key_field(const Object& object, std::string_view field) {
  return field == "metadata.name" ? object.name() : object.namespace_name();
}

}  // namespace

Answer<Selection> Selection::of(const Call& call, const ListOptions& options) {
  Selection out;
  out.labels_ = options.labels;
  out.fields_ = options.fields;
  for (const auto& requirement : options.fields.requirements()) {
    if (!is_offered(call, requirement.field)) {
      return refuse(Status::bad_request(call.strategy().unknown_field(requirement.field)));
    }
    if (!is_in_key(requirement.field)) out.needs_content_ = true;
  }
  const std::string& name = call.info.name;
  if (name.empty()) return out;
  // A watch of one object, the old way. kube-apiserver 1.36 takes a selector there only when it
  // asks for the same name.
  if (!out.fields_.empty() && out.single_name() != name) {
    return refuse(Status::bad_request("fieldSelector metadata.name doesn't match requested name"));
  }
  out.name_ = name;
  return out;
}

std::vector<meta::FieldSelector::Requirement> Selection::required_content() const {
  std::vector<meta::FieldSelector::Requirement> out;
  std::ranges::copy_if(fields_.requirements(), std::back_inserter(out),
                       [](const auto& one) { return one.equal && !is_in_key(one.field); });
  return out;
}

bool Selection::may_match(const Object& object) const {
  if (!object.matches(labels_) || (!name_.empty() && object.name() != name_)) return false;
  return std::ranges::all_of(fields_.requirements(), [&](const auto& one) {
    return !is_in_key(one.field) || (key_field(object, one.field) == one.value) == one.equal;
  });
}

Answer<Selection::Match> Selection::matches(const Object& object, const Endpoint& endpoint,
                                            const kinds::ServedVersion& version) const {
  if (!object.matches(labels_) || (!name_.empty() && object.name() != name_)) return Match::kNo;
  if (fields_.empty()) return Match::kYes;
  std::optional<value::Document> content;
  Bytes bytes;
  if (needs_content_) {
    STRAKE_TRY(bytes, endpoint.render(object, version));
    if (!bytes) return may_match(object) ? Match::kMustWait : Match::kNo;
    STRAKE_TRY(value::Document parsed, parse_current(*bytes));
    content.emplace(std::move(parsed));
  }
  const bool matches = fields_.matches([&](std::string_view field) -> std::string {
    if (is_in_key(field)) return std::string(key_field(object, field));
    return endpoint.strategy().field(content->root(), field);
  });
  return matches ? Match::kYes : Match::kNo;
}

AnswerTask<> wait_for_revision(Core& core, const Call& call, Revision revision) {
  constexpr std::chrono::seconds kPatience{3};
  CancelSource nobody_waits(call.request.cancel);
  const CancelRegistration stopping =
      call.stopping.on_cancel([&nobody_waits] { nobody_waits.cancel(); });
  const Result<bool> there =
      co_await core.hub.wait_for(revision, Deadline::after(kPatience), nobody_waits.token());
  if (!there) co_return refuse(Call::cancelled());
  if (!*there) {
    Status status = Status::timeout(
        fmt::format("Too large resource version: {}, current: {}", revision, core.hub.revision()),
        1);
    status.details.causes.push_back({.reason = "ResourceVersionTooLarge",
                                     .message = "Too large resource version",
                                     .field = ""});
    co_return refuse(std::move(status));
  }
  co_return Answer<>();
}

}  // namespace strake::api
