#pragma once
// Who has which right, and why: answers from the roles and bindings of a cluster, as objects. For
// people who ask; the server's own decisions come from the RoleIndex.
#include <string>
#include <string_view>
#include <vector>

#include "api/request/request_info.h"
#include "api/request/roles.h"
#include "auth/rbac/policy_rule.h"
#include "value/value.h"

namespace strake::auth {

struct GrantSubject {
  std::string kind;  // User, Group or ServiceAccount
  std::string name;
  std::string namespace_name;  // of a ServiceAccount
  friend auto operator<=>(const GrantSubject&, const GrantSubject&) = default;
};

// A binding that hands out a rule.
struct Grant {
  std::string binding;
  std::string namespace_name;  // of a RoleBinding; empty for a ClusterRoleBinding
  std::string role_kind;
  std::string role;
  std::size_t rule_number = 0;  // in the role, from 1
  PolicyRule rule;
  GrantSubject subject;
};

// Why a rule that somebody has does not allow a request.
struct NearMiss {
  Grant grant;
  std::vector<std::string> lacking;  // "the verb create", "the resource pods/log", ...
};

struct Explanation {
  bool is_master = false;         // system:masters may do everything
  std::vector<Grant> grants;      // all that allow it
  std::vector<NearMiss> closest;  // when none does: the nearest rules that the user has
  // When none does: roles that would allow it if they were bound, the narrowest first.
  struct Role {
    std::string kind;
    std::string name;
  };
  std::vector<Role> roles;
};

class Grants {
 public:
  // Objects of rbac.authorization.k8s.io: Role, ClusterRole, RoleBinding, ClusterRoleBinding. What
  // is none of these is passed over.
  void add(const value::Value& object);

  // Everyone who may, by subject and binding.
  std::vector<Grant> who_can(const api::RequestInfo& request) const;
  Explanation explain(const api::User& user, const api::RequestInfo& request) const;
  // Bindings of roles that are not there, as "RoleBinding dev/x names the Role y".
  std::vector<std::string> dangling() const;

 private:
  struct Role {
    std::string kind;
    std::string namespace_name;
    std::string name;
    std::vector<PolicyRule> rules;
  };
  struct Binding {
    std::string namespace_name;
    std::string name;
    std::string role_kind;
    std::string role;
    std::vector<GrantSubject> subjects;
    bool covers(const api::RequestInfo& request) const {
      return namespace_name.empty() || namespace_name == request.namespace_name;
    }
  };
  const Role* role_of(const Binding& binding) const;

  std::vector<Role> roles_;
  std::vector<Binding> bindings_;
};

// The user as the API server would see it: with the groups that follow from its name.
api::User user_with_groups(std::string name, std::vector<std::string> groups);

// "get, list on configmaps" or "get on /metrics".
std::string sentence_of(const PolicyRule& rule);

}  // namespace strake::auth
