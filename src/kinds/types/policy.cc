#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kPolicyV1 = R"(
package io.k8s.api.policy.v1 group policy version v1
string UnhealthyPodEvictionPolicyType
review Eviction | Eviction asks for a pod to be deleted, unless a PodDisruptionBudget forbids it. Post it to the pod's eviction subresource.
  deleteOptions? *meta.DeleteOptions #2 | How the pod is to be deleted.
kind PodDisruptionBudget | PodDisruptionBudget limits how many pods of a group can be evicted at the same time.
  spec? PodDisruptionBudgetSpec #2 | Which pods it covers, and how many must stay available.
  status? PodDisruptionBudgetStatus #3 | How many evictions are allowed at present. Set by the controller.
struct PodDisruptionBudgetSpec | PodDisruptionBudgetSpec says which pods are covered and how many must stay available.
  minAvailable? *intorstring #1 | How many pods must remain available after an eviction, as a number or percentage. Excludes maxUnavailable.
  selector? *meta.LabelSelector #2 replace | Selects the pods that are covered. Empty selects all pods of the namespace; unset selects none.
  maxUnavailable? *intorstring #3 | How many pods may be unavailable after an eviction, as a number or percentage. Excludes minAvailable.
  unhealthyPodEvictionPolicy? *UnhealthyPodEvictionPolicyType #4 | When running pods that are not ready can be evicted: IfHealthyBudget, the default, or AlwaysAllow.
struct PodDisruptionBudgetStatus | PodDisruptionBudgetStatus reports how many evictions are allowed at present.
  observedGeneration? int64 #1 | The generation of the spec that this status is for. No evictions are allowed while it is outdated.
  disruptedPods? map[string]time #2 | Pods that were evicted but that the controller has not seen deleted yet, with the time of eviction.
  disruptionsAllowed int32 #3 optional | How many more pods may be evicted now.
  currentHealthy int32 #4 optional | Number of healthy pods.
  desiredHealthy int32 #5 optional | Number of healthy pods that there must be.
  expectedPods int32 #6 optional | Number of pods that the budget covers.
  conditions? []meta.Condition #7 map:type merge:type | Current conditions. DisruptionAllowed tells whether an eviction is allowed now.
)";
// clang-format on

}  // namespace strake::kinds::types
