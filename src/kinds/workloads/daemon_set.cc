#include <fmt/format.h>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/workloads/integers.h"
#include "kinds/workloads/pod_templates.h"
#include "kinds/workloads/selectors.h"
#include "kinds/workloads/workload_checks.h"
#include "kinds/workloads/workload_strategy.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using meta::ObjectMeta;
using value::FieldError;
using value::FieldErrors;
using value::Value;

// How often the template has changed. kube-apiserver 1.36 keeps it where older versions had it in
// the spec.
constexpr std::string_view kTemplateGeneration = "deprecated.daemonset.template.generation";

// Text that is no number counts as none.
std::int64_t template_generation(const Value& object) {
  const ReadNumber read = read_number(ObjectMeta::of(object).annotation(kTemplateGeneration));
  return read.ok() ? read.value : 0;
}

void set_template_generation(Value& object, std::int64_t generation, Arena& arena) {
  object.object_at("metadata", arena)
      .object_at("annotations", arena)
      .set(kTemplateGeneration, Value::string(arena.copy(fmt::format("{}", generation))), arena);
}

void check_rolling_update(const Value& rolling, const FieldPath& at, FieldErrors& errors) {
  const Value* unavailable = member(rolling, "maxUnavailable");
  const Value* surge = member(rolling, "maxSurge");
  for (const auto& [amount, key] :
       {std::pair(unavailable, "maxUnavailable"), {surge, "maxSurge"}}) {
    check_int_or_percent(amount, at / key, errors);
    check_at_most_100_percent(amount, at / key, errors);
  }
  const bool has_unavailable = number_of(unavailable) != 0;
  const bool has_surge = number_of(surge) != 0;
  if (has_unavailable && has_surge) {
    errors.push_back(FieldError::invalid(at / "maxSurge", *surge,
                                         "may not be set when maxUnavailable is non-zero"));
  } else if (!has_unavailable && !has_surge) {
    errors.push_back(FieldError::required(at / "maxUnavailable", "cannot be 0 when maxSurge is 0"));
  }
}

void check_update_strategy(const Value& spec, const FieldPath& at_spec, FieldErrors& errors) {
  const FieldPath at = at_spec / "updateStrategy";
  const Value& strategy = spec.get("updateStrategy");
  const std::string_view type = text_of(strategy, "type");
  if (type == "OnDelete") return;
  if (type != "RollingUpdate") {
    errors.push_back(not_supported_shown(
        at, show_go_struct(&strategy, described_type("io.k8s.api.apps.v1.DaemonSetUpdateStrategy")),
        {"RollingUpdate", "OnDelete"}));
    return;
  }
  if (const Value* rolling = member(strategy, "rollingUpdate"))
    check_rolling_update(*rolling, at / "rollingUpdate", errors);
}

class DaemonSetStrategy final : public WorkloadStrategy {
 public:
  DaemonSetStrategy() : WorkloadStrategy("io.k8s.api.apps.v1.DaemonSet") {
    std::vector<Column> columns = {
        name_column(),
        number_column("Desired", "How many nodes should run the pod."),
        number_column("Current", "How many nodes run it that should."),
        number_column("Ready", "How many nodes run it and it is ready."),
        number_column("Up-to-date", "How many nodes run it from the present template."),
        number_column("Available", "How many nodes run it and it has been ready for long enough."),
        text_column("Node Selector", "Which nodes are meant."),
        age_column()};
    add_container_columns(columns);
    columns.push_back(selector_column());
    set_columns(std::move(columns));
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = editable_spec(object, arena);
    default_template(spec, arena);
    default_update_strategy(spec.object_at("updateStrategy", arena), arena);
    set_default(spec, "revisionHistoryLimit", Value::integer(10), arena);
    set_template_generation(object, template_generation(object), arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest& request) const override {
    WorkloadStrategy::prepare_create(object, arena, request);
    if (template_generation(object) < 1) set_template_generation(object, 1, arena);
  }

  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    WorkloadStrategy::prepare_update(object, old, arena, request);
    const std::int64_t change = same_template(object, old) ? 0 : 1;
    set_template_generation(object, template_generation(old) + change, arena);
  }

  void prepare_status(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    WorkloadStrategy::prepare_status(object, old, arena, request);
    set_template_generation(object, template_generation(old), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return check(object.get("spec"), nullptr);
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors = check(object.get("spec"), &old.get("spec"));
    check_selector_unchanged(object.get("spec"), old.get("spec"), at_spec(), errors);
    return errors;
  }

  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const Value& status = object.get("status");
    check_not_negative(
        status,
        {"currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady",
         "observedGeneration", "updatedNumberScheduled", "numberAvailable", "numberUnavailable"},
        at_status(), errors);
    check_collision_count(status, old.get("status"), at_status(), errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    std::vector<std::string> out;
    if (old == nullptr || !same_template(object, *old)) {
      add_template_warnings(object.get("spec"), old != nullptr ? &old->get("spec") : nullptr,
                            at_spec(), out);
    }
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value& spec = object.get("spec");
    const Value& status = object.get("status");
    out = {name_cell(object)};
    for (const std::string_view key : {"desiredNumberScheduled", "currentNumberScheduled",
                                       "numberReady", "updatedNumberScheduled", "numberAvailable"})
      out.push_back(number_cell(status, key));
    const std::string nodes =
        labels_text(members(spec.get("template").get("spec"), "nodeSelector"));
    out.push_back(text_cell(nodes.empty() ? "<none>" : nodes, arena));
    out.push_back(age_cell(object, now, arena));
    add_container_cells(spec.get("template"), out, arena);
    out.push_back(selector_cell(spec, arena));
  }

 private:
  static FieldErrors check(const Value& spec, const Value* old_spec) {
    FieldErrors errors;
    const FieldPath& at = at_spec();
    if (const Value* selector = member(spec, "selector")) {
      const Value* before = old_spec != nullptr ? member(*old_spec, "selector") : nullptr;
      check_label_selector(
          *selector,
          {.allow_invalid_values = before != nullptr && has_invalid_label_value(*before)},
          at / "selector", errors);
      if (is_empty_selector(*selector)) {
        errors.push_back(invalid_shown(at / "selector", show_label_selector(selector),
                                       "empty selector is invalid for daemonset"));
      }
    }
    check_template_is_selected(spec, at, errors);
    check_running_template(spec, old_spec, "DaemonSet", at, errors);
    check_not_negative(spec, {"minReadySeconds", "revisionHistoryLimit"}, at, errors);
    check_update_strategy(spec, at, errors);
    return errors;
  }

  static void default_update_strategy(Value& strategy, Arena& arena) {
    set_default_text(strategy, "type", "RollingUpdate", arena);
    const bool applies = text_of(strategy, "type") == "RollingUpdate";
    if (!applies && member(strategy, "rollingUpdate") == nullptr) return;
    Value& rolling = strategy.object_at("rollingUpdate", arena);
    set_default(rolling, "maxUnavailable", Value::integer(applies ? 1 : 0), arena);
    set_default(rolling, "maxSurge", Value::integer(0), arena);
  }

  static bool same_template(const Value& object, const Value& old) {
    return same_member(object.get("spec"), old.get("spec"), "template");
  }
};

}  // namespace

const BuiltinStrategy& daemon_set_strategy() {
  static const DaemonSetStrategy& strategy = *new DaemonSetStrategy();
  return strategy;
}

}  // namespace strake::kinds
