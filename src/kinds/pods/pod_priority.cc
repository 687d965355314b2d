#include "kinds/pods/pod_priority.h"

#include <fmt/format.h>

#include "kinds/fields.h"
#include "kinds/pods/edit_members.h"

namespace strake::kinds {
namespace {

using value::Value;

// Sets a field that only the class decides. False when the pod says something else.
bool set_decided(Value& spec, std::string_view key, const Value& decided, Arena& arena) {
  const Value* given = member(spec, key);
  if (given != nullptr && !value::identical(*given, decided)) return false;
  if (given == nullptr) spec.set(key, value::deep_copy(decided, arena), arena);
  return true;
}

std::string set_policy(Value& spec, std::string_view policy, Arena& arena) {
  if (policy.empty()) return {};
  const std::string given(value::text_of(spec, "preemptionPolicy"));
  if (set_decided(spec, "preemptionPolicy", Value::string(policy), arena)) return {};
  return fmt::format(
      "the string value of PreemptionPolicy ({}) must not be provided in pod spec; priority "
      "admission controller computed {} from the given PriorityClass name",
      given, policy);
}

}  // namespace

std::string set_pod_priority(Value& pod, const PriorityClasses& classes, Arena& arena) {
  Value& spec = pod.object_at("spec", arena);
  const std::string_view name = value::text_of(spec, "priorityClassName");
  const Value* found = name.empty() ? classes.global_default() : classes.find(name);
  if (found == nullptr && !name.empty())
    return fmt::format("no PriorityClass with name {} was found", name);
  if (found != nullptr && name.empty()) {
    spec.set("priorityClassName", Value::string(arena.copy(text_of(*found, {"metadata", "name"}))),
             arena);
  }
  const std::int64_t priority = found != nullptr ? integer(*found, "value") : 0;
  if (!set_decided(spec, "priority", Value::integer(priority), arena)) {
    return fmt::format(
        "the integer value of priority ({}) must not be provided in pod spec; priority admission "
        "controller computed {} from the given PriorityClass name",
        integer(spec, "priority"), priority);
  }
  return set_policy(
      spec, found != nullptr ? value::text_of(*found, "preemptionPolicy") : "PreemptLowerPriority",
      arena);
}

void keep_pod_priority(Value& pod, const Value& old, Arena& arena) {
  Value& spec = pod.object_at("spec", arena);
  for (const std::string_view key : {"priority", "preemptionPolicy"}) {
    if (const Value* before = member(old, {"spec", key}))
      set_if_absent(spec, key, value::deep_copy(*before, arena), arena);
  }
}

}  // namespace strake::kinds
