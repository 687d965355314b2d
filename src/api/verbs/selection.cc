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

}  // namespace

Answer<Selection> Selection::of(const Call& call, const ListOptions& options) {
  Selection out;
  out.labels_ = options.labels;
  out.fields_ = options.fields;
  for (const auto& requirement : options.fields.requirements()) {
    if (!is_offered(call, requirement.field)) {
      return refuse(Status::bad_request("field label not supported: " + requirement.field));
    }
    if (requirement.field != "metadata.name" && requirement.field != "metadata.namespace")
      out.needs_content_ = true;
  }
  return out;
}

Answer<bool> Selection::matches(const Object& object, const Endpoint& endpoint,
                                const kinds::ServedVersion& version) const {
  if (!object.matches(labels_)) return false;
  if (fields_.empty()) return true;
  std::optional<value::Document> content;
  Bytes bytes;
  if (needs_content_) {
    STRAKE_TRY(bytes, endpoint.render(object, version));
    STRAKE_TRY(value::Document parsed, parse_current(*bytes));
    content.emplace(std::move(parsed));
  }
  return fields_.matches([&](std::string_view field) -> std::string {
    if (field == "metadata.name") return std::string(object.name());
    if (field == "metadata.namespace") return std::string(object.namespace_name());
    return endpoint.strategy().field(content->root(), field);
  });
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
