#include "admission/match/attributes.h"

#include <algorithm>
#include <array>

namespace strake::admission {

Attributes Attributes::of(const api::Call& call, const api::AdmissionRequest& request) {
  return {.operation = request.operation,
          .resource = call.resource(),
          .version = *call.version,
          .subresource = request.subresource,
          .name = request.name,
          .namespace_name = api::namespace_of(call, request),
          .object = request.object != nullptr ? &request.object->root() : nullptr,
          .old = request.old};
}

bool is_exempt(const kinds::Resource& resource) {
  constexpr auto kKinds = std::to_array<std::string_view>(
      {"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration",
       "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy",
       "MutatingAdmissionPolicyBinding"});
  return resource.group == "admissionregistration.k8s.io" &&
         std::ranges::find(kKinds, resource.kind) != kKinds.end();
}

}  // namespace strake::admission
