#pragma once
// ValidatingAdmissionPolicies in the validating phase: which are bound to the request, what they
// say of it, and what their bindings make of that.
#include "admission/match/namespaces.h"
#include "admission/policy/policy_list.h"
#include "admission/policy/steps.h"
#include "api/request/admission.h"
#include "api/request/core.h"
#include "policy/validating_policy.h"

namespace strake::admission {

class ValidatingPolicies final : public api::Admission {
 public:
  // All must outlive it.
  ValidatingPolicies(api::Hub& hub, const Namespaces& namespaces,
                     const api::Authorizer& authorizer);

  // Before the first request: without it no policy is in force.
  void attach(api::Core& core) { core_ = &core; }
  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

 private:
  using Steps = std::vector<Step<policy::ValidatingPolicy>>;
  class Judging;
  api::AnswerTask<> judge_later(std::unique_ptr<Judging> judging) const;

  const Namespaces& namespaces_;
  const api::Authorizer& authorizer_;
  PolicyList<policy::ValidatingPolicy> policies_;
  api::Core* core_ = nullptr;
};

}  // namespace strake::admission
