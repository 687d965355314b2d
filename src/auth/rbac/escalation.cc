#include "auth/rbac/escalation.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/request/pending_questions.h"
#include "base/quote.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

using api::Answer;
using api::Call;
using api::refuse;
using meta::Status;
using value::text_of;
using value::Value;

bool same_member(const Value& a, const Value& b, std::string_view key) {
  const Value* left = a.find(key);
  const Value* right = b.find(key);
  if (left == nullptr || right == nullptr) return left == right;
  return value::identical(*left, *right);
}

bool may(const api::Authorizer& authorizer, const Call& call, std::string_view verb,
         std::string_view resource, std::string_view name) {
  api::RequestInfo asked;
  asked.is_resource = true;
  asked.verb = verb;
  asked.group = kRbacGroup;
  asked.version = "*";
  asked.namespace_name = call.info.namespace_name;
  asked.resource = resource;
  asked.name = name;
  return authorizer.authorize(*call.user, asked).allowed;
}

}  // namespace

api::Eventual<> EscalationCheck::admit(Call& call, const api::AdmissionRequest& request) const {
  using Phase = api::AdmissionRequest::Phase;
  if (request.phase != Phase::kMutating || request.object == nullptr ||
      call.info.group != kRbacGroup || !request.subresource.empty() ||
      call.user->in_group("system:masters"))
    return Answer<>();
  const std::string& resource = call.info.resource;
  const bool is_role = resource == "roles" || resource == "clusterroles";
  if (!is_role && resource != "rolebindings" && resource != "clusterrolebindings")
    return Answer<>();
  return api::check_rights(*authorizer_, call,
                           [this, &call, request, is_role](const api::Authorizer& authorizer) {
                             return is_role ? check_role(call, request, authorizer)
                                            : check_binding(call, request, authorizer);
                           });
}

Answer<> EscalationCheck::refuse_unless_held(const Call& call, std::span<const PolicyRule> wanted,
                                             std::string_view name) const {
  const std::vector<PolicyRule> missing =
      uncovered(roles_.rules_of(*call.user, call.info.namespace_name), wanted);
  if (missing.empty()) return {};
  return refuse(Status::forbidden(
      call.group_resource(), name,
      fmt::format("user {} (groups={}) is attempting to grant RBAC permissions not currently "
                  "held:\n{}",
                  quote(call.user->name), quote_list(call.user->groups), describe(missing))));
}

Answer<> EscalationCheck::check_role(const Call& call, const api::AdmissionRequest& request,
                                     const api::Authorizer& authorizer) const {
  const Value& role = request.object->root();
  // Who changes neither rule may do it without having them.
  if (request.old != nullptr && same_member(role, *request.old, "rules") &&
      same_member(role, *request.old, "aggregationRule"))
    return {};
  if (may(authorizer, call, "escalate", call.info.resource, request.name)) return {};
  STRAKE_CHECK(refuse_unless_held(call, read_rules(role), request.name));
  if (role.find("aggregationRule") == nullptr) return {};
  // It may sum up anything.
  const PolicyRule everything[] = {
      {.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}},
      {.verbs = {"*"}, .non_resource_urls = {"*"}},
  };
  return refuse_unless_held(call, everything, request.name);
}

Answer<> EscalationCheck::check_binding(const Call& call, const api::AdmissionRequest& request,
                                        const api::Authorizer& authorizer) const {
  const Value& binding = request.object->root();
  if (request.old != nullptr && same_member(binding, *request.old, "roleRef") &&
      same_member(binding, *request.old, "subjects"))
    return {};
  RoleRef role;
  if (const Value* to = binding.find("roleRef"); to != nullptr && to->is_object())
    role = {.kind = std::string(text_of(*to, "kind")), .name = std::string(text_of(*to, "name"))};
  const std::string_view resource = role.kind == "ClusterRole" ? "clusterroles" : "roles";
  if (may(authorizer, call, "bind", resource, role.name)) return {};
  auto rules = roles_.rules_of(role, call.info.namespace_name);
  if (!rules) {
    // Of the binding's resource and the role's name, as kube-apiserver 1.36 puts it.
    return refuse(Status::not_found(call.group_resource(), role.name));
  }
  return refuse_unless_held(call, *rules, request.name);
}

}  // namespace strake::auth
