#include "kinds/pods/check_restart_rules.h"

#include "kinds/fields.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

namespace {

constexpr std::string_view kRestartPolicy = "restartPolicy";
constexpr std::string_view kRestartRules = "restartPolicyRules";

void refuse_rules_alone(const FieldPath& at, FieldErrors& errors) {
  errors.push_back(FieldError::required(at / kRestartPolicy,
                                        "must specify restartPolicy when restart rules are used"));
}

void check_list_length(std::size_t count, std::size_t most, const FieldPath& at,
                       FieldErrors& errors) {
  if (count <= most) return;
  errors.push_back(
      FieldError::too_many(at, static_cast<std::int64_t>(count), static_cast<std::int64_t>(most)));
}

void check_restart_rule(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  constexpr std::size_t kMostCodes = 255;
  check_choice(value::text_of(rule, "action"), {"Restart", "RestartAllContainers"}, at / "action",
               errors);
  const Value* codes = member(rule, "exitCodes");
  if (codes == nullptr)
    return errors.push_back(FieldError::required(at / "exitCodes", "must be specified"));
  const FieldPath here = at / "exitCodes";
  check_choice(value::text_of(*codes, "operator"), {"In", "NotIn"}, here / "operator", errors);
  check_list_length(items(*codes, "values").size(), kMostCodes, here / "values", errors);
}

}  // namespace

void check_restart_rules(const Value& container, const FieldPath& at, FieldErrors& errors) {
  constexpr std::size_t kMostRules = 20;
  const auto rules = items(container, kRestartRules);
  if (member(container, kRestartPolicy) != nullptr) {
    check_choice(value::text_of(container, kRestartPolicy), {"Always", "Never", "OnFailure"},
                 at / kRestartPolicy, errors);
  } else if (!rules.empty()) {
    refuse_rules_alone(at, errors);
  }
  check_list_length(rules.size(), kMostRules, at / kRestartRules, errors);
  for (std::size_t i = 0; i < rules.size(); ++i)
    check_restart_rule(rules[i], at / kRestartRules / i, errors);
}

void check_init_restart_rules(const Value& container, const FieldPath& at, FieldErrors& errors) {
  if (member(container, kRestartPolicy) != nullptr)
    return check_restart_rules(container, at, errors);
  if (!items(container, kRestartRules).empty()) refuse_rules_alone(at, errors);
}

// kube-apiserver 1.36 names the list for most faults, and the policy only when it repeats.
void check_resize_policy(const Value& container, const PodScope& pod, const FieldPath& at,
                         FieldErrors& errors) {
  std::unordered_set<std::string_view> resources;
  const auto policies = items(container, "resizePolicy");
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const std::string_view resource = value::text_of(policies[i], "resourceName");
    const std::string_view policy = value::text_of(policies[i], kRestartPolicy);
    if (!resources.insert(resource).second)
      errors.push_back(FieldError::duplicate(at / i, Value::string(resource)));
    if (resource.empty()) {
      errors.push_back(FieldError::required(at));
    } else {
      check_choice(resource, {"cpu", "memory"}, at, errors);
    }
    if (policy.empty()) {
      errors.push_back(FieldError::required(at));
    } else {
      check_choice(policy, {"NotRequired", "RestartContainer"}, at, errors);
    }
    if (pod.restart_policy == "Never" && policy != "NotRequired") {
      add_invalid_as_json(at, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'",
                          errors);
    }
  }
}

}  // namespace strake::kinds
