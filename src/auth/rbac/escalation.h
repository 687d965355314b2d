#pragma once
// Nobody hands out rights that they do not have: who writes a role must have what it allows, or the
// verb `escalate` on it; who binds one must have what it allows, or the verb `bind` on it. As in
// kube-apiserver 1.36, before the object is validated.
#include <memory>
#include <optional>

#include "api/request/admission.h"
#include "async/workers.h"
#include "auth/rbac/role_index.h"

namespace strake::auth {

class EscalationCheck final : public api::Admission {
 public:
  // Both must outlive it.
  EscalationCheck(const RoleIndex& roles, const api::Authorizer& authorizer)
      : roles_(roles), authorizer_(&authorizer) {}
  // Where rules are compared: megabytes of them take longer than a loop may wait. Must outlive it.
  // Before the first request; without it, they are compared at once.
  void compare_on(async::Workers& workers) { workers_ = &workers; }
  // Who is asked about `escalate` and `bind`, in place of the one it has; must outlive it. Before
  // the first request.
  void ask(const api::Authorizer& authorizer) { authorizer_ = &authorizer; }
  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

 private:
  // What a write would hand out, unless whoever writes may do so without having it.
  struct Grant {
    std::optional<RoleRef> role;  // of a binding; otherwise the rules of the object
  };
  std::optional<Grant> grant_of_role(const api::Call& call, const api::AdmissionRequest& request,
                                     const api::Authorizer& authorizer) const;
  std::optional<Grant> grant_of_binding(const api::Call& call, const api::AdmissionRequest& request,
                                        const api::Authorizer& authorizer) const;
  api::AnswerTask<> refuse_later(api::Eventual<> rights, const api::Call& call,
                                 api::AdmissionRequest request,
                                 std::shared_ptr<std::optional<Grant>> grant) const;
  api::Answer<> refuse_unless_held(const api::Call& call, const api::AdmissionRequest& request,
                                   const Grant& grant) const;
  api::Answer<> compare(const api::Call& call, std::span<const PolicyRule> held,
                        std::span<const PolicyRule> wanted, std::string_view name) const;

  const RoleIndex& roles_;
  const api::Authorizer* authorizer_;
  async::Workers* workers_ = nullptr;
};

}  // namespace strake::auth
