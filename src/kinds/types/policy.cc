#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kPolicyV1 = R"(
package io.k8s.api.policy.v1 group policy version v1
string UnhealthyPodEvictionPolicyType
review Eviction
  deleteOptions? *meta.DeleteOptions
kind PodDisruptionBudget
  spec? PodDisruptionBudgetSpec
  status? PodDisruptionBudgetStatus
struct PodDisruptionBudgetSpec
  minAvailable? *intorstring
  selector? *meta.LabelSelector
  maxUnavailable? *intorstring
  unhealthyPodEvictionPolicy? *UnhealthyPodEvictionPolicyType
struct PodDisruptionBudgetStatus
  observedGeneration? int64
  disruptedPods? map[string]time
  disruptionsAllowed int32 optional
  currentHealthy int32 optional
  desiredHealthy int32 optional
  expectedPods int32 optional
  conditions? []meta.Condition map:type merge:type
)";
// clang-format on

}  // namespace strake::kinds::types
