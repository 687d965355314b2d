#pragma once
// Everyone who may change an object, together: policies, then webhooks. As in kube-apiserver 1.36,
// when one of them has changed it, those before it who want it are asked once more, policies again
// before webhooks.
#include <memory>
#include <optional>

#include "admission/policy/mutating_policies.h"
#include "admission/webhook/webhooks.h"
#include "api/request/admission.h"

namespace strake::admission {

class MutatingChain final : public api::Admission {
 public:
  // Both must outlive it.
  MutatingChain(const MutatingPolicies& policies, const Webhooks& webhooks)
      : policies_(policies), webhooks_(webhooks) {}
  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

 private:
  // From the first pass of the policies on, unless it has ended.
  api::AnswerTask<> admit_later(api::Call& call, api::AdmissionRequest request,
                                std::unique_ptr<PolicyPasses> passes,
                                std::optional<api::Eventual<>> first,
                                std::unique_ptr<Mutation> webhooks) const;

  const MutatingPolicies& policies_;
  const Webhooks& webhooks_;
};

}  // namespace strake::admission
