#include "kinds/workloads/autoscaler_forms.h"

#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "kinds/derive.h"
#include "kinds/fields.h"
#include "kinds/workloads/autoscaler_notes.h"

namespace strake::kinds {
namespace {

using meta::Shape;
using meta::ShapeField;
using value::Value;

constexpr std::string_view kMetricsNote = "autoscaling.alpha.kubernetes.io/metrics";
constexpr std::string_view kCurrentMetricsNote = "autoscaling.alpha.kubernetes.io/current-metrics";
constexpr std::string_view kConditionsNote = "autoscaling.alpha.kubernetes.io/conditions";
constexpr std::string_view kBehaviorNote = "autoscaling.alpha.kubernetes.io/behavior";
constexpr std::string_view kNotes[] = {
    kMetricsNote,
    kCurrentMetricsNote,
    kConditionsNote,
    kBehaviorNote,
    "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
    "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
};

constexpr std::string_view kUtilization = "targetCPUUtilizationPercentage";
constexpr std::string_view kCurrentUtilization = "currentCPUUtilizationPercentage";

// The metric that v1 has a field for: how much of the CPU is used, in its spec or in its status.
bool is_cpu(const Value& metric) {
  return text_of(metric, "type") == "Resource" && text_of(metric, {"resource", "name"}) == "cpu";
}
const Value* cpu_utilization(const Value& metric, std::string_view holder) {
  return is_cpu(metric) ? member(metric, {"resource", holder, "averageUtilization"}) : nullptr;
}

Value cpu_metric(std::string_view holder, const Value& utilization, Arena& arena) {
  Value amounts = Value::object({});
  amounts.set("averageUtilization", utilization, arena);
  if (holder == "target") amounts.set("type", Value::string("Utilization"), arena);
  Value source = Value::object({});
  source.set("name", Value::string("cpu"), arena);
  source.set(holder, amounts, arena);
  Value metric = Value::object({});
  metric.set("type", Value::string("Resource"), arena);
  metric.set("resource", source, arena);
  return metric;
}

std::string_view note_of(const Value& object, std::string_view name) {
  return text_of(object, {"metadata", "annotations", name});
}

bool has_note(const Value& object, std::string_view name) {
  return member(object, {"metadata", "annotations", name}) != nullptr;
}

void add_note(Value& object, std::string_view name, const std::string& text, Arena& arena) {
  object.object_at("metadata", arena)
      .object_at("annotations", arena)
      .set(name, Value::string(arena.copy(text)), arena);
}

void spec_to_v2(Value& object, Arena& arena) {
  Value& spec = object.object_at("spec", arena);
  Value metrics = Value::array({});
  if (has_note(object, kMetricsNote)) {
    if (auto others = read_metrics_note(note_of(object, kMetricsNote), MetricPart::kSpec, arena))
      metrics = *others;
  }
  if (const Value* utilization = member(spec, kUtilization))
    metrics.append(cpu_metric("target", *utilization, arena), arena);
  if (metrics.size() == 0) {
    constexpr std::int64_t kDefaultUtilization = 80;
    metrics.append(cpu_metric("target", Value::integer(kDefaultUtilization), arena), arena);
  }
  spec.remove(kUtilization);
  spec.set("metrics", metrics, arena);
  if (!has_note(object, kBehaviorNote)) return;
  if (auto behavior = read_behavior_note(note_of(object, kBehaviorNote), arena))
    spec.set("behavior", *behavior, arena);
}

void status_to_v2(Value& object, Arena& arena) {
  Value& status = object.object_at("status", arena);
  if (const Value* utilization = member(status, kCurrentUtilization)) {
    Value metrics = Value::array({});
    metrics.append(cpu_metric("current", *utilization, arena), arena);
    status.set("currentMetrics", metrics, arena);
  }
  status.remove(kCurrentUtilization);
  // The note knows more than the field.
  if (has_note(object, kCurrentMetricsNote)) {
    if (auto metrics =
            read_metrics_note(note_of(object, kCurrentMetricsNote), MetricPart::kStatus, arena)) {
      status.set("currentMetrics", *metrics, arena);
    }
  }
  if (!has_note(object, kConditionsNote)) return;
  if (auto conditions = read_conditions_note(note_of(object, kConditionsNote), arena))
    status.set("conditions", *conditions, arena);
}

// Notes are made first: a new member of the object moves the others.
void spec_from_v2(Value& object, Arena& arena) {
  std::vector<Value> others;
  std::optional<Value> utilization;
  for (const Value& metric : items(object.get("spec"), "metrics")) {
    const Value* found = cpu_utilization(metric, "target");
    if (found == nullptr) {
      others.push_back(metric);
    } else if (!utilization) {
      utilization = *found;
    }
  }
  if (!others.empty())
    add_note(object, kMetricsNote, metrics_note(others, MetricPart::kSpec), arena);
  if (const Value* behavior = member(object.get("spec"), "behavior"))
    add_note(object, kBehaviorNote, behavior_note(*behavior), arena);
  Value& spec = object.object_at("spec", arena);
  if (utilization) spec.set(kUtilization, *utilization, arena);
  spec.remove("metrics");
  spec.remove("behavior");
}

void status_from_v2(Value& object, Arena& arena) {
  const auto metrics = items(object.get("status"), "currentMetrics");
  const auto conditions = items(object.get("status"), "conditions");
  std::optional<Value> utilization;
  for (const Value& metric : metrics) {
    if (const Value* found = cpu_utilization(metric, "current")) utilization = *found;
  }
  if (!metrics.empty())
    add_note(object, kCurrentMetricsNote, metrics_note(metrics, MetricPart::kStatus), arena);
  if (!conditions.empty()) add_note(object, kConditionsNote, conditions_note(conditions), arena);
  Value& status = object.object_at("status", arena);
  if (utilization) status.set(kCurrentUtilization, *utilization, arena);
  status.remove("currentMetrics");
  status.remove("conditions");
}

// The value was canonical in its other form, so that nothing in it can be refused.
void settle(Value& object, const Shape& shape, Arena& arena) {
  static_cast<void>(meta::read_shape(object, shape, arena));
}

// What shapes point to. They are constants, and so it is kept for good, where it is found.
struct KeptShapes {
  std::mutex mu;
  std::deque<Shape> shapes;                    // guarded by mu
  std::deque<std::vector<ShapeField>> fields;  // guarded by mu

  static KeptShapes& all() {
    static KeptShapes& kept = *new KeptShapes();
    return kept;
  }
};

const Shape& keep(Shape shape) {
  KeptShapes& kept = KeptShapes::all();
  const std::lock_guard lock(kept.mu);
  return kept.shapes.emplace_back(shape);
}

std::vector<ShapeField>& keep_fields(std::span<const ShapeField> fields) {
  KeptShapes& kept = KeptShapes::all();
  const std::lock_guard lock(kept.mu);
  return kept.fields.emplace_back(fields.begin(), fields.end());
}

// The shape with another one for a field of it.
Shape with_field(const Shape& shape, std::string_view name, const Shape& other,
                 ShapeField::Keep keep) {
  std::vector<ShapeField>& fields = keep_fields(shape.fields);
  for (ShapeField& field : fields) {
    if (field.name != name) continue;
    field.shape = &other;
    field.keep = keep;
  }
  Shape out = shape;
  out.fields = fields;
  return out;
}

// The same for a field that is reached through others.
const Shape& with_inner(const Shape& shape, std::string_view name, const Shape& other) {
  const ShapeField* field = shape.field(name);
  const ShapeField::Keep kept = field != nullptr ? field->keep : ShapeField::Keep::kNonEmpty;
  return keep(with_field(shape, name, other, kept));
}

const Shape& field_shape(const Shape& shape, std::string_view name) {
  const ShapeField* field = shape.field(name);
  return field != nullptr ? *field->shape : shape;
}

}  // namespace

const Shape& behavior_shape() {
  static const Shape& made = *[] {
    const Shape& behavior =
        shape_of(described_type("io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior"));
    const Shape& rules = field_shape(behavior, "scaleUp");
    const Shape& exact = keep(
        with_field(rules, "policies", field_shape(rules, "policies"), ShapeField::Keep::kPointer));
    return &with_inner(with_inner(behavior, "scaleUp", exact), "scaleDown", exact);
  }();
  return made;
}

const Shape& autoscaler_shape() {
  static const Shape& made = *[] {
    const Shape& whole =
        shape_of(described_type("io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler"));
    const Shape& spec = field_shape(whole, "spec");
    return &with_inner(whole, "spec", with_inner(spec, "behavior", behavior_shape()));
  }();
  return made;
}

void drop_autoscaler_notes(Value& object) {
  Value* metadata = object.find("metadata");
  Value* annotations = metadata != nullptr ? metadata->find("annotations") : nullptr;
  if (annotations == nullptr) return;
  bool dropped = false;
  for (const std::string_view name : kNotes) dropped |= annotations->remove(name);
  if (dropped && annotations->size() == 0) metadata->remove("annotations");
}

void autoscaler_to_v2(Value& object, Arena& arena) {
  spec_to_v2(object, arena);
  status_to_v2(object, arena);
  drop_autoscaler_notes(object);
  object.set("apiVersion", Value::string("autoscaling/v2"), arena);
  settle(object, autoscaler_shape(), arena);
}

void autoscaler_from_v2(Value& object, Arena& arena) {
  drop_autoscaler_notes(object);
  spec_from_v2(object, arena);
  status_from_v2(object, arena);
  object.set("apiVersion", Value::string("autoscaling/v1"), arena);
  settle(object, shape_of(described_type("io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler")),
         arena);
}

}  // namespace strake::kinds
