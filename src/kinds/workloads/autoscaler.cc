// HorizontalPodAutoscalers of autoscaling/v2 and v1.
#include <fmt/format.h>

#include <initializer_list>

#include "kinds/columns.h"
#include "kinds/derive.h"
#include "kinds/fields.h"
#include "kinds/workloads/autoscaler_checks.h"
#include "kinds/workloads/autoscaler_forms.h"
#include "kinds/workloads/autoscaler_targets.h"
#include "kinds/workloads/pod_templates.h"
#include "kinds/workloads/workload_checks.h"
#include "kinds/workloads/workload_strategy.h"

namespace strake::kinds {
namespace {

using value::FieldErrors;
using value::Value;

constexpr std::string_view kType = "io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler";

std::vector<Column> autoscaler_columns() {
  return {name_column(),
          text_column("Reference", "What is scaled."),
          text_column("Targets", "What the metrics are, of what they should be."),
          text_column("MinPods", "The smallest number of pods."),
          text_column("MaxPods", "The largest number of pods."),
          text_column("Replicas", "How many pods there are."),
          age_column()};
}

// --- defaults

void set_if_missing(Value& holder, std::string_view key, Value v, Arena& arena) {
  if (member(holder, key) == nullptr) holder.set(key, v, arena);
}

struct Policy {
  std::string_view type;
  std::int64_t value;
};

void default_rules(Value& rules, std::initializer_list<Policy> policies, Arena& arena) {
  constexpr std::int64_t kPeriodSeconds = 15;
  set_if_missing(rules, "selectPolicy", Value::string("Max"), arena);
  if (member(rules, "policies") != nullptr) return;
  Value list = Value::array({});
  for (const Policy& policy : policies) {
    Value one = Value::object({});
    one.set("periodSeconds", Value::integer(kPeriodSeconds), arena);
    one.set("type", Value::string(policy.type), arena);
    one.set("value", Value::integer(policy.value), arena);
    list.append(one, arena);
  }
  rules.set("policies", list, arena);
}

void default_behavior(Value& spec, Arena& arena) {
  if (member(spec, "behavior") == nullptr) return;
  Value& behavior = spec.object_at("behavior", arena);
  Value& up = behavior.object_at("scaleUp", arena);
  set_if_missing(up, "stabilizationWindowSeconds", Value::integer(0), arena);
  default_rules(up, {{"Pods", 4}, {"Percent", 100}}, arena);
  default_rules(behavior.object_at("scaleDown", arena), {{"Percent", 100}}, arena);
}

void default_metrics(Value& spec, Arena& arena) {
  if (!items(spec, "metrics").empty()) return;
  Value target = Value::object({});
  target.set("averageUtilization", Value::integer(80), arena);
  target.set("type", Value::string("Utilization"), arena);
  Value source = Value::object({});
  source.set("name", Value::string("cpu"), arena);
  source.set("target", target, arena);
  Value metric = Value::object({});
  metric.set("resource", source, arena);
  metric.set("type", Value::string("Resource"), arena);
  Value metrics = Value::array({});
  metrics.append(metric, arena);
  spec.set("metrics", metrics, arena);
}

// --- autoscaling/v2

class AutoscalerStrategy final : public BuiltinStrategy {
 public:
  AutoscalerStrategy() : BuiltinStrategy(kType, autoscaler_shape()) {
    set_columns(autoscaler_columns());
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    drop_autoscaler_notes(object);
    Value& spec = object.object_at("spec", arena);
    set_if_missing(spec, "minReplicas", Value::integer(1), arena);
    default_metrics(spec, arena);
    default_behavior(spec, arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    object.set("status", value::deep_copy(zero()->get("status"), arena), arena);
  }

  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    keep_member(object, old, "status", arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return check_autoscaler(object, nullptr);
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    return check_autoscaler(object, &old);
  }

  FieldErrors validate_status(const Value& object, const Value&,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_not_negative(object.get("status"), {"currentReplicas", "desiredReplicas"},
                       FieldPath() / "status", errors);
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value& spec = object.get("spec");
    const Value& target = spec.get("scaleTargetRef");
    const Value* least = member(spec, "minReplicas");
    out = {name_cell(object),
           text_cell(fmt::format("{}/{}", text_of(target, "kind"), text_of(target, "name")), arena),
           text_cell(autoscaler_targets(object), arena),
           least != nullptr ? text_cell(fmt::format("{}", least->as_int()), arena)
                            : Value::string("<unset>"),
           number_cell(spec, "maxReplicas"),
           number_cell(object.get("status"), "currentReplicas"),
           age_cell(object, now, arena)};
  }
};

// --- autoscaling/v1

// All is done in the form of v2.
class OldAutoscalerStrategy final : public BuiltinStrategy {
 public:
  OldAutoscalerStrategy() : BuiltinStrategy("io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler") {
    set_columns(autoscaler_columns());
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    set_if_missing(object.object_at("spec", arena), "minReplicas", Value::integer(1), arena);
    // What the annotations say, or nobody, shows in the fields.
    autoscaler_to_v2(object, arena);
    autoscaler_from_v2(object, arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest& request) const override {
    autoscaler_to_v2(object, arena);
    autoscaler_strategy().prepare_create(object, arena, request);
    autoscaler_from_v2(object, arena);
  }

  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    autoscaler_to_v2(object, arena);
    autoscaler_strategy().prepare_update(object, as_v2(old, arena), arena, request);
    autoscaler_from_v2(object, arena);
  }

  void prepare_status(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    autoscaler_to_v2(object, arena);
    autoscaler_strategy().prepare_status(object, as_v2(old, arena), arena, request);
    autoscaler_from_v2(object, arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest& request) const override {
    Arena arena;
    return autoscaler_strategy().validate_create(as_v2(object, arena), request);
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    Arena arena;
    const Value now = as_v2(object, arena);
    return autoscaler_strategy().validate_update(now, as_v2(old, arena), request);
  }

  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    Arena arena;
    const Value now = as_v2(object, arena);
    return autoscaler_strategy().validate_status(now, as_v2(old, arena), request);
  }

  // As it is read again.
  void after_accept(Value& object, Arena& arena) const override {
    to_stored(object, arena);
    from_stored(object, arena);
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    autoscaler_strategy().cells(as_v2(object, arena), now, out, arena);
  }

  void to_stored(Value& object, Arena& arena) const override {
    autoscaler_to_v2(object, arena);
    autoscaler_strategy().apply_defaults(object, arena);
  }
  void from_stored(Value& object, Arena& arena) const override {
    autoscaler_from_v2(object, arena);
  }

 private:
  static Value as_v2(const Value& object, Arena& arena) {
    Value copy = value::deep_copy(object, arena);
    autoscaler_to_v2(copy, arena);
    return copy;
  }
};

}  // namespace

const BuiltinStrategy& autoscaler_strategy() {
  static const AutoscalerStrategy& strategy = *new AutoscalerStrategy();
  return strategy;
}

const BuiltinStrategy& old_autoscaler_strategy() {
  static const OldAutoscalerStrategy& strategy = *new OldAutoscalerStrategy();
  return strategy;
}

}  // namespace strake::kinds
