#include "kinds/admission_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/trim.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "meta/names.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::int64_t kMaxMatchConditions = 64;

bool has_wildcard(std::span<const Value> texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const Value& one) { return one.as_string() == "*"; });
}

// The list must not be empty, and '*' must stand alone.
void check_wildcard_list(const Value& rule, std::string_view key, std::string_view what,
                         const FieldPath& at, FieldErrors& errors) {
  const auto texts = items(rule, key);
  if (texts.empty()) errors.push_back(FieldError::required(at / key));
  if (texts.size() > 1 && has_wildcard(texts)) {
    errors.push_back(
        FieldError::invalid(at / key, rule.get(key),
                            fmt::format("if '*' is present, must not specify other {}", what)));
  }
}

// x, x/y, x/*, */y, * and */*: what one of them covers must not be named again.
class ResourceCheck {
 public:
  ResourceCheck(const FieldPath& at, FieldErrors& errors) : at_(at), errors_(errors) {}

  void run(const Value& rule) {
    const auto resources = items(rule, "resources");
    if (resources.empty()) errors_.push_back(FieldError::required(at_));
    for (std::size_t i = 0; i < resources.size(); ++i) check_one(resources[i].as_string(), i);
    if (resources.size() > 1 && double_wildcard_) {
      errors_.push_back(FieldError::invalid(
          at_, rule.get("resources"), "if '*/*' is present, must not specify other resources"));
    }
    if (single_wildcard_ && plain_) {
      errors_.push_back(FieldError::invalid(at_, rule.get("resources"),
                                            "if '*' is present, must not specify other resources "
                                            "without subresources"));
    }
  }

 private:
  void check_one(std::string_view text, std::size_t i) {
    if (text.empty()) {
      errors_.push_back(FieldError::required(at_ / i));
      return;
    }
    if (text == "*/*") double_wildcard_ = true;
    if (text == "*") single_wildcard_ = true;
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
      // The last one without a subresource decides, as in kube-apiserver 1.36.
      plain_ = text != "*";
      return;
    }
    const std::string_view resource = text.substr(0, slash);
    const std::string_view sub = text.substr(slash + 1);
    const auto refuse = [&](std::string covering) {
      errors_.push_back(FieldError::invalid(
          at_ / i, Value::string(text),
          fmt::format("if '{}' is present, must not specify {}", covering, text)));
    };
    if (with_any_sub_.contains(resource)) refuse(fmt::format("{}/*", resource));
    if (of_any_resource_.contains(sub)) refuse(fmt::format("*/{}", sub));
    if (sub == "*") with_any_sub_.insert(resource);
    if (resource == "*") of_any_resource_.insert(sub);
  }

  const FieldPath& at_;
  FieldErrors& errors_;
  std::set<std::string_view> with_any_sub_;
  std::set<std::string_view> of_any_resource_;
  bool double_wildcard_ = false;
  bool single_wildcard_ = false;
  bool plain_ = false;
};

void check_rule(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  check_wildcard_list(rule, "operations", "operations", at, errors);
  const auto operations = items(rule, "operations");
  for (std::size_t i = 0; i < operations.size(); ++i) {
    check_text_is_one_of(operations[i].as_string(), {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"},
                         at / "operations" / i, errors);
  }
  check_wildcard_list(rule, "apiGroups", "API groups", at, errors);
  check_wildcard_list(rule, "apiVersions", "API versions", at, errors);
  const auto versions = items(rule, "apiVersions");
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (versions[i].as_string().empty())
      errors.push_back(FieldError::required(at / "apiVersions" / i));
  }
  ResourceCheck(at / "resources", errors).run(rule);
  check_one_of(rule, "scope", {"*", "Cluster", "Namespaced"}, at, errors);
}

void check_resource_names(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  std::set<std::string_view> seen;
  const auto names = items(rule, "resourceNames");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i].as_string();
    add_messages(meta::check_path_segment_name(name), name, at / "resourceNames" / i, errors);
    if (!seen.insert(name).second)
      errors.push_back(FieldError::duplicate(at / "resourceNames" / i, names[i]));
  }
}

void check_required_selector(const Value& holder, std::string_view key, const FieldPath& at,
                             FieldErrors& errors) {
  if (const Value* selector = member(holder, key)) {
    check_label_selector(*selector, {}, at / key, errors);
  } else {
    errors.push_back(FieldError::required(at / key));
  }
}

}  // namespace

bool is_blank(std::string_view text) { return trim(text).empty(); }

void default_rules(Value& holder, std::string_view key, Arena& arena) {
  Value* rules = holder.find(key);
  if (rules == nullptr || !rules->is_array()) return;
  for (Value& rule : rules->mutable_items()) {
    if (rule.is_object() && rule.find("scope") == nullptr)
      rule.set("scope", Value::string("*"), arena);
  }
}

void check_rules_with_operations(const Value& holder, std::string_view key, const FieldPath& at,
                                 FieldErrors& errors) {
  const auto rules = items(holder, key);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    check_resource_names(rules[i], at / key / i, errors);
    check_rule(rules[i], at / key / i, errors);
  }
}

void default_match(Value& holder, Arena& arena) {
  const auto fill = [&](std::string_view key, Value v) {
    if (member(holder, key) == nullptr) holder.set(key, v, arena);
  };
  fill("matchPolicy", Value::string("Equivalent"));
  fill("namespaceSelector", Value::object({}));
  fill("objectSelector", Value::object({}));
}

void default_match_resources(Value& resources, Arena& arena) {
  default_match(resources, arena);
  default_rules(resources, "resourceRules", arena);
  default_rules(resources, "excludeResourceRules", arena);
}

void check_match_resources(const Value& resources, const FieldPath& at, FieldErrors& errors) {
  if (member(resources, "matchPolicy") == nullptr)
    errors.push_back(FieldError::required(at / "matchPolicy"));
  check_one_of(resources, "matchPolicy", {"Equivalent", "Exact"}, at, errors);
  check_required_selector(resources, "namespaceSelector", at, errors);
  check_required_selector(resources, "objectSelector", at, errors);
  check_rules_with_operations(resources, "resourceRules", at, errors);
  check_rules_with_operations(resources, "excludeResourceRules", at, errors);
}

void check_match_conditions(std::span<const Value> conditions, const FieldPath& at,
                            FieldErrors& errors) {
  const auto count = static_cast<std::int64_t>(conditions.size());
  if (count > kMaxMatchConditions)
    errors.push_back(FieldError::too_many(at, count, kMaxMatchConditions));
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (is_blank(text_of(conditions[i], "expression")))
      errors.push_back(FieldError::required(at / i / "expression"));
    const std::string_view name = text_of(conditions[i], "name");
    if (name.empty()) {
      errors.push_back(FieldError::required(at / i / "name"));
      continue;
    }
    add_messages(meta::check_qualified_name(name), name, at / i / "name", errors);
    if (!seen.insert(name).second)
      errors.push_back(FieldError::duplicate(at / i / "name", Value::string(name)));
  }
}

std::vector<std::string> reserved_name_warnings(const Value& object) {
  constexpr std::string_view kSuffix = ".static.k8s.io";
  if (!meta::ObjectMeta::of(object).name().ends_with(kSuffix)) return {};
  return {
      fmt::format("metadata.name: names ending with \"{}\" are reserved for static "
                  "manifest-based configurations and cannot be managed via the API",
                  kSuffix)};
}

}  // namespace strake::kinds
