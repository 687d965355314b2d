#pragma once
// What a role allows: rules of RBAC, as kube-apiserver 1.36 matches and prints them.
#include <span>
#include <string>
#include <vector>

#include "api/request/request_info.h"
#include "api/request/roles.h"
#include "value/value.h"

namespace strake::auth {

using api::PolicyRule;
using api::write_rules;

inline constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";

// The rules of a Role or ClusterRole. What is not as the schema has it counts as absent.
std::vector<PolicyRule> read_rules(const value::Value& role);

bool allows(const PolicyRule& rule, const api::RequestInfo& request);

// Rules about one resource put together, sorted, one a line, as they stand in a refusal.
std::string describe(std::span<const PolicyRule> rules);

}  // namespace strake::auth
