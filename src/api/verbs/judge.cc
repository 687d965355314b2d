#include "api/verbs/judge.h"

#include <fmt/format.h>

#include "base/cancel_scope.h"
#include "meta/object_meta.h"
#include "patch/managed_fields.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;

void warn(Call& call, std::vector<std::string> warnings) {
  for (std::string& one : warnings) call.warnings.push_back(std::move(one));
}

}  // namespace

std::vector<std::string_view> resets_of(const Call& call, std::string_view subresource) {
  const kinds::Subresource* sub =
      subresource.empty() ? nullptr : call.version->subresource(subresource);
  const std::vector<std::string>& resets = sub != nullptr ? sub->resets : call.version->resets;
  return {resets.begin(), resets.end()};
}

std::string manager_of(const Call& call, const WriteOptions& options) {
  if (!options.field_manager.empty()) return options.field_manager;
  return patch::manager_from_user_agent(call.request.headers.get("User-Agent"));
}

void own_fields(const Call& call, Document& document, const Value* old,
                std::string_view subresource, std::string_view manager,
                const patch::OtherVersions* others) {
  const auto kind = call.version->kind();
  const schema::Node* schema = kind ? (*kind)->schema.get() : nullptr;
  const std::string api_version = call.api_version();
  const std::string time = call.now_text();
  if (old == nullptr) old = call.strategy().zero();
  patch::update_managed_fields(document.root(), old, schema,
                               {.manager = manager,
                                .api_version = api_version,
                                .subresource = subresource,
                                .time = time,
                                .reset = resets_of(call, subresource),
                                .others = others},
                               document.arena());
}

Answer<> judge(Call& call, const Document& document, const Value* old, std::string_view subresource,
               std::size_t bytes) {
  const CancelScope scope(call.request.cancel, call.stopping);
  const Value& object = document.root();
  const kinds::Strategy& strategy = call.strategy();
  const std::string now = call.now_text();
  const kinds::WriteRequest request = call.write_request(now);
  Result<resource::Verdict> verdict =
      old == nullptr ? strategy.check_create(object, request)
                     : kinds::check_write(strategy, subresource, object, *old, request);
  // A check that was given up says nothing.
  if (CancelScope::is_cancelled()) return refuse(Call::cancelled());
  if (!verdict) return refuse(Status::from_error(verdict.error()));
  call.endpoint->note_rules(*call.version, bytes, verdict->rule_cost);
  if (!verdict->errors.empty()) {
    return refuse(Status::invalid(strategy.refused_as(object, request),
                                  ObjectMeta::of(object).name(), verdict->errors));
  }
  warn(call, std::move(verdict->warnings));
  warn(call, old != nullptr && subresource == "status" ? strategy.status_warnings(object, *old)
                                                       : strategy.warnings(object, old));
  return {};
}

bool is_large(const Call& call, std::size_t bytes) {
  return bytes > kDoneAtOnce || call.strategy().decides_what_is_served();
}

bool is_slow_to_judge(const Call& call, std::size_t bytes) {
  return is_large(call, bytes) || call.endpoint->has_slow_rules(*call.version, bytes);
}

Answer<> check_definition(const Call& call, std::string_view name) {
  const kinds::Resource& resource = call.resource();
  if (!resource.definition || !resource.definition->terminating) return {};
  return refuse(
      Status::forbidden(resource.group_resource(), name,
                        "create not allowed while custom resource definition is terminating"));
}

}  // namespace strake::api
