#include "auth/rbac/role_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "meta/service_account.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::auth {
namespace {

using api::User;
using value::text_of;
using value::Value;

constexpr std::string_view kClusterRoles = "/registry/clusterroles/";
constexpr std::string_view kRoles = "/registry/roles/";
constexpr std::string_view kClusterRoleBindings = "/registry/clusterrolebindings/";
constexpr std::string_view kRoleBindings = "/registry/rolebindings/";

std::string key_of(const RoleRef& role, std::string_view namespace_name) {
  return role.kind == "ClusterRole" ? fmt::format("{}{}", kClusterRoles, role.name)
                                    : fmt::format("{}{}/{}", kRoles, namespace_name, role.name);
}

std::string authenticates_as(const Subject& subject, std::string_view binding_namespace) {
  if (subject.kind == "User" || subject.kind == "Group") return subject.name;
  if (subject.kind != "ServiceAccount") return {};
  const std::string_view home =
      subject.namespace_name.empty() ? binding_namespace : subject.namespace_name;
  if (home.empty()) return {};
  return meta::service_account_user(home, subject.name);
}

Result<RbacFacts> read_rbac_facts(const api::Object& object) {
  STRAKE_TRY(const value::Document document, api::parse_stored(*object.bytes()));
  const Value& root = document.root();
  RbacFacts out;
  out.kind = std::string(text_of(root, "kind"));
  out.name = object.name();
  const std::string_view key = object.key();
  if (key.starts_with(kRoles) || key.starts_with(kRoleBindings))
    out.namespace_name = object.namespace_name();
  out.rules = read_rules(root);
  if (const Value* role = root.find("roleRef"); role != nullptr && role->is_object()) {
    out.role = {.kind = std::string(text_of(*role, "kind")),
                .name = std::string(text_of(*role, "name"))};
    out.role_key = key_of(out.role, out.namespace_name);
  }
  if (const Value* subjects = root.find("subjects"); subjects != nullptr && subjects->is_array()) {
    for (const Value& one : subjects->items()) {
      if (!one.is_object()) continue;
      Subject subject{.kind = std::string(text_of(one, "kind")),
                      .name = std::string(text_of(one, "name")),
                      .namespace_name = std::string(text_of(one, "namespace")),
                      .known_as = {}};
      subject.known_as = authenticates_as(subject, out.namespace_name);
      out.subjects.push_back(std::move(subject));
    }
  }
  return out;
}

// What a binding is found by: its namespace and one of its subjects. A service account is found as
// the user that it is. Names may hold anything but a line break, which ends the namespace.
std::string index_key(std::string_view namespace_name, bool group, std::string_view name) {
  std::string out;
  out.reserve(namespace_name.size() + name.size() + 2);
  out.append(namespace_name).append(group ? "\ng" : "\nu").append(name);
  return out;
}

std::vector<std::string> subjects_of(const RbacFacts& facts) {
  std::vector<std::string> out;
  for (const Subject& one : facts.subjects) {
    if (!one.known_as.empty())
      out.push_back(index_key(facts.namespace_name, one.kind == "Group", one.known_as));
  }
  return out;
}

std::string missing(const RoleRef& role) {
  return fmt::format("{}.rbac.authorization.k8s.io {} not found",
                     role.kind == "ClusterRole" ? "clusterrole" : "role", quote(role.name));
}

}  // namespace

RoleIndex::RoleIndex(api::Hub& hub)
    : roles_(hub, {.prefixes = {std::string(kClusterRoles), std::string(kRoles),
                                std::string(kClusterRoleBindings), std::string(kRoleBindings)},
                   .read = read_rbac_facts,
                   .indexes = {{"subject", subjects_of}}}) {}

std::vector<std::string> RoleIndex::for_each_rule(
    const User& user, std::string_view namespace_name,
    const std::function<bool(const Granted&)>& visit) const {
  const Roles::View view = roles_.view();
  std::vector<std::string> wrong;
  bool more = true;
  const auto visit_binding = [&](const RbacFacts& binding, bool group, std::string_view name) {
    const Roles::Known role = view.find(binding.role_key);
    if (!role) wrong.push_back(missing(binding.role));
    if (!role) return;
    for (const PolicyRule& rule : role->rules) {
      more = visit({.rule = &rule, .binding = &binding, .by_group = group, .name = name});
      if (!more) return;
    }
  };
  const auto visit_subject = [&](std::string_view scope, bool group, std::string_view name) {
    if (!more) return;
    view.for_each("subject", index_key(scope, group, name), [&](const Roles::Known& binding) {
      if (more) visit_binding(*binding, group, name);
    });
  };
  const auto visit_scope = [&](std::string_view scope) {
    visit_subject(scope, false, user.name);
    for (const std::string& group : user.groups) visit_subject(scope, true, group);
  };
  visit_scope("");
  if (!namespace_name.empty()) visit_scope(namespace_name);
  return wrong;
}

std::vector<PolicyRule> RoleIndex::rules_of(const User& user,
                                            std::string_view namespace_name) const {
  std::vector<PolicyRule> out;
  for_each_rule(user, namespace_name, [&](const Granted& granted) {
    out.push_back(*granted.rule);
    return true;
  });
  return out;
}

Result<std::vector<PolicyRule>> RoleIndex::rules_of(const RoleRef& role,
                                                    std::string_view namespace_name) const {
  const Roles::View view = roles_.view();
  const Roles::Known found = view.find(key_of(role, namespace_name));
  if (!found) return fail(Code::kNotFound, "{}", missing(role));
  return found->rules;
}

std::string describe(const RoleIndex::Granted& granted) {
  const RbacFacts& binding = *granted.binding;
  std::string name = binding.name;
  if (!binding.namespace_name.empty()) name += "/" + binding.namespace_name;
  const auto subject = std::ranges::find_if(binding.subjects, [&](const Subject& one) {
    return (one.kind == "Group") == granted.by_group && one.known_as == granted.name;
  });
  std::string who = subject->name;
  if (subject->kind == "ServiceAccount") {
    who +=
        "/" + (subject->namespace_name.empty() ? binding.namespace_name : subject->namespace_name);
  }
  return fmt::format("{} {} of {} {} to {} {}", binding.kind, quote(name), binding.role.kind,
                     quote(binding.role.name), subject->kind, quote(who));
}

}  // namespace strake::auth
