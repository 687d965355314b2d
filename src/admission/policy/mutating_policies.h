#pragma once
// MutatingAdmissionPolicies in the mutating phase: those that are bound to the request change its
// object, one after the other.
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "admission/match/namespaces.h"
#include "admission/policy/policy_list.h"
#include "admission/policy/steps.h"
#include "api/request/admission.h"
#include "api/request/core.h"
#include "policy/mutating_policy.h"

namespace strake::admission {

// What one pass over the policies leaves for the next. As in kube-apiserver 1.36 there are two
// passes at most: when anyone who may change the object has done so in the first, those policies
// that want it (reinvocationPolicy IfNeeded) are asked once more.
struct PolicyPasses {
  bool is_second = false;
  bool has_changed = false;  // the object, in any pass
  // Policies with their binding and parameter.
  std::set<std::string> asked = {};      // that want to be asked again when something changes
  std::set<std::string> to_repeat = {};  // for which that has happened
};

class MutatingPolicies final : public api::Admission {
 public:
  // All must outlive it.
  MutatingPolicies(api::Hub& hub, const Namespaces& namespaces, const api::Authorizer& authorizer);

  // Before the first request: without it no policy is in force.
  void attach(api::Core& core) { core_ = &core; }

  // Both passes, when nobody else changes objects in this phase.
  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;
  // One of them; `passes` must live until the outcome is there.
  api::Eventual<> pass(api::Call& call, const api::AdmissionRequest& request,
                       PolicyPasses& passes) const;

 private:
  using Steps = std::vector<Step<policy::MutatingPolicy>>;
  class Mutating;
  api::AnswerTask<> second_pass(api::Call& call, api::AdmissionRequest request,
                                std::unique_ptr<PolicyPasses> passes,
                                std::optional<api::Eventual<>> first) const;
  api::AnswerTask<> mutate_later(std::unique_ptr<Mutating> mutating) const;

  const Namespaces& namespaces_;
  const api::Authorizer& authorizer_;
  PolicyList<policy::MutatingPolicy> policies_;
  api::Core* core_ = nullptr;
};

}  // namespace strake::admission
