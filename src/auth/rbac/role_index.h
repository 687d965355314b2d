#pragma once
// Which roles a user has: roles and bindings as they stand, found by subject. May be asked from any
// thread; whoever was told of a write finds it here.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cache/informer.h"
#include "api/request/roles.h"
#include "auth/rbac/policy_rule.h"

namespace strake::auth {

struct Subject {
  std::string kind;  // "User", "Group", "ServiceAccount"
  std::string name;
  std::string namespace_name;  // of a service account
  // The name under which it authenticates. Empty for one that nobody can be: a service account
  // without a namespace, or a kind that is not known.
  std::string known_as;
};

struct RoleRef {
  std::string kind;  // "Role", "ClusterRole"
  std::string name;
};

// A Role, a ClusterRole or a binding of either scope: what matters of it.
struct RbacFacts {
  std::string kind;
  std::string name;
  std::string namespace_name;  // empty for cluster-scoped ones
  std::vector<PolicyRule> rules;
  // Of a binding:
  RoleRef role;
  std::string role_key;  // of the role in the store
  std::vector<Subject> subjects;
};

class RoleIndex {
 public:
  explicit RoleIndex(api::Hub& hub);

  // One rule that a user has, and how. Views, valid during the call.
  struct Granted {
    const PolicyRule* rule;
    const RbacFacts* binding;
    bool by_group;  // whether the binding is to a group of that name, or to a user
    std::string_view name;
  };
  // Calls `visit` for each rule of each role that is bound to the user, for the whole cluster and,
  // unless it is empty, in the namespace, until it returns false. Gives what was wrong: a line for
  // each binding whose role is not there.
  std::vector<std::string> for_each_rule(const api::User& user, std::string_view namespace_name,
                                         const std::function<bool(const Granted&)>& visit) const;
  // All of them.
  std::vector<PolicyRule> rules_of(const api::User& user, std::string_view namespace_name) const;
  // Of the role that a binding in the namespace refers to; fails with kNotFound, in the words of
  // kube-apiserver 1.36, when it is not there.
  Result<std::vector<PolicyRule>> rules_of(const RoleRef& role,
                                           std::string_view namespace_name) const;

 private:
  using Roles = api::Informer<RbacFacts>;
  mutable Roles roles_;
};

// "ClusterRoleBinding "x" of ClusterRole "y" to User "z"", as kube-apiserver 1.36 says why.
std::string describe(const RoleIndex::Granted& granted);

}  // namespace strake::auth
