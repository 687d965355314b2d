#pragma once
// Nobody hands out rights that they do not have: who writes a role must have what it allows, or the
// verb `escalate` on it; who binds one must have what it allows, or the verb `bind` on it. As in
// kube-apiserver 1.36, before the object is validated.
#include "api/request/admission.h"
#include "auth/rbac/role_index.h"

namespace strake::auth {

class EscalationCheck final : public api::Admission {
 public:
  // Both must outlive it.
  EscalationCheck(const RoleIndex& roles, const api::Authorizer& authorizer)
      : roles_(roles), authorizer_(&authorizer) {}
  // Who is asked about `escalate` and `bind`, in place of the one it has; must outlive it. Before
  // the first request.
  void ask(const api::Authorizer& authorizer) { authorizer_ = &authorizer; }
  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

 private:
  api::Answer<> check_role(const api::Call& call, const api::AdmissionRequest& request,
                           const api::Authorizer& authorizer) const;
  api::Answer<> check_binding(const api::Call& call, const api::AdmissionRequest& request,
                              const api::Authorizer& authorizer) const;
  api::Answer<> refuse_unless_held(const api::Call& call, std::span<const PolicyRule> wanted,
                                   std::string_view name) const;

  const RoleIndex& roles_;
  const api::Authorizer* authorizer_;
};

}  // namespace strake::auth
