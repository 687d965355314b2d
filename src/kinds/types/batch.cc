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
kind CronJob | CronJob creates Jobs on a schedule. Its name has at most 52 characters.
  spec? CronJobSpec #2 required | When to run, and which Job to create.
  status? CronJobStatus #3 | The Jobs that are running, and when one last started. Set by the controller.
struct CronJobSpec | CronJobSpec says when Jobs are created and what they look like.
  schedule string #1 | The times to run, in cron format, such as '0 4 * * *' or @hourly.
  timeZone? *string #8 | The time zone of the schedule, such as Europe/Berlin. By default that of the controller manager.
  startingDeadlineSeconds? *int64 #2 | How many seconds late a Job may still start. Later runs count as missed. No limit unless set.
  concurrencyPolicy? ConcurrencyPolicy #3 | If a Job is still running at the next time: Allow, the default, runs both, Forbid skips, Replace stops the old one.
  suspend? *bool #4 | While true, no further Jobs are created. Those already started go on. Default false.
  jobTemplate JobTemplateSpec #5 | The Job to create.
  successfulJobsHistoryLimit? *int32 #6 | How many successful Jobs to keep. Default 3.
  failedJobsHistoryLimit? *int32 #7 | How many failed Jobs to keep. Default 1.
struct CronJobStatus | CronJobStatus reports what a CronJob is doing.
  active? []core.ObjectReference #1 atomic | The Jobs that are running now.
  lastScheduleTime? *time #4 | When a Job was last created on schedule.
  lastSuccessfulTime? *time #5 | When a Job last completed successfully.
kind Job | Job runs pods until enough of them have succeeded.
  spec? JobSpec #2 | Which pods to run, and when the Job is done.
  status? JobStatus #3 | How far the Job is. Set by the controller.
struct JobCondition | JobCondition describes one aspect of a Job's current state.
  type JobConditionType #1 | Suspended, Complete, Failed, SuccessCriteriaMet or FailureTarget.
  status core.ConditionStatus #2 | True, False or Unknown.
  lastProbeTime? time #3 | When the condition was last checked.
  lastTransitionTime? time #4 | When the status last changed.
  reason? string #5 | Why it changed, in one CamelCase word.
  message? string #6 | The same for people to read.
struct JobSpec | JobSpec describes the pods of a Job and when it succeeds or fails.
  parallelism? *int32 #1 | How many pods may run at once. Default 1; an Indexed Job allows at most 100000. 0 pauses it.
  completions? *int32 #2 | How many pods must succeed. If only parallelism is set, one success is enough. Cannot be changed, except along with parallelism if Indexed.
  activeDeadlineSeconds? *int64 #3 | How many seconds the Job may run, retries included, before it is stopped and fails. Suspending it restarts the clock.
  podFailurePolicy? *PodFailurePolicy #11 | Rules for failed pods; without any, each failure counts towards backoffLimit. Needs restartPolicy Never. Cannot be changed.
  successPolicy? *SuccessPolicy #16 since:1.30 | Rules by which the Job can succeed before all indexes have. Only for Indexed Jobs; cannot be changed.
  backoffLimit? *int32 #7 | How many pod failures are retried before the Job fails. Default 6, or no limit when backoffLimitPerIndex is set.
  backoffLimitPerIndex? *int32 #12 since:1.28 | How many failures of each index are retried before that index fails. Needs Indexed and restartPolicy Never; cannot be changed.
  maxFailedIndexes? *int32 #13 since:1.28 | How many indexes may fail before the whole Job fails. Needs backoffLimitPerIndex; at most 100000.
  selector? *meta.LabelSelector #4 | Selects the pods of the Job. Normally left out, as the server sets it. Cannot be changed.
  manualSelector? *bool #5 | Set true only if you choose the selector and pod labels yourself, and keep them unique. Cannot be changed.
  template core.PodTemplateSpec #6 | The pod to run. Its restartPolicy must be Never or OnFailure. Mostly immutable, except while the Job is suspended.
  ttlSecondsAfterFinished? *int32 #8 | How many seconds after it finishes the Job is deleted. 0 deletes it at once; never deleted unless set.
  completionMode? *CompletionMode #9 | NonIndexed, the default, treats all pods alike. Indexed numbers them from 0 to completions - 1. Cannot be changed.
  suspend? *bool #10 | While true, the Job has no pods. Suspending a running Job deletes its active pods. Default false.
  podReplacementPolicy? *PodReplacementPolicy #14 since:1.28 | When to replace a pod: TerminatingOrFailed, the default, or only once Failed, the default with podFailurePolicy.
  managedBy? *string #15 since:1.30 | The controller that runs the Job, such as example.com/runner. The built-in one unless set. Cannot be changed.
struct JobStatus | JobStatus reports how far a Job is.
  conditions? []JobCondition #1 atomic merge:type | Current conditions of the Job. It is finished once Complete or Failed is True.
  startTime? *time #2 | When the Job was first started, or last resumed from being suspended.
  completionTime? *time #3 | When the Job completed. Only set if it succeeded.
  active? int32 #4 | Number of pods that are pending or running, and not terminating. 0 once finished.
  succeeded? int32 #5 | Number of pods that succeeded.
  failed? int32 #6 | Number of pods that failed.
  terminating? *int32 #11 since:1.28 | Number of pods that are being deleted but still exist.
  completedIndexes? string #7 | The indexes that have succeeded, with ranges, such as 1,3-5,7. Only for Indexed Jobs.
  failedIndexes? *string #10 since:1.28 | The indexes that have failed for good, with ranges. Only when backoffLimitPerIndex is set.
  uncountedTerminatedPods? *UncountedTerminatedPods #8 | Finished pods that the counters do not include yet.
  ready? *int32 #9 | Number of active pods that are ready and not terminating.
struct JobTemplateSpec | JobTemplateSpec describes the Jobs that a CronJob creates.
  metadata? objectmeta #1 | Labels and annotations of the Jobs.
  spec? JobSpec #2 | What the Jobs run.
struct PodFailurePolicy | PodFailurePolicy says how failed pods of a Job are treated.
  rules []PodFailurePolicyRule #1 atomic | The rules, at most 20. The first that matches a failed pod applies; if none does, the failure counts as usual.
struct PodFailurePolicyOnExitCodesRequirement | PodFailurePolicyOnExitCodesRequirement matches a failed pod by exit codes of its containers.
  containerName? *string #1 | Look only at the container or init container with this name. All are looked at by default.
  operator PodFailurePolicyOnExitCodesOperator #2 | In matches exit codes that are in values; NotIn those that are not. Exit code 0 is left aside.
  values []int32 #3 set | The exit codes, 1 to 255 of them, in ascending order. In does not allow 0.
struct PodFailurePolicyOnPodConditionsPattern | PodFailurePolicyOnPodConditionsPattern matches a failed pod by one of its conditions.
  type core.PodConditionType #1 | The type of the pod condition, such as DisruptionTarget.
  status core.ConditionStatus #2 optional | The status that the condition must have. Default True.
struct PodFailurePolicyRule | PodFailurePolicyRule says what to do about pods that fail in one way. It has either onExitCodes or onPodConditions.
  action PodFailurePolicyAction #1 | FailJob fails the Job, FailIndex the pod's index, Ignore does not count the failure, Count counts it as usual.
  onExitCodes? *PodFailurePolicyOnExitCodesRequirement #2 | Matches pods by the exit codes of their containers.
  onPodConditions? []PodFailurePolicyOnPodConditionsPattern #3 atomic | Matches pods with any of these conditions, at most 20.
struct SuccessPolicy | SuccessPolicy says when an Indexed Job succeeds early.
  rules []SuccessPolicyRule #1 atomic | The rules, 1 to 20. The Job succeeds once any of them is met, and its remaining pods are stopped.
struct SuccessPolicyRule | SuccessPolicyRule is one way for a Job to succeed early. At least one field must be set.
  succeededIndexes? *string #1 | The indexes that count, such as 0,2-4. All must succeed, unless succeededCount asks for fewer.
  succeededCount? *int32 #2 | How many of succeededIndexes must succeed, or of all indexes if that is unset.
struct UncountedTerminatedPods | UncountedTerminatedPods lists finished pods that a Job's counters do not include yet.
  succeeded? []uid #1 set | UIDs of succeeded pods.
  failed? []uid #2 set | UIDs of failed pods.
)";
// clang-format on

}  // namespace strake::kinds::types
