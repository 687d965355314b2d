#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kSchedulingV1 = R"(
package io.k8s.api.scheduling.v1 group scheduling.k8s.io version v1
kind PriorityClass | PriorityClass names a priority that pods can have.
  value int32 #2 optional | The priority. Higher comes first; those above 1000000000 are for the system. Cannot be changed.
  globalDefault? bool #3 | Whether pods that name no class get this one. Only one class should have it set.
  description? string #4 | When to use the class, for people to read.
  preemptionPolicy? *core.PreemptionPolicy #5 | PreemptLowerPriority, the default, or Never, which does not evict other pods to make room. Cannot be changed.
)";

constinit const std::string_view kSchedulingV1alpha2 = R"(
package io.k8s.api.scheduling.v1alpha2 group scheduling.k8s.io version v1alpha2
string DisruptionMode
struct BasicSchedulingPolicy | BasicSchedulingPolicy schedules the pods of a group one by one, as usual. It has no settings yet.
struct GangSchedulingPolicy | GangSchedulingPolicy schedules the pods of a group only if enough of them fit together.
  minCount int32 #1 | How many pods must fit at the same time for any to be scheduled. At least 1.
kind PodGroup | PodGroup is a group of pods that the scheduler treats as one unit. Needs the GenericWorkload feature.
  spec PodGroupSpec #2 | How the group is scheduled.
  status? PodGroupStatus #3 | How scheduling stands. Set by the scheduler.
struct PodGroupResourceClaim | PodGroupResourceClaim is a ResourceClaim that the pods of a group share. Exactly one source is set.
  name string #1 | The name of the claim within the group, a DNS label.
  resourceClaimName? *string #2 | An existing ResourceClaim in the same namespace.
  resourceClaimTemplateName? *string #3 | A ResourceClaimTemplate in the same namespace, of which one claim is made for the group.
struct PodGroupResourceClaimStatus | PodGroupResourceClaimStatus tells which ResourceClaim was made for an entry of a group.
  name string #1 | The name of the entry in spec.resourceClaims.
  resourceClaimName? *string #2 | The ResourceClaim that was made for it. Unset if none was needed.
struct PodGroupSchedulingConstraints | PodGroupSchedulingConstraints limits where the pods of a group may run.
  topology? []TopologyConstraint #1 atomic | Parts of the cluster that the pods must share. One entry at most for now.
struct PodGroupSchedulingPolicy | PodGroupSchedulingPolicy says how a group is scheduled. Exactly one field is set.
  basic? *BasicSchedulingPolicy #1 | The pods are scheduled one by one, as usual.
  gang? *GangSchedulingPolicy #2 | The pods are scheduled only if enough of them fit together.
struct PodGroupSpec | PodGroupSpec says how a group of pods is scheduled.
  podGroupTemplateRef *PodGroupTemplateReference #1 optional | The template that the group was made from. Cannot be changed.
  schedulingPolicy PodGroupSchedulingPolicy #2 | How the group is scheduled, usually copied from the template. Cannot be changed.
  schedulingConstraints? *PodGroupSchedulingConstraints #3 | Where the pods may run. Needs the TopologyAwareWorkloadScheduling feature. Cannot be changed.
  resourceClaims? []PodGroupResourceClaim #4 map:name merge:name retain-keys | ResourceClaims that the pods share. Needs the DRAWorkloadResourceClaims feature. Cannot be changed.
  disruptionMode? *DisruptionMode #5 default:"Pod" | Whether pods are preempted one by one, Pod, the default, or only all together, PodGroup.
  priorityClassName? string #6 | The PriorityClass of the group. Needs the WorkloadAwarePreemption feature. Cannot be changed.
  priority? *int32 #7 | The priority of the group, taken from its class. Higher comes first. Cannot be changed.
struct PodGroupStatus | PodGroupStatus reports how the scheduling of a group stands.
  conditions? []meta.Condition #1 map:type merge:type | Current conditions, such as PodGroupScheduled and DisruptionTarget.
  resourceClaimStatuses? []PodGroupResourceClaimStatus #2 map:name merge:name retain-keys | The ResourceClaims that were made from templates for the group.
struct PodGroupTemplate | PodGroupTemplate describes PodGroups that are made for a Workload.
  name string #1 | The name of the template, a DNS label unique in the Workload. Cannot be changed.
  schedulingPolicy PodGroupSchedulingPolicy #2 | How the groups are scheduled.
  schedulingConstraints *PodGroupSchedulingConstraints #3 optional | Where the pods may run. Needs the TopologyAwareWorkloadScheduling feature.
  resourceClaims? []PodGroupResourceClaim #4 map:name merge:name retain-keys | ResourceClaims that the pods of a group share. Needs the DRAWorkloadResourceClaims feature.
  disruptionMode? *DisruptionMode #5 | Whether pods are preempted one by one, Pod, or only all together, PodGroup.
  priorityClassName? string #6 | The PriorityClass of the groups. Needs the WorkloadAwarePreemption feature.
  priority? *int32 #7 | The priority of the groups. Higher comes first.
struct PodGroupTemplateReference | PodGroupTemplateReference points to the template of a PodGroup.
  workload *WorkloadPodGroupTemplateReference #1 optional | A template in a Workload.
struct TopologyConstraint | TopologyConstraint keeps the pods of a group in one part of the cluster.
  key string #1 | A node label, such as topology.kubernetes.io/rack, of which all pods must be on nodes with the same value.
struct TypedLocalObjectReference | TypedLocalObjectReference identifies an object in the same namespace.
  apiGroup? string #1 | The API group of the object. Empty means the core group.
  kind string #2 | The kind of the object.
  name string #3 | The name of the object.
kind Workload | Workload describes the groups of pods that a controller's object consists of. Needs the GenericWorkload feature.
  spec WorkloadSpec #2 | The groups. Cannot be changed.
struct WorkloadPodGroupTemplateReference | WorkloadPodGroupTemplateReference points to a template in a Workload.
  workloadName string #1 | The name of the Workload.
  podGroupTemplateName string #2 | The name of the template in it.
struct WorkloadSpec | WorkloadSpec lists the groups of a Workload.
  controllerRef? *TypedLocalObjectReference #1 | The object that the Workload is for, such as a Job. Cannot be changed.
  podGroupTemplates []PodGroupTemplate #2 map:name | The templates of its groups, at most 8. Cannot be changed.
)";
// clang-format on

}  // namespace strake::kinds::types
