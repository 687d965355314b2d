#include "admission/webhook/webhooks.h"

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
  if (request.phase == api::AdmissionRequest::Phase::kMutating) {
    Answer<std::unique_ptr<Mutation>> mutation = begin(call, request);
    if (!mutation) return api::refuse(mutation.error());
    if (!*mutation) return Answer<>();
    return mutate(*std::move(mutation));
  }
  const HooksPtr hooks = validating_.current();
  if (hooks->empty() || is_exempt(call.resource())) return Answer<>();
  const Attributes attributes = Attributes::of(call, request);
  std::vector<Invocation> invocations;
  for (const HookPtr& hook : *hooks) {
    const Answer<const kinds::ServedVersion*> version = hook->match.find(attributes, namespaces_);
    if (!version) return api::refuse(version.error());
    if (*version != nullptr) invocations.push_back({.hook = hook, .version = *version});
  }
  if (invocations.empty()) return Answer<>();
  return validate(*core_, caller_, call, request, std::move(invocations));
}

api::Eventual<> Webhooks::OnlyValidating::admit(api::Call& call,
                                                const api::AdmissionRequest& request) const {
  if (request.phase == api::AdmissionRequest::Phase::kMutating) return Answer<>();
  return webhooks_.admit(call, request);
}

Answer<std::unique_ptr<Mutation>> Webhooks::begin(api::Call& call,
                                                  const api::AdmissionRequest& request) const {
  const HooksPtr hooks = mutating_.current();
  if (hooks->empty() || is_exempt(call.resource())) return nullptr;
  const Attributes attributes = Attributes::of(call, request);
  for (const HookPtr& hook : *hooks) {
    const Answer<const kinds::ServedVersion*> version = hook->match.find(attributes, namespaces_);
    if (!version) return api::refuse(version.error());
    // Others may match what this one makes of the object.
    if (*version != nullptr)
      return std::make_unique<Mutation>(*core_, caller_, namespaces_, call, request, hooks);
  }
  return nullptr;
}

api::AnswerTask<> Webhooks::mutate(std::unique_ptr<Mutation> mutation) const {
  co_return co_await mutation->run();
}

}  // namespace strake::admission
