#include "kinds/workloads/autoscaler_notes.h"

#include <fmt/format.h>

#include "kinds/derive.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/resource_names.h"
#include "kinds/workloads/autoscaler_forms.h"
#include "kinds/workloads/selectors.h"
#include "meta/names.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Member;
using value::Value;

// --- writing

// An object whose members are written in the order in which they are added.
class OrderedJson {
 public:
  OrderedJson& text(std::string_view key, std::string json) {
    out_ += fmt::format("{}\"{}\":{}", out_.size() > 1 ? "," : "", key, json);
    return *this;
  }
  // Left out when it is not there.
  OrderedJson& given(std::string_view key, const Value* v) {
    return v != nullptr ? text(key, value::to_json(*v)) : *this;
  }
  OrderedJson& string(std::string_view key, const Value& holder, std::string_view from) {
    return text(key, value::to_json(Value::string(text_of(holder, from))));
  }
  // An amount that Go cannot leave out.
  OrderedJson& amount(std::string_view key, const Value* v) {
    return text(key, v != nullptr ? value::to_json(*v) : "\"0\"");
  }
  OrderedJson& selector(std::string_view key, const Value& metric) {
    const Value* found = member(metric, "selector");
    return found != nullptr ? text(key, show_label_selector(found)) : *this;
  }
  std::string take() { return std::move(out_ += '}'); }

 private:
  std::string out_ = "{";
};

std::string reference_note(const Value& reference) {
  return OrderedJson()
      .string("kind", reference, "kind")
      .string("name", reference, "name")
      .given("apiVersion", member(reference, "apiVersion"))
      .take();
}

// The names that differ between a metric and its status.
struct Words {
  std::string_view holder;  // of v2
  std::string_view value;
  std::string_view average_value;
  std::string_view utilization;
  // Whether the amounts of resources and external metrics may be left out.
  bool optional;
};
constexpr Words kSpecWords = {"target", "targetValue", "targetAverageValue",
                              "targetAverageUtilization", true};
constexpr Words kStatusWords = {"current", "currentValue", "currentAverageValue",
                                "currentAverageUtilization", false};
const Words& words_of(MetricPart part) {
  return part == MetricPart::kSpec ? kSpecWords : kStatusWords;
}

std::string object_note(const Value& source, const Words& words) {
  const Value& metric = source.get("metric");
  const Value& amounts = source.get(words.holder);
  return OrderedJson()
      .text("target", reference_note(source.get("describedObject")))
      .string("metricName", metric, "name")
      .amount(words.value, member(amounts, "value"))
      .selector("selector", metric)
      .given("averageValue", member(amounts, "averageValue"))
      .take();
}

std::string pods_note(const Value& source, const Words& words) {
  const Value& metric = source.get("metric");
  return OrderedJson()
      .string("metricName", metric, "name")
      .amount(words.average_value, member(source.get(words.holder), "averageValue"))
      .selector("selector", metric)
      .take();
}

std::string resource_note(const Value& source, const Words& words, bool of_container) {
  const Value& amounts = source.get(words.holder);
  const Value* average = member(amounts, "averageValue");
  OrderedJson out;
  out.string("name", source, "name")
      .given(words.utilization, member(amounts, "averageUtilization"));
  if (words.optional) {
    out.given(words.average_value, average);
  } else {
    out.amount(words.average_value, average);
  }
  if (of_container) out.string("container", source, "container");
  return out.take();
}

std::string external_note(const Value& source, const Words& words) {
  const Value& metric = source.get("metric");
  const Value& amounts = source.get(words.holder);
  const Value* amount = member(amounts, "value");
  OrderedJson out;
  out.string("metricName", metric, "name").selector("metricSelector", metric);
  if (words.optional) {
    out.given(words.value, amount);
  } else {
    out.amount(words.value, amount);
  }
  return out.given(words.average_value, member(amounts, "averageValue")).take();
}

std::string metric_note(const Value& metric, const Words& words) {
  OrderedJson out;
  out.string("type", metric, "type");
  if (const Value* source = member(metric, "object"))
    out.text("object", object_note(*source, words));
  if (const Value* source = member(metric, "pods")) out.text("pods", pods_note(*source, words));
  if (const Value* source = member(metric, "resource"))
    out.text("resource", resource_note(*source, words, false));
  if (const Value* source = member(metric, "containerResource"))
    out.text("containerResource", resource_note(*source, words, true));
  if (const Value* source = member(metric, "external"))
    out.text("external", external_note(*source, words));
  return out.take();
}

// --- reading

// The member of that name, however its letters are written: Go reads JSON so.
const Value* folded(const Value& object, std::string_view key) {
  if (const Value* exact = member(object, key)) return exact;
  const std::string wanted = meta::to_lower_ascii(key);
  for (const Member& one : object.members()) {
    if (!one.value.is_null() && meta::to_lower_ascii(one.key) == wanted) return &one.value;
  }
  return nullptr;
}

// Makes metrics of v2 from those of v1. What has another type than it should is put where the
// decoder of v2 refuses it.
class MetricReader {
 public:
  MetricReader(MetricPart part, Arena& arena)
      : words_(words_of(part)), is_spec_(part == MetricPart::kSpec), arena_(arena) {}

  Value read(const Value& metric) {
    if (!metric.is_object()) return metric;
    Value out = Value::object({});
    put(out, "type", folded(metric, "type"));
    for (const std::string_view key :
         {"object", "pods", "resource", "containerResource", "external"}) {
      if (const Value* source = folded(metric, key))
        out.set(key, source->is_object() ? read_source(key, *source) : *source, arena_);
    }
    return out;
  }

 private:
  void put(Value& out, std::string_view key, const Value* v) {
    if (v != nullptr) out.set(key, *v, arena_);
  }
  void put_or_zero(Value& out, std::string_view key, const Value* v) {
    out.set(key, v != nullptr ? *v : Value::string("0"), arena_);
  }

  Value read_source(std::string_view kind, const Value& source) {
    Value out = Value::object({});
    Value amounts = Value::object({});
    if (kind == "resource" || kind == "containerResource") {
      put(out, "name", folded(source, "name"));
      if (kind == "containerResource") put(out, "container", folded(source, "container"));
      read_resource(source, amounts);
    } else {
      Value metric = Value::object({});
      put(metric, "name", folded(source, "metricName"));
      put(metric, "selector", folded(source, kind == "external" ? "metricSelector" : "selector"));
      out.set("metric", metric, arena_);
      if (kind == "object") {
        put(out, "describedObject", folded(source, "target"));
        read_object(source, amounts);
      } else if (kind == "pods") {
        set_type(amounts, "AverageValue");
        put_or_zero(amounts, "averageValue", folded(source, words_.average_value));
      } else {
        read_external(source, amounts);
      }
    }
    out.set(words_.holder, amounts, arena_);
    return out;
  }

  void set_type(Value& amounts, std::string_view type) {
    if (is_spec_) amounts.set("type", Value::string(type), arena_);
  }

  void read_resource(const Value& source, Value& amounts) {
    const Value* utilization = folded(source, words_.utilization);
    const Value* average = folded(source, words_.average_value);
    set_type(amounts, utilization == nullptr ? "AverageValue" : "Utilization");
    put(amounts, "averageUtilization", utilization);
    if (is_spec_) {
      put(amounts, "averageValue", average);
    } else {
      put_or_zero(amounts, "averageValue", average);
    }
  }

  void read_object(const Value& source, Value& amounts) {
    const Value* amount = folded(source, words_.value);
    const Value* average = folded(source, "averageValue");
    put(amounts, "averageValue", average);
    if (is_spec_ && average != nullptr) {
      set_type(amounts, "AverageValue");
      // v1 writes 0 where there is none.
      if (amount != nullptr && !amount_of(*amount).is_zero()) put(amounts, "value", amount);
      return;
    }
    set_type(amounts, "Value");
    put_or_zero(amounts, "value", amount);
  }

  void read_external(const Value& source, Value& amounts) {
    const Value* amount = folded(source, words_.value);
    set_type(amounts, amount == nullptr ? "AverageValue" : "Value");
    put(amounts, "averageValue", folded(source, words_.average_value));
    if (is_spec_) {
      put(amounts, "value", amount);
    } else {
      put_or_zero(amounts, "value", amount);
    }
  }

  const Words& words_;
  bool is_spec_;
  Arena& arena_;
};

// A list whose items are of the declared type, in the arena. Nothing when one of them is not.
std::optional<Value> settled_list(Value list, const meta::Shape& shape, Arena& arena) {
  if (list.is_null()) return Value::array({});
  if (!list.is_array()) return std::nullopt;
  for (Value& one : list.mutable_items()) {
    if (!meta::read_shape(one, shape, arena, {.from_text = true})) return std::nullopt;
  }
  return value::deep_copy(list, arena);
}

const meta::Shape& shape_named(std::string_view name) {
  return shape_of(described_type(fmt::format("io.k8s.api.autoscaling.v2.{}", name)));
}

// Names of Go fields become those of JSON.
Value with_json_names(const Value& v, Arena& arena) {
  if (v.is_array()) {
    Value out = Value::array({});
    for (const Value& one : v.items()) out.append(with_json_names(one, arena), arena);
    return out;
  }
  if (!v.is_object()) return v;
  Value out = Value::object({});
  constexpr std::string_view kNames[] = {"scaleUp",      "scaleDown", "stabilizationWindowSeconds",
                                         "selectPolicy", "policies",  "tolerance",
                                         "type",         "value",     "periodSeconds"};
  for (const std::string_view name : kNames) {
    if (const Value* found = folded(v, name)) out.set(name, with_json_names(*found, arena), arena);
  }
  return out;
}

}  // namespace

std::string metrics_note(std::span<const Value> metrics, MetricPart part) {
  std::string out;
  for (const Value& one : metrics)
    out += (out.empty() ? "" : ",") + metric_note(one, words_of(part));
  return fmt::format("[{}]", out);
}

std::optional<Value> read_metrics_note(std::string_view text, MetricPart part, Arena& arena) {
  auto read = value::read_json(text);
  if (!read || (!read->root().is_array() && !read->root().is_null())) return std::nullopt;
  MetricReader reader(part, arena);
  Value list = Value::array({});
  for (const Value& one : read->root().items()) list.append(reader.read(one), arena);
  return settled_list(list, shape_named(part == MetricPart::kSpec ? "MetricSpec" : "MetricStatus"),
                      arena);
}

std::string conditions_note(std::span<const Value> conditions) {
  std::string out;
  for (const Value& one : conditions) {
    const Value* time = member(one, "lastTransitionTime");
    out += (out.empty() ? "" : ",") +
           OrderedJson()
               .string("type", one, "type")
               .string("status", one, "status")
               .text("lastTransitionTime", time != nullptr ? value::to_json(*time) : "null")
               .given("reason", member(one, "reason"))
               .given("message", member(one, "message"))
               .take();
  }
  return fmt::format("[{}]", out);
}

std::optional<Value> read_conditions_note(std::string_view text, Arena& arena) {
  auto read = value::read_json(text);
  if (!read) return std::nullopt;
  return settled_list(value::deep_copy(read->root(), arena),
                      shape_named("HorizontalPodAutoscalerCondition"), arena);
}

std::string behavior_note(const Value& behavior) {
  // This one is written with Go's names in kube-apiserver 1.36.
  return show_go_struct(
      &behavior, described_type("io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior"));
}

std::optional<Value> read_behavior_note(std::string_view text, Arena& arena) {
  auto read = value::read_json(text);
  if (!read || !read->root().is_object()) return std::nullopt;
  Value behavior = with_json_names(read->root(), arena);
  if (!meta::read_shape(behavior, behavior_shape(), arena, {.from_text = true}))
    return std::nullopt;
  if (behavior.size() == 0) return std::nullopt;
  return value::deep_copy(behavior, arena);
}

}  // namespace strake::kinds
