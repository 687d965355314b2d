#pragma once
// Admission by webhooks: mutating ones are asked one after the other and may change the object,
// validating ones are asked at the same time. A request that no webhook is about is let pass at
// once.
#include "admission/match/namespaces.h"
#include "admission/webhook/caller.h"
#include "admission/webhook/hook_list.h"
#include "admission/webhook/mutating.h"
#include "admission/webhook/review.h"
#include "api/cache/hub.h"
#include "api/request/admission.h"
#include "api/request/core.h"

namespace strake::admission {

class Webhooks final : public api::Admission {
 public:
  // Both must outlive it.
  Webhooks(api::Hub& hub, const Clock& clock);

  // To be called once, before anyone asks; must outlive it.
  void use(api::Core& core) { core_ = &core; }
  // When the server ends: before its loops do.
  void close() { caller_.close(); }

  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

  // For who puts the phases together with others: the mutating one step by step, null when no
  // webhook is about the request, and the validating one alone.
  api::Answer<std::unique_ptr<Mutation>> begin(api::Call& call,
                                               const api::AdmissionRequest& request) const;
  const api::Admission& validating() const { return only_validating_; }

 private:
  class OnlyValidating final : public api::Admission {
   public:
    explicit OnlyValidating(const Webhooks& webhooks) : webhooks_(webhooks) {}
    api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

   private:
    const Webhooks& webhooks_;
  };
  api::AnswerTask<> mutate(std::unique_ptr<Mutation> mutation) const;

  api::Core* core_ = nullptr;
  HookList mutating_;
  HookList validating_;
  StoredNamespaces namespaces_;
  Caller caller_;
  OnlyValidating only_validating_{*this};
};

}  // namespace strake::admission
