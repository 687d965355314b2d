#include "admission/builtin/builtin_admission.h"

#include "admission/builtin/pod_security.h"

namespace strake::admission {

using api::AdmissionRequest;
using api::Answer;

BuiltinAdmission::BuiltinAdmission(const api::Registry& registry, const PluginChoice& choice)
    : stored_(registry), pod_security_(choice.has(kPodSecurityName)) {
  for (const auto plugins : all_plugins()) {
    for (const Plugin& one : plugins) {
      if (choice.has(one.name))
        plugins_[Place(one.group, one.plural, one.subresource)].push_back(&one);
    }
  }
}

api::Eventual<> BuiltinAdmission::admit(api::Call& call, const AdmissionRequest& request) const {
  const bool writes = request.operation == AdmissionRequest::Operation::kCreate ||
                      request.operation == AdmissionRequest::Operation::kUpdate;
  // Only what kube-apiserver itself serves.
  if (!writes || request.object == nullptr || call.resource().definition) return Answer<>();
  const PluginRequest at{.stored = stored_,
                         .call = call,
                         .request = request,
                         .object = request.object->root(),
                         .arena = request.object->arena()};
  if (Answer<> answered = run_plugins(at); !answered) return answered;
  if (!pod_security_ || request.phase != AdmissionRequest::Phase::kValidating) return Answer<>();
  return admit_pod_security(at);
}

Answer<> BuiltinAdmission::run_plugins(const PluginRequest& at) const {
  const kinds::Resource& resource = at.call.resource();
  const auto found = plugins_.find(Place(resource.group, resource.plural, at.request.subresource));
  if (found == plugins_.end()) return {};
  const bool creates = at.request.operation == AdmissionRequest::Operation::kCreate;
  for (const Plugin* one : found->second) {
    if (one->phase == at.request.phase && (creates ? one->on_create : one->on_update))
      STRAKE_CHECK(one->run(at));
  }
  return {};
}

}  // namespace strake::admission
