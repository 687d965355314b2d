#pragma once
// Roles: who may do what, what is always there, and who may hand out rights. One for a server.
#include <memory>

#include "api/request/core.h"
#include "async/gate.h"
#include "auth/rbac/aggregation.h"
#include "auth/rbac/escalation.h"
#include "auth/rbac/rbac_authorizer.h"
#include "auth/rbac/role_index.h"

namespace strake::auth {

class Rbac {
 public:
  // The hub must outlive it.
  explicit Rbac(api::Hub& hub);

  const api::Authorizer& authorizer() const { return authorizer_; }
  const api::Admission& escalation() const { return escalation_; }
  // Who decides about rights, where that is more than roles: must outlive it. Before the first
  // request.
  void ask(const api::Authorizer& chain) { escalation_.ask(chain); }

  // Once the server has filled its registry: makes the default roles and bindings, and keeps
  // aggregated roles from then on, unless that is not wanted. The core must outlive it.
  async::Task<> start(api::Core& core, bool aggregates = true);
  async::Task<> stop();

 private:
  boost::asio::awaitable<void> aggregate();

  RoleIndex roles_;
  ClusterRoleInformer cluster_roles_;
  RbacAuthorizer authorizer_{roles_};
  EscalationCheck escalation_{roles_, authorizer_};
  std::unique_ptr<RoleAggregation> aggregation_;
  async::Gate running_;
};

}  // namespace strake::auth
