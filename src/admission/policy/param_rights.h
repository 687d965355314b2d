#pragma once
// Who names parameters must be able to read them, since expressions show what they hold: a policy
// needs the right to read all objects of its kind, a binding that to the objects it points to. As
// in kube-apiserver 1.36 the object itself has been validated before.
#include <string>

#include "api/request/admission.h"
#include "api/request/core.h"

namespace strake::admission {

class ParamRights final : public api::Admission {
 public:
  // Must outlive it.
  explicit ParamRights(const api::Authorizer& authorizer) : authorizer_(authorizer) {}

  void attach(const api::Core& core) { core_ = &core; }
  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

 private:
  // Why the user may not; empty when they may.
  std::string policy_fault(const api::Call& call, const value::Value& spec,
                           const api::Authorizer& authorizer) const;
  std::string binding_fault(const api::Call& call, const value::Value& spec,
                            std::string_view policies, const api::Authorizer& authorizer) const;

  const api::Authorizer& authorizer_;
  const api::Core* core_ = nullptr;
};

}  // namespace strake::admission
