#include "kinds/workloads/job_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/workloads/job_indexes.h"
#include "kinds/workloads/job_spec.h"
#include "kinds/workloads/workload_checks.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::size_t kMostRules = 20;

// The member is required, and must be one of these.
void check_required_one_of(const Value& holder, std::string_view key,
                           std::initializer_list<std::string_view> supported, const FieldPath& at,
                           FieldErrors& errors) {
  const std::string_view text = text_of(holder, key);
  if (!text.empty()) return check_text_is_one_of(text, supported, at / key, errors);
  std::string all;
  for (const std::string_view one : supported)
    all += fmt::format("{}\"{}\"", all.empty() ? "" : " ", one);
  errors.push_back(FieldError::required(at / key, fmt::format("valid values: [{}]", all)));
}

void check_too_many(std::size_t count, std::size_t most, const FieldPath& at, FieldErrors& errors) {
  if (count > most) {
    errors.push_back(FieldError::too_many(at, static_cast<std::int64_t>(count),
                                          static_cast<std::int64_t>(most)));
  }
}

// Checks spec.podFailurePolicy of one job.
class FailurePolicyCheck {
 public:
  FailurePolicyCheck(const Value& spec, FieldErrors& errors) : spec_(spec), errors_(errors) {
    const Value& pod = spec.get("template").get("spec");
    for (const std::string_view key : {"containers", "initContainers"}) {
      for (const Value& container : items(pod, key)) containers_.insert(text_of(container, "name"));
    }
  }

  void run(const Value& policy, const FieldPath& at) {
    const auto rules = items(policy, "rules");
    check_too_many(rules.size(), kMostRules, at / "rules", errors_);
    for (std::size_t i = 0; i < rules.size(); ++i) check_rule(rules[i], at / "rules" / i);
  }

 private:
  void check_rule(const Value& rule, const FieldPath& at) {
    check_action(rule, at);
    const Value* codes = member(rule, "onExitCodes");
    const auto conditions = items(rule, "onPodConditions");
    if (codes != nullptr) check_codes(*codes, at / "onExitCodes");
    check_conditions(conditions, at / "onPodConditions");
    if (codes != nullptr && !conditions.empty()) {
      errors_.push_back(
          invalid_unshown(at, "specifying both OnExitCodes and OnPodConditions is not supported"));
    } else if (codes == nullptr && conditions.empty()) {
      errors_.push_back(
          invalid_unshown(at, "specifying one of OnExitCodes and OnPodConditions is required"));
    }
  }

  void check_action(const Value& rule, const FieldPath& at) {
    const std::string_view action = text_of(rule, "action");
    if (action == "FailIndex") {
      if (member(spec_, "backoffLimitPerIndex") != nullptr) return;
      errors_.push_back(FieldError::invalid(at / "action", Value::string(action),
                                            "requires the backoffLimitPerIndex to be set"));
      return;
    }
    check_required_one_of(rule, "action", {"Count", "FailIndex", "FailJob", "Ignore"}, at, errors_);
  }

  void check_conditions(std::span<const Value> conditions, const FieldPath& at) {
    check_too_many(conditions.size(), kMostRules, at, errors_);
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      const std::string_view type = text_of(conditions[i], "type");
      add_messages(meta::check_qualified_name(type), type, at / i / "type", errors_);
      check_required_one_of(conditions[i], "status", {"False", "True", "Unknown"}, at / i, errors_);
    }
  }

  void check_codes(const Value& codes, const FieldPath& at) {
    constexpr std::size_t kMostCodes = 255;
    check_required_one_of(codes, "operator", {"In", "NotIn"}, at, errors_);
    if (const Value* name = member(codes, "containerName");
        name != nullptr && !containers_.contains(value::text_of(*name))) {
      errors_.push_back(FieldError::invalid(
          at / "containerName", *name,
          "must be one of the container or initContainer names in the pod template"));
    }
    const Value& values = codes.get("values");
    const FieldPath at_values = at / "values";
    if (values.items().empty())
      errors_.push_back(FieldError::invalid(at_values, values, "at least one value is required"));
    check_too_many(values.items().size(), kMostCodes, at_values, errors_);
    check_each_code(values.items(), text_of(codes, "operator") == "In", at_values);
    const auto falls = [](const Value& a, const Value& b) { return a.as_int() > b.as_int(); };
    if (std::ranges::adjacent_find(values.items(), falls) != values.items().end())
      errors_.push_back(FieldError::invalid(at_values, values, "must be ordered"));
  }

  void check_each_code(std::span<const Value> codes, bool in, const FieldPath& at) {
    std::unordered_set<std::int64_t> seen;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (in && codes[i].as_int() == 0) {
        errors_.push_back(
            FieldError::invalid(at / i, codes[i], "must not be 0 for the In operator"));
      }
      if (!seen.insert(codes[i].as_int()).second)
        errors_.push_back(FieldError::duplicate(at / i, codes[i]));
    }
  }

  const Value& spec_;
  FieldErrors& errors_;
  std::unordered_set<std::string_view> containers_;
};

// How many indexes of the job have to succeed; 0 when they cannot be read.
std::int64_t check_succeeded_indexes(const Value& rule, std::int64_t completions,
                                     const FieldPath& at, FieldErrors& errors) {
  constexpr std::size_t kMostBytes = 64 * 1024;
  const Value* indexes = member(rule, "succeededIndexes");
  if (indexes == nullptr) return 0;
  if (indexes->size() > kMostBytes)
    errors.push_back(FieldError::too_long(at / "succeededIndexes", kMostBytes));
  const auto count = count_indexes(value::text_of(*indexes), completions);
  if (count) return *count;
  errors.push_back(FieldError::invalid(
      at / "succeededIndexes", *indexes,
      fmt::format("error parsing succeededIndexes: {}", count.error().message())));
  return 0;
}

void check_success_rule(const Value& rule, std::int64_t completions, const FieldPath& at,
                        FieldErrors& errors) {
  const bool has_indexes = member(rule, "succeededIndexes") != nullptr;
  const Value* count = member(rule, "succeededCount");
  if (count == nullptr && !has_indexes) {
    errors.push_back(FieldError::required(
        at, "at least one of succeededCount or succeededIndexes must be specified"));
  }
  const std::int64_t indexes = check_succeeded_indexes(rule, completions, at, errors);
  if (count == nullptr) return;
  check_not_negative(rule, {"succeededCount"}, at, errors);
  const auto at_most = [&](std::int64_t most, std::string_view what) {
    if (count->as_int() <= most) return;
    errors.push_back(FieldError::invalid(
        at / "succeededCount", *count,
        fmt::format("must be less than or equal to {} (the number of {})", most, what)));
  };
  at_most(completions, "specified completions");
  if (has_indexes) at_most(indexes, "indexes in the specified succeededIndexes field");
}

}  // namespace

void check_failure_policy(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  if (const Value* policy = member(spec, "podFailurePolicy"))
    FailurePolicyCheck(spec, errors).run(*policy, at / "podFailurePolicy");
}

void check_success_policy(const Value& spec, const FieldPath& at_spec, FieldErrors& errors) {
  const Value* policy = member(spec, "successPolicy");
  if (policy == nullptr) return;
  const FieldPath at = at_spec / "successPolicy";
  if (!is_indexed_job(spec)) {
    errors.push_back(invalid_shown(
        at, show_go_struct(policy, described_type("io.k8s.api.batch.v1.SuccessPolicy")),
        "requires indexed completion mode"));
    return;
  }
  const auto rules = items(*policy, "rules");
  if (rules.empty()) {
    errors.push_back(FieldError::required(
        at / "rules", "at least one rules must be specified when the successPolicy is specified"));
  }
  check_too_many(rules.size(), kMostRules, at / "rules", errors);
  const std::int64_t completions = integer(spec, "completions");
  for (std::size_t i = 0; i < rules.size(); ++i)
    check_success_rule(rules[i], completions, at / "rules" / i, errors);
}

}  // namespace strake::kinds
