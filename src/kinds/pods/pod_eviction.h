#pragma once
// The subresource "eviction" of pods: a deletion that asks the disruption budgets first. These are
// the rules of kube-apiserver 1.36; the server reads and writes the objects.
//
//   decode the body by the declared type io.k8s.api.policy.v1.Eviction, also when it says to be
//   policy/v1beta1; metadata.name must be the name in the path (400 "name in URL does not match
//   name in Eviction object"). When may_be_evicted_at_once(pod), or no budget of the namespace
//   selects the pod: note_eviction() on the pod's status and delete it with the body's
//   deleteOptions. When several budgets select it: 500 kManyBudgets. Else judge_eviction() with the
//   one; when it allows and gives a status, that is written to the budget before the pod goes. A
//   dry run writes nothing. The answer is 201 and Status Success.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

inline constexpr std::string_view kManyBudgets =
    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not "
    "support.";
// The message of each 429. Its cause has the reason "DisruptionBudget" and says why.
inline constexpr std::string_view kEvictionRefused =
    "Cannot evict pod as it would violate the pod's disruption budget.";

// A pod that has ended, has not started or is going already: no budget is asked.
bool may_be_evicted_at_once(const value::Value& pod);

struct EvictionAnswer {
  enum class Code : std::uint8_t {
    kAllowed,
    kTooManyRequests,  // 429
    kForbidden,        // 403 about the budget ("poddisruptionbudget.policy")
  };
  Code code = Code::kAllowed;
  std::string cause;             // why it is refused
  std::int32_t retry_after = 0;  // seconds; none when 0
  // The eviction counts against the budget: count_eviction() changes it.
  bool counts = false;
};
// One budget, and a pod that it selects.
EvictionAnswer judge_eviction(const value::Value& pod, const value::Value& budget);
// Takes an allowed eviction off the budget's status.
void count_eviction(value::Value& budget, std::string_view pod_name, std::string_view now,
                    Arena& arena);

// The condition that says why the pod goes.
void note_eviction(value::Value& pod, std::string_view now, Arena& arena);

}  // namespace strake::kinds
