#include "kinds/pods/pod_prepare.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <span>

#include "kinds/fields.h"
#include "kinds/pods/app_armor.h"
#include "kinds/pods/edit_members.h"
#include "kinds/pods/pod_level_resources.h"
#include "kinds/pods/pod_conditions.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"

namespace strake::kinds {
namespace {

using value::Member;
using value::Value;

void note_scheduling_gates(Value& pod, std::string_view now, Arena& arena) {
  if (items(pod.get("spec"), "schedulingGates").empty()) return;
  set_pod_condition(pod,
                    {.type = "PodScheduled",
                     .status = "False",
                     .reason = "SchedulingGated",
                     .message = "Scheduling is blocked due to non-empty scheduling gates"},
                    now, arena);
}

// Adds {key, operator, values: [what the pod has]} to the selector for each of the keys that is a
// label of the pod.
void add_label_keys(Value& selector, std::span<const Value> keys, std::string_view op,
                    const meta::ObjectMeta& pod, Arena& arena) {
  if (pod.labels() == nullptr) return;
  for (const Value& key : keys) {
    const Value* label = pod.labels()->find(value::text_of(key));
    if (label == nullptr) continue;
    Value values = Value::array({});
    values.append(*label, arena);
    Value requirement = Value::object({});
    requirement.set("key", key, arena);
    requirement.set("operator", Value::string(op), arena);
    requirement.set("values", values, arena);
    Value* list = selector.find("matchExpressions");
    if (list == nullptr || !list->is_array())
      list = &selector.set("matchExpressions", Value::array({}), arena);
    list->append(requirement, arena);
  }
}

// matchLabelKeys and mismatchLabelKeys become part of the selector. Without a selector they mean
// nothing.
void merge_label_keys(Value& holder, const meta::ObjectMeta& pod, Arena& arena) {
  Value* selector = object_member(holder, "labelSelector");
  if (selector == nullptr) return;
  add_label_keys(*selector, items(holder, "matchLabelKeys"), "In", pod, arena);
  add_label_keys(*selector, items(holder, "mismatchLabelKeys"), "NotIn", pod, arena);
}

void merge_all_label_keys(Value& pod, Arena& arena) {
  const meta::ObjectMeta metadata = meta::ObjectMeta::of(pod);
  Value* spec = object_member(pod, "spec");
  if (spec == nullptr || metadata.labels() == nullptr) return;
  const auto merge = [&](Value& holder) { merge_label_keys(holder, metadata, arena); };
  edit_each(*spec, "topologySpreadConstraints", merge);
  Value* affinity = object_member(*spec, "affinity");
  if (affinity == nullptr) return;
  for (const std::string_view key : {"podAffinity", "podAntiAffinity"}) {
    Value* of_pods = object_member(*affinity, key);
    if (of_pods == nullptr) continue;
    edit_each(*of_pods, "requiredDuringSchedulingIgnoredDuringExecution", merge);
    edit_each(*of_pods, "preferredDuringSchedulingIgnoredDuringExecution", [&](Value& weighted) {
      if (Value* term = object_member(weighted, "podAffinityTerm")) merge(*term);
    });
  }
}

// A client that does not know of observedGeneration does not clear it.
void keep_observed_generations(Value& status, const Value& old_status, Arena& arena) {
  const auto keep = [&](Value& holder, std::int64_t generation) {
    if (generation != 0) set_if_zero(holder, "observedGeneration", generation, arena);
  };
  keep(status, integer(old_status, "observedGeneration"));
  // There may be many conditions of one type: the first goes with the first.
  std::map<std::string_view, std::vector<std::int64_t>> before;
  for (const Value& one : items(old_status, "conditions"))
    before[value::text_of(one, "type")].push_back(integer(one, "observedGeneration"));
  std::map<std::string_view, std::size_t> next;
  edit_each(status, "conditions", [&](Value& one) {
    const auto found = before.find(value::text_of(one, "type"));
    if (found == before.end()) return;
    const std::size_t at = next[found->first]++;
    if (at < found->second.size()) keep(one, found->second[at]);
  });
}

}  // namespace

void prepare_new_pod(Value& pod, std::string_view now, Arena& arena,
                     std::vector<std::string>* warnings) {
  // kube-apiserver 1.36 takes the word of a client that names a class.
  std::string_view qos_class = text_of(pod, {"status", "qosClass"});
  if (qos_class.empty()) qos_class = qos_class_of(pod.get("spec"));
  Value status = Value::object({});
  status.set("phase", Value::string("Pending"), arena);
  status.set("qosClass", Value::string(qos_class), arena);
  pod.set("status", status, arena);
  note_scheduling_gates(pod, now, arena);
  merge_all_label_keys(pod, arena);
  apply_app_armor_annotations(pod, arena, warnings);
}

void prepare_pod_status(Value& pod, const Value& old, Arena& arena) {
  keep_member(pod, old, "spec", arena);
  if (Value* metadata = object_member(pod, "metadata"))
    keep_member(*metadata, old.get("metadata"), "ownerReferences", arena);
  const Value& old_status = old.get("status");
  Value& status = pod.object_at("status", arena);
  if (value::text_of(status, "qosClass").empty())
    keep_member(status, old_status, "qosClass", arena);
  keep_observed_generations(status, old_status, arena);
}

void prepare_ephemeral_containers(Value& pod, const Value& old, Arena& arena) {
  keep_all_but(pod, old, {"ephemeralContainers"}, arena);
  count_spec_change(pod, old, arena);
}

void keep_all_but(Value& pod, const Value& old, std::initializer_list<std::string_view> kept,
                  Arena& arena) {
  const Value sent = pod.get("spec");
  keep_spec_and_metadata(pod, old, arena);
  keep_member(pod, old, "status", arena);
  Value& spec = pod.object_at("spec", arena);
  for (const std::string_view key : kept) {
    if (const Value* value = member(sent, key)) {
      spec.set(key, *value, arena);
    } else {
      spec.remove(key);
    }
  }
}

void count_spec_change(Value& pod, const Value& old, Arena& arena) {
  if (same_member(pod, old, "spec")) return;
  const std::int64_t generation = meta::ObjectMeta::of(old).generation();
  resource::set_meta(pod, "generation", Value::integer(generation + 1), arena);
}

}  // namespace strake::kinds
