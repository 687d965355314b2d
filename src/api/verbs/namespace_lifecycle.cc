#include "api/verbs/namespace_lifecycle.h"

#include <fmt/format.h>

namespace strake::api {
namespace {

using meta::Status;

Status terminating(const meta::GroupResource& resource, std::string_view name,
                   std::string_view wanted) {
  Status out = Status::forbidden(
      resource, name,
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  wanted));
  out.details.causes.push_back({.reason = "NamespaceTerminating",
                                .message = fmt::format("namespace {} is being terminated", wanted),
                                .field = "metadata.namespace"});
  return out;
}

}  // namespace

Eventual<> NamespaceLifecycle::admit(Call& call, const AdmissionRequest& request) const {
  // As in kube-apiserver 1.36, a question may be about a namespace that is not there.
  if (request.phase != AdmissionRequest::Phase::kMutating ||
      request.operation != AdmissionRequest::Operation::kCreate || !call.resource().namespaced ||
      !call.resource().stored()) {
    return Answer<>();
  }
  const std::string& wanted = call.info.namespace_name;
  const std::optional<NamespacePhase> phase = namespaces_.phase_of(wanted);
  if (!phase)
    return refuse(Status::not_found(kinds::namespace_resource().group_resource(), wanted));
  if (*phase == NamespacePhase::kActive) return Answer<>();
  return refuse(terminating(call.group_resource(), request.name, wanted));
}

}  // namespace strake::api
