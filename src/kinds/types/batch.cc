#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kBatchV1 = R"(
package io.k8s.api.batch.v1 group batch version v1
string CompletionMode
string ConcurrencyPolicy
string JobConditionType
string PodFailurePolicyAction
string PodFailurePolicyOnExitCodesOperator
string PodReplacementPolicy
kind CronJob
  spec? CronJobSpec required
  status? CronJobStatus
struct CronJobSpec
  schedule string
  timeZone? *string
  startingDeadlineSeconds? *int64
  concurrencyPolicy? ConcurrencyPolicy
  suspend? *bool
  jobTemplate JobTemplateSpec
  successfulJobsHistoryLimit? *int32
  failedJobsHistoryLimit? *int32
struct CronJobStatus
  active? []core.ObjectReference atomic
  lastScheduleTime? *time
  lastSuccessfulTime? *time
kind Job
  spec? JobSpec
  status? JobStatus
struct JobCondition
  type JobConditionType
  status core.ConditionStatus
  lastProbeTime? time
  lastTransitionTime? time
  reason? string
  message? string
struct JobSpec
  parallelism? *int32
  completions? *int32
  activeDeadlineSeconds? *int64
  podFailurePolicy? *PodFailurePolicy
  successPolicy? *SuccessPolicy since:1.30
  backoffLimit? *int32
  backoffLimitPerIndex? *int32 since:1.28
  maxFailedIndexes? *int32 since:1.28
  selector? *meta.LabelSelector
  manualSelector? *bool
  template core.PodTemplateSpec
  ttlSecondsAfterFinished? *int32
  completionMode? *CompletionMode
  suspend? *bool
  podReplacementPolicy? *PodReplacementPolicy since:1.28
  managedBy? *string since:1.30
struct JobStatus
  conditions? []JobCondition atomic merge:type
  startTime? *time
  completionTime? *time
  active? int32
  succeeded? int32
  failed? int32
  terminating? *int32 since:1.28
  completedIndexes? string
  failedIndexes? *string since:1.28
  uncountedTerminatedPods? *UncountedTerminatedPods
  ready? *int32
struct JobTemplateSpec
  metadata? objectmeta
  spec? JobSpec
struct PodFailurePolicy
  rules []PodFailurePolicyRule atomic
struct PodFailurePolicyOnExitCodesRequirement
  containerName? *string
  operator PodFailurePolicyOnExitCodesOperator
  values []int32 set
struct PodFailurePolicyOnPodConditionsPattern
  type core.PodConditionType
  status core.ConditionStatus optional
struct PodFailurePolicyRule
  action PodFailurePolicyAction
  onExitCodes? *PodFailurePolicyOnExitCodesRequirement
  onPodConditions? []PodFailurePolicyOnPodConditionsPattern atomic
struct SuccessPolicy
  rules []SuccessPolicyRule atomic
struct SuccessPolicyRule
  succeededIndexes? *string
  succeededCount? *int32
struct UncountedTerminatedPods
  succeeded? []uid set
  failed? []uid set
)";
// clang-format on

}  // namespace strake::kinds::types
