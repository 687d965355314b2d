#include "kinds/pods/pod_eviction.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinds/fields.h"
#include "kinds/pods/pod_conditions.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::Value;

constexpr std::size_t kMostDisruptedPods = 2000;
constexpr std::int32_t kRetrySeconds = 10;
constexpr std::string_view kDisruptionAllowed = "DisruptionAllowed";

// The condition of the budget that says whether pods may go; null when it has none.
const Value* disruption_condition(const Value& budget) {
  const auto conditions = items(budget.get("status"), "conditions");
  const auto found = std::ranges::find_if(conditions, [](const Value& one) {
    return value::text_of(one, "type") == kDisruptionAllowed;
  });
  return found != conditions.end() ? &*found : nullptr;
}

// Why no pod may go now.
std::string no_disruption_cause(const Value& budget) {
  const std::string_view name = meta::ObjectMeta::of(budget).name();
  const Value& status = budget.get("status");
  const Value* condition = disruption_condition(budget);
  const std::string_view message = value::text_of(condition, "message");
  const std::string_view reason = value::text_of(condition, "reason");
  const bool told = value::text_of(condition, "status") == "False" && !message.empty();
  // What a failed sync has counted is not to be trusted.
  if (told && reason == "SyncFailed") {
    return fmt::format(
        "The disruption budget {} does not allow evicting pods currently because it failed sync: "
        "{}",
        name, message);
  }
  if (integer(status, "currentHealthy") <= integer(status, "desiredHealthy")) {
    return fmt::format("The disruption budget {} needs {} healthy pods and has {} currently", name,
                       integer(status, "desiredHealthy"), integer(status, "currentHealthy"));
  }
  if (told) {
    return fmt::format("The disruption budget {} does not allow evicting pods currently ({}): {}",
                       name, reason, message);
  }
  return fmt::format("The disruption budget {} does not allow evicting pods currently", name);
}

// A pod that is not ready does not count as healthy: it may go when that hurts nobody.
bool may_go_unhealthy(const Value& pod, const Value& budget) {
  if (has_true_condition(pod, "Ready")) return false;
  if (text_of(budget, {"spec", "unhealthyPodEvictionPolicy"}) == "AlwaysAllow") return true;
  const Value& status = budget.get("status");
  const std::int64_t desired = integer(status, "desiredHealthy");
  return desired > 0 && integer(status, "currentHealthy") >= desired;
}

// The budget is used up: metav1.Condition, whose message is written also when it is empty.
void note_used_up(Value& status, std::string_view now, Arena& arena) {
  Value* list = status.find("conditions");
  if (list == nullptr || !list->is_array())
    list = &status.set("conditions", Value::array({}), arena);
  Value* condition = nullptr;
  for (Value& one : list->mutable_items()) {
    if (value::text_of(one, "type") == kDisruptionAllowed) condition = &one;
  }
  if (condition == nullptr) {
    list->append(Value::object({}), arena);
    condition = &list->mutable_items().back();
  }
  if (value::text_of(*condition, "status") != "False")
    condition->set("lastTransitionTime", Value::string(arena.copy(now)), arena);
  condition->set("message", Value::string(""), arena);
  condition->remove("observedGeneration");
  if (const std::int64_t generation = integer(status, "observedGeneration"); generation != 0)
    condition->set("observedGeneration", Value::integer(generation), arena);
  condition->set("reason", Value::string("InsufficientPods"), arena);
  condition->set("status", Value::string("False"), arena);
  condition->set("type", Value::string(kDisruptionAllowed), arena);
}

}  // namespace

bool may_be_evicted_at_once(const Value& pod) {
  const std::string_view phase = text_of(pod, {"status", "phase"});
  return phase == "Succeeded" || phase == "Failed" || phase == "Pending" ||
         meta::ObjectMeta::of(pod).is_being_deleted();
}

EvictionAnswer judge_eviction(const Value& pod, const Value& budget) {
  using Code = EvictionAnswer::Code;
  if (may_go_unhealthy(pod, budget)) return {};
  const meta::ObjectMeta metadata = meta::ObjectMeta::of(budget);
  const Value& status = budget.get("status");
  const std::int64_t allowed = integer(status, "disruptionsAllowed");
  if (integer(status, "observedGeneration") < metadata.generation()) {
    return {Code::kTooManyRequests,
            fmt::format("The disruption budget {} is still being processed by the server.",
                        metadata.name()),
            kRetrySeconds};
  }
  if (allowed < 0) return {Code::kForbidden, "pdb disruptions allowed is negative"};
  if (members(status, "disruptedPods").size() > kMostDisruptedPods) {
    return {Code::kForbidden,
            "DisruptedPods map too big - too many evictions not confirmed by PDB controller"};
  }
  if (allowed == 0) return {Code::kTooManyRequests, no_disruption_cause(budget)};
  EvictionAnswer out;
  out.counts = true;
  return out;
}

void count_eviction(Value& budget, std::string_view pod_name, std::string_view now, Arena& arena) {
  Value& status = budget.object_at("status", arena);
  const std::int64_t left = integer(status, "disruptionsAllowed") - 1;
  status.set("disruptionsAllowed", Value::integer(left), arena);
  if (left == 0) note_used_up(status, now, arena);
  status.object_at("disruptedPods", arena)
      .set(arena.copy(pod_name), Value::string(arena.copy(now)), arena);
}

void note_eviction(Value& pod, std::string_view now, Arena& arena) {
  set_pod_condition(pod,
                    {.type = "DisruptionTarget",
                     .status = "True",
                     .reason = "EvictionByEvictionAPI",
                     .message = "Eviction API: evicting"},
                    now, arena);
}

}  // namespace strake::kinds
