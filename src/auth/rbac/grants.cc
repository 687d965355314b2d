#include "auth/rbac/grants.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "meta/service_account.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

using api::RequestInfo;
using value::text_of;
using value::Value;

constexpr std::size_t kMostMisses = 3;
constexpr std::size_t kMostRoles = 3;

bool is_subject(const GrantSubject& subject, const api::User& user) {
  if (subject.kind == "User") return subject.name == user.name;
  if (subject.kind == "Group") return user.in_group(subject.name);
  return subject.kind == "ServiceAccount" &&
         user.name == meta::service_account_user(subject.namespace_name, subject.name);
}

bool has_text(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

std::string resource_of(const RequestInfo& request) {
  return request.subresource.empty() ? request.resource
                                     : fmt::format("{}/{}", request.resource, request.subresource);
}

bool names_resource(const std::vector<std::string>& resources, const RequestInfo& request) {
  return has_text(resources, "*") || has_text(resources, resource_of(request)) ||
         (!request.subresource.empty() && has_text(resources, "*/" + request.subresource));
}

// What the rule would need to allow it. Empty when it does.
std::vector<std::string> lacking(const PolicyRule& rule, const RequestInfo& request) {
  if (allows(rule, request)) return {};
  std::vector<std::string> out;
  if (!has_text(rule.verbs, "*") && !has_text(rule.verbs, request.verb))
    out.push_back(fmt::format("the verb {}", request.verb));
  if (!request.is_resource) {
    out.push_back(fmt::format("the path {}", request.path));
    return out;
  }
  if (!names_resource(rule.resources, request))
    out.push_back(fmt::format("the resource {}", resource_of(request)));
  if (!has_text(rule.api_groups, "*") && !has_text(rule.api_groups, request.group))
    out.push_back(fmt::format("the API group \"{}\"", request.group));
  if (!rule.resource_names.empty() && !has_text(rule.resource_names, request.name))
    out.push_back(request.name.empty() ? "objects of any name"
                                       : fmt::format("the name {}", request.name));
  return out;
}

// A rule for the group, or for a resource of the same name in another one.
bool is_near(const PolicyRule& rule, const RequestInfo& request) {
  if (!request.is_resource) return !rule.non_resource_urls.empty();
  return names_resource(rule.resources, request) || has_text(rule.api_groups, "*") ||
         has_text(rule.api_groups, request.group);
}

// How much a role hands out: the narrowest is the best advice.
std::size_t breadth(const std::vector<PolicyRule>& rules) {
  std::size_t out = 0;
  for (const PolicyRule& one : rules) {
    const auto weight = [](const std::vector<std::string>& list) {
      return has_text(list, "*") ? std::size_t{1000} : list.size();
    };
    out += weight(one.verbs) * std::max<std::size_t>(weight(one.resources), 1);
  }
  return out;
}

Grant grant_of(const std::string& binding, const std::string& namespace_name,
               const std::string& role_kind, const std::string& role, std::size_t number,
               const PolicyRule& rule, const GrantSubject& subject) {
  return {.binding = binding,
          .namespace_name = namespace_name,
          .role_kind = role_kind,
          .role = role,
          .rule_number = number,
          .rule = rule,
          .subject = subject};
}

}  // namespace

void Grants::add(const Value& object) {
  const std::string_view kind = text_of(object, "kind");
  const Value& metadata = object.get("metadata");
  if (kind == "Role" || kind == "ClusterRole") {
    roles_.push_back({.kind = std::string(kind),
                      .namespace_name = std::string(text_of(metadata, "namespace")),
                      .name = std::string(text_of(metadata, "name")),
                      .rules = read_rules(object)});
    return;
  }
  if (kind != "RoleBinding" && kind != "ClusterRoleBinding") return;
  Binding out{.namespace_name = std::string(text_of(metadata, "namespace")),
              .name = std::string(text_of(metadata, "name")),
              .role_kind = std::string(text_of(object.get("roleRef"), "kind")),
              .role = std::string(text_of(object.get("roleRef"), "name")),
              .subjects = {}};
  const Value& subjects = object.get("subjects");
  for (const Value& one : subjects.is_array() ? subjects.items() : std::span<const Value>()) {
    GrantSubject subject{.kind = std::string(text_of(one, "kind")),
                         .name = std::string(text_of(one, "name")),
                         .namespace_name = std::string(text_of(one, "namespace"))};
    out.subjects.push_back(std::move(subject));
  }
  bindings_.push_back(std::move(out));
}

const Grants::Role* Grants::role_of(const Binding& binding) const {
  for (const Role& role : roles_) {
    if (role.kind != binding.role_kind || role.name != binding.role) continue;
    if (role.kind == "ClusterRole" || role.namespace_name == binding.namespace_name) return &role;
  }
  return nullptr;
}

std::vector<Grant> Grants::who_can(const RequestInfo& request) const {
  std::vector<Grant> out;
  for (const Binding& binding : bindings_) {
    const Role* role = binding.covers(request) ? role_of(binding) : nullptr;
    if (role == nullptr) continue;
    for (std::size_t i = 0; i < role->rules.size(); ++i) {
      if (!allows(role->rules[i], request)) continue;
      for (const GrantSubject& subject : binding.subjects) {
        out.push_back(grant_of(binding.name, binding.namespace_name, role->kind, role->name, i + 1,
                               role->rules[i], subject));
      }
      break;  // one rule is reason enough
    }
  }
  std::ranges::sort(out, {}, [](const Grant& one) {
    return std::tie(one.subject, one.namespace_name, one.binding);
  });
  return out;
}

Explanation Grants::explain(const api::User& user, const RequestInfo& request) const {
  Explanation out;
  out.is_master = user.in_group("system:masters");
  for (const Binding& binding : bindings_) {
    const Role* role = role_of(binding);
    if (role == nullptr) continue;
    const auto subject = std::ranges::find_if(
        binding.subjects, [&](const GrantSubject& one) { return is_subject(one, user); });
    if (subject == binding.subjects.end()) continue;
    for (std::size_t i = 0; i < role->rules.size(); ++i) {
      Grant grant = grant_of(binding.name, binding.namespace_name, role->kind, role->name, i + 1,
                             role->rules[i], *subject);
      std::vector<std::string> missing = lacking(role->rules[i], request);
      if (!binding.covers(request)) {
        missing.push_back(request.namespace_name.empty()
                              ? "all namespaces"
                              : fmt::format("the namespace {}", request.namespace_name));
      }
      if (missing.empty()) {
        out.grants.push_back(std::move(grant));
      } else {
        out.closest.push_back({.grant = std::move(grant), .lacking = std::move(missing)});
      }
    }
  }
  const auto order = [](const Grant& one) {
    return std::tie(one.namespace_name, one.binding, one.rule_number);
  };
  std::ranges::sort(out.grants, {}, order);
  if (out.is_master || !out.grants.empty()) {
    out.closest.clear();
    return out;
  }
  std::ranges::sort(out.closest, [&](const NearMiss& a, const NearMiss& b) {
    if (a.lacking.size() != b.lacking.size()) return a.lacking.size() < b.lacking.size();
    return order(a.grant) < order(b.grant);
  });
  // What lacks nearly everything, or is about another resource altogether, is not close.
  std::erase_if(out.closest, [&](const NearMiss& one) {
    return one.lacking.size() > 2 || !is_near(one.grant.rule, request);
  });
  const std::size_t least = out.closest.empty() ? 0 : out.closest[0].lacking.size();
  std::erase_if(out.closest, [&](const NearMiss& one) { return one.lacking.size() > least; });
  if (out.closest.size() > kMostMisses) out.closest.resize(kMostMisses);

  std::vector<const Role*> would;
  for (const Role& role : roles_) {
    if (role.kind == "Role" && role.namespace_name != request.namespace_name) continue;
    if (std::ranges::any_of(role.rules, [&](const auto& rule) { return allows(rule, request); }))
      would.push_back(&role);
  }
  std::ranges::sort(would, {}, [](const Role* role) {
    // Those of the system are for its own parts, and may change with a version.
    return std::tuple(role->name.starts_with("system:"), breadth(role->rules), role->kind,
                      role->name);
  });
  for (const Role* role : would) {
    if (out.roles.size() == kMostRoles) break;
    out.roles.push_back({.kind = role->kind, .name = role->name});
  }
  return out;
}

std::vector<std::string> Grants::dangling() const {
  std::vector<std::string> out;
  for (const Binding& binding : bindings_) {
    if (role_of(binding) != nullptr) continue;
    out.push_back(binding.namespace_name.empty()
                      ? fmt::format("ClusterRoleBinding {} names the {} {}, which does not exist",
                                    binding.name, binding.role_kind, binding.role)
                      : fmt::format("RoleBinding {}/{} names the {} {}, which does not exist",
                                    binding.namespace_name, binding.name, binding.role_kind,
                                    binding.role));
  }
  std::ranges::sort(out);
  return out;
}

api::User user_with_groups(std::string name, std::vector<std::string> groups) {
  api::User out{.name = std::move(name), .uid = {}, .groups = std::move(groups), .extra = {}};
  if (const auto account = meta::parse_service_account_user(out.name)) {
    for (std::string& group : meta::service_account_groups(account->namespace_name)) {
      if (!out.in_group(group)) out.groups.push_back(std::move(group));
    }
  }
  const std::string_view everyone =
      out.name == "system:anonymous" ? "system:unauthenticated" : "system:authenticated";
  if (!out.in_group(everyone)) out.groups.emplace_back(everyone);
  return out;
}

std::string sentence_of(const PolicyRule& rule) {
  std::vector<std::string> what;
  for (const std::string& resource : rule.resources) {
    for (const std::string& group : rule.api_groups)
      what.push_back(group.empty() || group == "*" ? resource
                                                   : fmt::format("{}.{}", resource, group));
  }
  for (const std::string& url : rule.non_resource_urls) what.push_back(url);
  std::string out = fmt::format("{} on {}", fmt::join(rule.verbs, ", "), fmt::join(what, ", "));
  if (!rule.resource_names.empty())
    out += fmt::format(" named {}", fmt::join(rule.resource_names, ", "));
  return out;
}

}  // namespace strake::auth
