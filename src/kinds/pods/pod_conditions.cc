#include "kinds/pods/pod_conditions.h"

#include <algorithm>

#include "kinds/fields.h"

namespace strake::kinds {

using value::Value;

const Value* find_pod_condition(const Value& pod, std::string_view type) {
  const auto conditions = items(pod.get("status"), "conditions");
  const auto found = std::ranges::find_if(
      conditions, [&](const Value& one) { return value::text_of(one, "type") == type; });
  return found != conditions.end() ? &*found : nullptr;
}

bool has_true_condition(const Value& pod, std::string_view type) {
  return std::ranges::any_of(items(pod.get("status"), "conditions"), [&](const Value& one) {
    return value::text_of(one, "type") == type && value::text_of(one, "status") == "True";
  });
}

void set_pod_condition(Value& pod, const PodCondition& condition, std::string_view now,
                       Arena& arena) {
  const Value* old = find_pod_condition(pod, condition.type);
  const bool same_status = old != nullptr && value::text_of(*old, "status") == condition.status;
  Value made = Value::object({});
  made.set("lastProbeTime", Value(), arena);
  made.set("lastTransitionTime",
           same_status   ? old->get("lastTransitionTime")
           : now.empty() ? Value()
                         : Value::string(arena.copy(now)),
           arena);
  if (!condition.message.empty()) made.set("message", Value::string(condition.message), arena);
  if (!condition.reason.empty()) made.set("reason", Value::string(condition.reason), arena);
  made.set("status", Value::string(condition.status), arena);
  made.set("type", Value::string(condition.type), arena);

  Value& status = pod.object_at("status", arena);
  Value* list = status.find("conditions");
  if (list == nullptr || !list->is_array())
    list = &status.set("conditions", Value::array({}), arena);
  for (Value& one : list->mutable_items()) {
    if (value::text_of(one, "type") != condition.type) continue;
    one = made;
    return;
  }
  list->append(made, arena);
}

}  // namespace strake::kinds
