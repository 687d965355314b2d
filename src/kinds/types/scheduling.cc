#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kSchedulingV1 = R"(
package io.k8s.api.scheduling.v1 group scheduling.k8s.io version v1
kind PriorityClass
  value int32 optional
  globalDefault? bool
  description? string
  preemptionPolicy? *core.PreemptionPolicy
)";

constinit const std::string_view kSchedulingV1alpha2 = R"(
package io.k8s.api.scheduling.v1alpha2 group scheduling.k8s.io version v1alpha2
string DisruptionMode
struct BasicSchedulingPolicy
struct GangSchedulingPolicy
  minCount int32
kind PodGroup
  spec PodGroupSpec
  status? PodGroupStatus
struct PodGroupResourceClaim
  name string
  resourceClaimName? *string
  resourceClaimTemplateName? *string
struct PodGroupResourceClaimStatus
  name string
  resourceClaimName? *string
struct PodGroupSchedulingConstraints
  topology? []TopologyConstraint atomic
struct PodGroupSchedulingPolicy
  basic? *BasicSchedulingPolicy
  gang? *GangSchedulingPolicy
struct PodGroupSpec
  podGroupTemplateRef *PodGroupTemplateReference optional
  schedulingPolicy PodGroupSchedulingPolicy
  schedulingConstraints? *PodGroupSchedulingConstraints
  resourceClaims? []PodGroupResourceClaim map:name merge:name retain-keys
  disruptionMode? *DisruptionMode default:"Pod"
  priorityClassName? string
  priority? *int32
struct PodGroupStatus
  conditions? []meta.Condition map:type merge:type
  resourceClaimStatuses? []PodGroupResourceClaimStatus map:name merge:name retain-keys
struct PodGroupTemplate
  name string
  schedulingPolicy PodGroupSchedulingPolicy
  schedulingConstraints *PodGroupSchedulingConstraints optional
  resourceClaims? []PodGroupResourceClaim map:name merge:name retain-keys
  disruptionMode? *DisruptionMode
  priorityClassName? string
  priority? *int32
struct PodGroupTemplateReference
  workload *WorkloadPodGroupTemplateReference optional
struct TopologyConstraint
  key string
struct TypedLocalObjectReference
  apiGroup? string
  kind string
  name string
kind Workload
  spec WorkloadSpec
struct WorkloadPodGroupTemplateReference
  workloadName string
  podGroupTemplateName string
struct WorkloadSpec
  controllerRef? *TypedLocalObjectReference
  podGroupTemplates []PodGroupTemplate map:name
)";
// clang-format on

}  // namespace strake::kinds::types
