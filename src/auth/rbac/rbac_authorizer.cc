#include "auth/rbac/rbac_authorizer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace strake::auth {
namespace {

constexpr std::string_view kMasters = "system:masters";

// Errors as Go prints several of them: each once, in brackets when there are more than one.
std::string aggregate(std::vector<std::string> errors) {
  std::vector<std::string> once;
  for (std::string& one : errors) {
    if (std::ranges::find(once, one) == once.end()) once.push_back(std::move(one));
  }
  return once.size() == 1 ? once.front() : fmt::format("[{}]", fmt::join(once, ", "));
}

}  // namespace

api::Authorizer::Decision RbacAuthorizer::authorize(const api::User& user,
                                                    const api::RequestInfo& request) const {
  if (user.in_group(kMasters)) return {.allowed = true, .reason = {}};
  Decision out;
  const std::string_view in = request.is_resource ? std::string_view(request.namespace_name) : "";
  std::vector<std::string> wrong =
      roles_.for_each_rule(user, in, [&](const RoleIndex::Granted& granted) {
        if (!allows(*granted.rule, request)) return true;
        out = {.allowed = true, .reason = fmt::format("RBAC: allowed by {}", describe(granted))};
        return false;
      });
  if (!out.allowed && !wrong.empty())
    out.reason = fmt::format("RBAC: {}", aggregate(std::move(wrong)));
  return out;
}

api::Authorizer::Rules RbacAuthorizer::rules_of(const api::User& user,
                                                std::string_view namespace_name) const {
  // As in kube-apiserver 1.36, those of system:masters are listed by their binding alone, and a
  // binding without its role leaves the list complete.
  Rules out;
  std::vector<std::string> wrong =
      roles_.for_each_rule(user, namespace_name, [&](const RoleIndex::Granted& granted) {
        const PolicyRule& rule = *granted.rule;
        auto& to = rule.resources.empty() ? out.non_resource_rules : out.resource_rules;
        to.push_back(rule);
        return true;
      });
  if (!wrong.empty()) out.error = aggregate(std::move(wrong));
  return out;
}

}  // namespace strake::auth
