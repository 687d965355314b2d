#include "api/verbs/pod_binding.h"

#include <fmt/format.h>

#include "api/verbs/body_kind.h"
#include "api/verbs/inner_write.h"
#include "kinds/pods/pod_binding.h"
#include "meta/object_meta.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;

// As kube-apiserver 1.36 says it: no list of causes, and code 500.
Answer<> check(const Document& binding) {
  const value::FieldErrors errors = kinds::check_binding(binding.root());
  if (errors.empty()) return {};
  return refuse(Status::raw_error(value::aggregate(errors)));
}

Answer<> check_preconditions(const ObjectMeta& asked, const ObjectMeta& pod, Revision revision,
                             std::string_view name) {
  const meta::GroupResource named{"", "pods/binding"};
  if (!asked.uid().empty() && asked.uid() != pod.uid()) {
    return refuse(Status::conflict(
        named, name,
        fmt::format("Precondition failed: UID in precondition: {}, UID in object meta: {}",
                    asked.uid(), pod.uid())));
  }
  const std::string present = fmt::format("{}", revision);
  if (!asked.resource_version().empty() && asked.resource_version() != present) {
    return refuse(Status::conflict(
        named, name,
        fmt::format("Precondition failed: ResourceVersion in precondition: {}, ResourceVersion in "
                    "object meta: {}",
                    asked.resource_version(), present)));
  }
  return {};
}

}  // namespace

AnswerTask<http::Response> bind_pod(Core& core, Call& call, EndpointPtr bindings) {
  const EndpointPtr pods = core.registry.find("", "pods");
  if (!pods) co_return refuse(Status::method_not_supported());
  STRAKE_CO_TRY(const WriteOptions options, read_write_options(call.query, "CreateOptions"));
  STRAKE_CO_TRY(Document binding, co_await read_body_as(core, call, std::move(bindings), options));
  const std::string name(ObjectMeta::of(binding.root()).name());
  if (!call.info.name.empty() && call.info.name != name)
    co_return refuse(Status::bad_request("name in URL does not match name in Binding object"));
  AdmissionRequest asked{.phase = AdmissionRequest::Phase::kMutating,
                         .operation = AdmissionRequest::Operation::kCreate,
                         .name = name,
                         .subresource = call.info.subresource,
                         .object = &binding,
                         .dry_run = options.dry_run,
                         .write_options = &options};
  for (const auto phase :
       {AdmissionRequest::Phase::kMutating, AdmissionRequest::Phase::kValidating}) {
    asked.phase = phase;
    Eventual<> admitted = core.admission->admit(call, asked);
    STRAKE_CO_CHECK(admitted.must_wait() ? co_await admitted.wait() : admitted.take());
  }
  STRAKE_CO_CHECK(check(binding));
  const std::string now = call.now_text();
  STRAKE_CO_CHECK(co_await write_within(
      core, call,
      {.endpoint = *pods,
       .namespace_name = call.info.namespace_name,
       .name = name,
       .change = [&](Document& pod, Revision revision) -> Answer<> {
         STRAKE_CHECK(check_preconditions(ObjectMeta::of(binding.root()),
                                          ObjectMeta::of(pod.root()), revision, name));
         if (const std::string why = kinds::why_not_bound(pod.root()); !why.empty())
           return refuse(Status::conflict({"", "pods/binding"}, name, why));
         kinds::apply_binding(pod.root(), binding.root(), now, pod.arena());
         return {};
       },
       .dry_run = options.dry_run}));
  co_return created_response(call);
}

}  // namespace strake::api
