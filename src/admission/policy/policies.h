#pragma once
// Admission policies: those that refuse and those that change, and what their status says. One for
// a server.
#include <memory>

#include "admission/match/namespaces.h"
#include "admission/policy/mutating_policies.h"
#include "admission/policy/param_rights.h"
#include "admission/policy/type_check_controller.h"
#include "admission/policy/validating_policies.h"
#include "api/request/core.h"
#include "async/gate.h"

namespace strake::admission {

class Policies {
 public:
  // Both must outlive it.
  Policies(api::Hub& hub, const api::Authorizer& authorizer);

  const MutatingPolicies& mutating() const { return mutating_; }
  const ValidatingPolicies& validating() const { return validating_; }
  const ParamRights& param_rights() const { return param_rights_; }

  // Once the server has filled its registry: policies are in force from then on, and their types
  // are checked. The core must outlive it.
  async::Task<> start(api::Core& core);
  async::Task<> stop();

 private:
  boost::asio::awaitable<void> check_types();

  StoredNamespaces namespaces_;
  MutatingPolicies mutating_;
  ValidatingPolicies validating_;
  ParamRights param_rights_;
  ValidatingPolicyInformer policies_;
  std::unique_ptr<TypeCheckController> types_;
  async::Gate running_;
};

}  // namespace strake::admission
