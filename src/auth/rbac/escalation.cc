#include "auth/rbac/escalation.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/request/pending_questions.h"
#include "auth/rbac/coverage.h"
#include "base/cancel_scope.h"
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
  const auto grant = std::make_shared<std::optional<Grant>>();
  api::Eventual<> rights =
      api::check_rights(*authorizer_, call,
                        [this, &call, request, is_role, grant](const api::Authorizer& authorizer) {
                          *grant = is_role ? grant_of_role(call, request, authorizer)
                                           : grant_of_binding(call, request, authorizer);
                          return Answer<>();
                        });
  if (!rights.must_wait() && !*grant) return rights.take();
  return refuse_later(std::move(rights), call, request, grant);
}

api::AnswerTask<> EscalationCheck::refuse_later(api::Eventual<> rights, const Call& call,
                                                api::AdmissionRequest request,
                                                std::shared_ptr<std::optional<Grant>> grant) const {
  STRAKE_CO_CHECK(rights.must_wait() ? co_await rights.wait() : rights.take());
  if (!*grant) co_return Answer<>();
  const auto compare_them = [&] { return refuse_unless_held(call, request, **grant); };
  if (workers_ == nullptr) co_return compare_them();
  STRAKE_CO_TRY(Answer<> outcome, api::answer(co_await workers_->run([&compare_them] {
                  return Result<Answer<>>(compare_them());
                })));
  co_return outcome;
}

std::optional<EscalationCheck::Grant> EscalationCheck::grant_of_role(
    const Call& call, const api::AdmissionRequest& request,
    const api::Authorizer& authorizer) const {
  const Value& role = request.object->root();
  // Who changes neither rule may do it without having them.
  if (request.old != nullptr && same_member(role, *request.old, "rules") &&
      same_member(role, *request.old, "aggregationRule"))
    return std::nullopt;
  if (may(authorizer, call, "escalate", call.info.resource, request.name)) return std::nullopt;
  return Grant();
}

std::optional<EscalationCheck::Grant> EscalationCheck::grant_of_binding(
    const Call& call, const api::AdmissionRequest& request,
    const api::Authorizer& authorizer) const {
  const Value& binding = request.object->root();
  if (request.old != nullptr && same_member(binding, *request.old, "roleRef") &&
      same_member(binding, *request.old, "subjects"))
    return std::nullopt;
  RoleRef role;
  if (const Value* to = binding.find("roleRef"); to != nullptr && to->is_object())
    role = {.kind = std::string(text_of(*to, "kind")), .name = std::string(text_of(*to, "name"))};
  const std::string_view resource = role.kind == "ClusterRole" ? "clusterroles" : "roles";
  if (may(authorizer, call, "bind", resource, role.name)) return std::nullopt;
  return Grant{.role = std::move(role)};
}

Answer<> EscalationCheck::refuse_unless_held(const Call& call, const api::AdmissionRequest& request,
                                             const Grant& grant) const {
  const CancelScope scope(call.request.cancel, call.stopping);
  const std::vector<PolicyRule> held = roles_.rules_of(*call.user, call.info.namespace_name);
  if (grant.role) {
    const auto rules = roles_.rules_of(*grant.role, call.info.namespace_name);
    if (!rules) {
      // Of the binding's resource and the role's name, as kube-apiserver 1.36 puts it.
      return refuse(Status::not_found(call.group_resource(), grant.role->name));
    }
    return compare(call, held, *rules, request.name);
  }
  const Value& role = request.object->root();
  STRAKE_CHECK(compare(call, held, read_rules(role), request.name));
  if (role.find("aggregationRule") == nullptr) return {};
  // It may sum up anything.
  const PolicyRule everything[] = {
      {.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}},
      {.verbs = {"*"}, .non_resource_urls = {"*"}},
  };
  return compare(call, held, everything, request.name);
}

Answer<> EscalationCheck::compare(const Call& call, std::span<const PolicyRule> held,
                                  std::span<const PolicyRule> wanted, std::string_view name) const {
  const Coverage coverage = compare_rules(held, wanted);
  if (coverage.is_covered()) return {};
  // What was not compared because nobody waits for it any more says nothing.
  if (CancelScope::is_cancelled()) return refuse(Call::cancelled());
  const std::string who =
      fmt::format("user {} (groups={})", quote(call.user->name), quote_list(call.user->groups));
  if (coverage.missing.empty()) {
    return refuse(Status::forbidden(
        call.group_resource(), name,
        fmt::format("the rules have too many combinations of verbs, groups, resources and names to "
                    "compare them with those of {}: split the role, or have the verb escalate on "
                    "roles, or bind",
                    who)));
  }
  return refuse(Status::forbidden(
      call.group_resource(), name,
      fmt::format("{} is attempting to grant RBAC permissions not currently held:\n{}{}", who,
                  describe(coverage.missing), coverage.complete ? "" : "\n... and more")));
}

}  // namespace strake::auth
