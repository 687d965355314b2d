#pragma once
// Who may do what: members of system:masters everything, all others what roles give them.
#include "api/request/roles.h"
#include "auth/rbac/role_index.h"

namespace strake::auth {

class RbacAuthorizer final : public api::Authorizer {
 public:
  // The index must outlive it.
  explicit RbacAuthorizer(const RoleIndex& roles) : roles_(roles) {}
  Decision authorize(const api::User& user, const api::RequestInfo& request) const override;
  Rules rules_of(const api::User& user, std::string_view namespace_name) const override;

 private:
  const RoleIndex& roles_;
};

}  // namespace strake::auth
