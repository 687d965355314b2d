#include <fmt/format.h>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/workloads/pod_templates.h"
#include "kinds/workloads/selectors.h"
#include "kinds/workloads/workload_checks.h"
#include "kinds/workloads/workload_strategy.h"
#include "meta/names.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// As messages show it: with Go's field names, none left out.
std::string show_spec(const Value& spec) {
  const auto shown = [&](std::string_view key) { return value::to_json(spec.get(key)); };
  return fmt::format(
      R"({{"MinAvailable":{},"Selector":{},"MaxUnavailable":{},"UnhealthyPodEvictionPolicy":{}}})",
      shown("minAvailable"), show_label_selector(member(spec, "selector")), shown("maxUnavailable"),
      shown("unhealthyPodEvictionPolicy"));
}

// Whether the selector has a fault of any kind: then it may keep values that are no labels.
bool has_bad_selector(const Value& spec) {
  FieldErrors errors;
  if (const Value* selector = member(spec, "selector"))
    check_label_selector(*selector, {}, FieldPath(), errors);
  return !errors.empty();
}

FieldErrors check_spec(const Value& spec, bool allow_invalid_values, const FieldPath& at) {
  FieldErrors errors;
  if (member(spec, "minAvailable") != nullptr && member(spec, "maxUnavailable") != nullptr) {
    errors.push_back(
        invalid_shown(at, show_spec(spec), "minAvailable and maxUnavailable cannot be both set"));
  }
  for (const std::string_view key : {"minAvailable", "maxUnavailable"}) {
    check_int_or_percent(member(spec, key), at / key, errors);
    check_at_most_100_percent(member(spec, key), at / key, errors);
  }
  if (const Value* selector = member(spec, "selector")) {
    check_label_selector(*selector, {.allow_invalid_values = allow_invalid_values}, at / "selector",
                         errors);
  }
  check_one_of(spec, "unhealthyPodEvictionPolicy", {"AlwaysAllow", "IfHealthyBudget"}, at, errors);
  return errors;
}

Value amount_cell(const Value& spec, std::string_view key, Arena& arena) {
  const Value* amount = member(spec, key);
  if (amount == nullptr) return Value::string("N/A");
  return amount->is_string() ? text_cell(amount->as_string(), arena)
                             : text_cell(fmt::format("{}", amount->as_int()), arena);
}

class PodDisruptionBudgetStrategy final : public WorkloadStrategy {
 public:
  PodDisruptionBudgetStrategy() : WorkloadStrategy("io.k8s.api.policy.v1.PodDisruptionBudget") {
    set_columns({name_column(), text_column("Min Available", "How many pods must be available."),
                 text_column("Max Unavailable", "How many pods may be unavailable."),
                 number_column("Allowed Disruptions", "How many pods may be disrupted now."),
                 age_column()});
  }

  // kube-apiserver 1.36 only asks that it fits into a path.
  meta::Messages check_name(std::string_view name, bool prefix) const override {
    return meta::name_is_path_segment(name, prefix);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return check_spec(object.get("spec"), false, at_spec());
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    return check_spec(object.get("spec"), has_bad_selector(old.get("spec")), at_spec());
  }

  FieldErrors validate_status(const Value& object, const Value&,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const Value& status = object.get("status");
    check_conditions(items(status, "conditions"), at_status() / "conditions", errors);
    check_not_negative(status,
                       {"disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"},
                       at_status(), errors);
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value& spec = object.get("spec");
    out = {name_cell(object), amount_cell(spec, "minAvailable", arena),
           amount_cell(spec, "maxUnavailable", arena),
           number_cell(object.get("status"), "disruptionsAllowed"), age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& pod_disruption_budget_strategy() {
  static const PodDisruptionBudgetStrategy& strategy = *new PodDisruptionBudgetStrategy();
  return strategy;
}

}  // namespace strake::kinds
