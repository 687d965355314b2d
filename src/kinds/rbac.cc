#include <fmt/format.h>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "meta/selectors.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kGroup = "rbac.authorization.k8s.io";
constexpr GoField kRoleRefGoFields[] = {
    {"apiGroup", "APIGroup"}, {"kind", "Kind"}, {"name", "Name"}};

enum class Scope : std::uint8_t { kNamespace, kCluster };

void check_rule(const Value& rule, Scope scope, const FieldPath& at, FieldErrors& errors) {
  if (items(rule, "verbs").empty()) {
    errors.push_back(FieldError::required(at / "verbs", "verbs must contain at least one value"));
  }
  if (!items(rule, "nonResourceURLs").empty()) {
    const Value& urls = rule.get("nonResourceURLs");
    const FieldPath field = at / "nonResourceURLs";
    if (scope == Scope::kNamespace) {
      errors.push_back(
          FieldError::invalid(field, urls, "namespaced rules cannot apply to non-resource URLs"));
    }
    if (!items(rule, "apiGroups").empty() || !items(rule, "resources").empty() ||
        !items(rule, "resourceNames").empty()) {
      errors.push_back(FieldError::invalid(
          field, urls, "rules cannot apply to both regular resources and non-resource URLs"));
    }
    return;
  }
  if (items(rule, "apiGroups").empty()) {
    errors.push_back(FieldError::required(at / "apiGroups",
                                          "resource rules must supply at least one api group"));
  }
  if (items(rule, "resources").empty()) {
    errors.push_back(
        FieldError::required(at / "resources", "resource rules must supply at least one resource"));
  }
}

void check_rules(const Value& role, Scope scope, FieldErrors& errors) {
  const auto rules = items(role, "rules");
  for (std::size_t i = 0; i < rules.size(); ++i)
    check_rule(rules[i], scope, FieldPath() / "rules" / i, errors);
}

// Roles and bindings may be called whatever fits into a path.
class RbacStrategy : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;
  meta::Messages check_name(std::string_view name, bool) const final {
    return meta::check_path_segment_name(name);
  }
};

class RoleStrategy final : public RbacStrategy {
 public:
  RoleStrategy() : RbacStrategy("io.k8s.api.rbac.v1.Role") {}
  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_rules(object, Scope::kNamespace, errors);
    return errors;
  }
};

class ClusterRoleStrategy final : public RbacStrategy {
 public:
  ClusterRoleStrategy() : RbacStrategy("io.k8s.api.rbac.v1.ClusterRole") {}
  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return check(object, {});
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    SelectorOptions options;
    if (const Value* rule = member(old, "aggregationRule")) {
      for (const Value& selector : items(*rule, "clusterRoleSelectors"))
        options.allow_invalid_values |= has_invalid_label_value(selector);
    }
    return check(object, options);
  }

 private:
  static FieldErrors check(const Value& object, const SelectorOptions& options) {
    FieldErrors errors;
    check_rules(object, Scope::kCluster, errors);
    const Value* rule = member(object, "aggregationRule");
    if (rule == nullptr) return errors;
    const FieldPath at = FieldPath() / "aggregationRule" / "clusterRoleSelectors";
    const auto selectors = items(*rule, "clusterRoleSelectors");
    if (selectors.empty()) {
      errors.push_back(FieldError::required(
          at, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
    }
    for (std::size_t i = 0; i < selectors.size(); ++i) {
      check_label_selector(selectors[i], options, at / i, errors);
      if (!meta::LabelSelector::from_value(&selectors[i])) {
        // What is shown is what could be made of it: nothing.
        errors.push_back(FieldError::invalid(at / i, Value(), "invalid label selector."));
      }
    }
    return errors;
  }
};

void check_subject(const Value& subject, Scope scope, const FieldPath& at, FieldErrors& errors) {
  const std::string_view name = text_of(subject, "name");
  const std::string_view group = text_of(subject, "apiGroup");
  const std::string_view kind = text_of(subject, "kind");
  if (name.empty()) errors.push_back(FieldError::required(at / "name"));
  if (kind == "ServiceAccount") {
    if (!name.empty())
      add_messages(meta::name_is_dns_subdomain(name, false), name, at / "name", errors);
    if (!group.empty()) errors.push_back(not_supported(at / "apiGroup", group, {""}));
    if (scope == Scope::kCluster && text_of(subject, "namespace").empty())
      errors.push_back(FieldError::required(at / "namespace"));
  } else if (kind == "User" || kind == "Group") {
    if (group != kGroup) errors.push_back(not_supported(at / "apiGroup", group, {kGroup}));
  } else {
    errors.push_back(not_supported(at / "kind", kind, {"ServiceAccount", "User", "Group"}));
  }
}

// Names of the subjects of one kind, as a table shows them.
std::string subjects_of(const Value& object, std::string_view kind) {
  std::string out;
  for (const Value& subject : items(object, "subjects")) {
    if (text_of(subject, "kind") != kind) continue;
    if (!out.empty()) out += ", ";
    if (kind == "ServiceAccount") out += fmt::format("{}/", text_of(subject, "namespace"));
    out += text_of(subject, "name");
  }
  return out;
}

class BindingStrategy final : public RbacStrategy {
 public:
  BindingStrategy(std::string_view type, Scope scope, std::string_view shown_as)
      : RbacStrategy(type), scope_(scope) {
    const auto wide = [&](std::string name) {
      std::string description = fmt::format("{} in the {}", name, shown_as);
      return Column{.name = std::move(name),
                    .type = "string",
                    .description = std::move(description),
                    .priority = 1};
    };
    set_columns({name_column(),
                 {.name = "Role", .type = "string", .description = "The role that is given."},
                 age_column(),
                 wide("Users"),
                 wide("Groups"),
                 wide("ServiceAccounts")});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    if (Value* role = object.find("roleRef");
        role != nullptr && role->is_object() && text_of(*role, "apiGroup").empty()) {
      role->set("apiGroup", Value::string(kGroup), arena);
    }
    Value* subjects = object.find("subjects");
    if (subjects == nullptr || !subjects->is_array()) return;
    for (Value& subject : subjects->mutable_items()) {
      const std::string_view kind = text_of(subject, "kind");
      if ((kind == "User" || kind == "Group") && text_of(subject, "apiGroup").empty())
        subject.set("apiGroup", Value::string(kGroup), arena);
    }
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const FieldPath at = FieldPath() / "roleRef";
    const Value* role = member(object, "roleRef");
    const std::string_view group = role != nullptr ? text_of(*role, "apiGroup") : "";
    const std::string_view kind = role != nullptr ? text_of(*role, "kind") : "";
    const std::string_view name = role != nullptr ? text_of(*role, "name") : "";
    if (group != kGroup) errors.push_back(not_supported(at / "apiGroup", group, {kGroup}));
    if (scope_ == Scope::kCluster) {
      if (kind != "ClusterRole")
        errors.push_back(not_supported(at / "kind", kind, {"ClusterRole"}));
    } else if (kind != "Role" && kind != "ClusterRole") {
      errors.push_back(not_supported(at / "kind", kind, {"Role", "ClusterRole"}));
    }
    if (name.empty()) {
      errors.push_back(FieldError::required(at / "name"));
    } else {
      add_messages(meta::check_path_segment_name(name), name, at / "name", errors);
    }
    const auto subjects = items(object, "subjects");
    for (std::size_t i = 0; i < subjects.size(); ++i)
      check_subject(subjects[i], scope_, FieldPath() / "subjects" / i, errors);
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors = validate_create(object, request);
    if (!same_member(object, old, "roleRef")) {
      errors.push_back({.type = FieldError::Type::kInvalid,
                        .path = FieldPath() / "roleRef",
                        .shown = show_go_struct(member(object, "roleRef"), kRoleRefGoFields),
                        .detail = "cannot change roleRef"});
    }
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const auto kept = [&](std::string_view s) { return Value::string(arena.copy(s)); };
    out = {name_cell(object),
           kept(fmt::format("{}/{}", text_of(object, {"roleRef", "kind"}),
                            text_of(object, {"roleRef", "name"}))),
           age_cell(object, now, arena),
           kept(subjects_of(object, "User")),
           kept(subjects_of(object, "Group")),
           kept(subjects_of(object, "ServiceAccount"))};
  }

 private:
  Scope scope_;
};

}  // namespace

const BuiltinStrategy& role_strategy() {
  static const RoleStrategy& strategy = *new RoleStrategy();
  return strategy;
}

const BuiltinStrategy& cluster_role_strategy() {
  static const ClusterRoleStrategy& strategy = *new ClusterRoleStrategy();
  return strategy;
}

const BuiltinStrategy& role_binding_strategy() {
  static const BindingStrategy& strategy =
      *new BindingStrategy("io.k8s.api.rbac.v1.RoleBinding", Scope::kNamespace, "roleBinding");
  return strategy;
}

const BuiltinStrategy& cluster_role_binding_strategy() {
  static const BindingStrategy& strategy = *new BindingStrategy(
      "io.k8s.api.rbac.v1.ClusterRoleBinding", Scope::kCluster, "clusterRoleBinding");
  return strategy;
}

}  // namespace strake::kinds
