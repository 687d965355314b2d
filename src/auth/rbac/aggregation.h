#pragma once
// ClusterRoles that sum up others: their rules are those of all ClusterRoles that one of their
// selectors matches, by name, each rule once; as kube-controller-manager 1.36 keeps them.
#include "api/controllers/controller.h"
#include "auth/rbac/policy_rule.h"
#include "meta/selectors.h"

namespace strake::auth {

struct ClusterRoleFacts {
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<PolicyRule> rules;
  std::vector<meta::LabelSelector> sums_up;  // none for a role with rules of its own
};

class ClusterRoleInformer : public api::Informer<ClusterRoleFacts> {
 public:
  explicit ClusterRoleInformer(api::Hub& hub);
  struct Sum {
    std::string name;
    std::vector<PolicyRule> rules;
  };
  // The roles that sum up others and have other rules than they should, with those.
  std::vector<Sum> wrong_sums();

 private:
  static std::vector<PolicyRule> sum_of(const View& now, const ClusterRoleFacts& role);
};

class RoleAggregation final : public api::Controller {
 public:
  RoleAggregation(api::Core& core, ClusterRoleInformer& roles, const async::Executor& executor)
      : Controller(core, roles, executor), roles_(roles) {}

 private:
  boost::asio::awaitable<std::chrono::milliseconds> sync(std::string key,
                                                         api::ObjectPtr object) override;
  ClusterRoleInformer& roles_;
  api::Revision settled_ = 0;  // all sums are right up to there
};

}  // namespace strake::auth
