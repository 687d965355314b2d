#include "admission/webhook/webhooks.h"

#include <algorithm>

#include "admission/webhook/mutating.h"
#include "admission/webhook/validating.h"

namespace strake::admission {
namespace {

using api::Answer;

}  // namespace

Webhooks::Webhooks(api::Hub& hub, const Clock& clock)
    : mutating_(hub, "mutatingwebhookconfigurations"),
      validating_(hub, "validatingwebhookconfigurations"),
      namespaces_(hub),
      caller_(hub.loops(), clock) {}

api::Eventual<> Webhooks::admit(api::Call& call, const api::AdmissionRequest& request) const {
  const bool mutating = request.phase == api::AdmissionRequest::Phase::kMutating;
  const HooksPtr hooks = (mutating ? mutating_ : validating_).current();
  if (hooks->empty() || is_exempt(call.resource())) return Answer<>();
  const Attributes attributes = Attributes::of(call, request);
  std::vector<Invocation> invocations;
  for (const HookPtr& hook : *hooks) {
    const Answer<const kinds::ServedVersion*> version = hook->match.find(attributes, namespaces_);
    if (!version) return api::refuse(version.error());
    if (*version == nullptr) continue;
    // Others may match what this one makes of the object.
    if (mutating) return mutate(call, request, hooks);
    invocations.push_back({.hook = hook, .version = *version});
  }
  if (invocations.empty()) return Answer<>();
  return validate(*core_, caller_, call, request, std::move(invocations));
}

api::AnswerTask<> Webhooks::mutate(api::Call& call, api::AdmissionRequest request,
                                   HooksPtr hooks) const {
  Mutation mutation(*core_, caller_, namespaces_, call, request, std::move(hooks));
  co_return co_await mutation.run();
}

}  // namespace strake::admission
