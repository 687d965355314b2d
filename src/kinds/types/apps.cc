#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kAppsV1 = R"(
package io.k8s.api.apps.v1 group apps version v1
string DaemonSetConditionType
string DaemonSetUpdateStrategyType
string DeploymentConditionType
string DeploymentStrategyType
string PersistentVolumeClaimRetentionPolicyType
string PodManagementPolicyType
string ReplicaSetConditionType
string StatefulSetConditionType
string StatefulSetUpdateStrategyType
kind ControllerRevision | ControllerRevision is a snapshot of a controller's state, kept so that a DaemonSet or StatefulSet can be rolled back.
  data? runtime.RawExtension #2 | The saved state, in a form that only the controller understands. Cannot be changed.
  revision int64 #3 | The number of the snapshot. Newer snapshots have higher numbers.
kind DaemonSet | DaemonSet runs one copy of a pod on every node, or on those nodes that its pod template selects.
  spec? DaemonSetSpec #2 | Which pods to run, and how to update them.
  status? DaemonSetStatus #3 | How many nodes run the pod. Set by the controller.
struct DaemonSetCondition | DaemonSetCondition describes one aspect of a DaemonSet's current state.
  type DaemonSetConditionType #1 | The aspect that the condition describes.
  status core.ConditionStatus #2 | True, False or Unknown.
  lastTransitionTime? time #3 | When the status last changed.
  reason? string #4 | Why it changed, in one CamelCase word.
  message? string #5 | The same for people to read.
struct DaemonSetSpec | DaemonSetSpec describes the pods of a DaemonSet and how they are updated.
  selector *meta.LabelSelector #1 | Selects the pods that belong to the DaemonSet. It must match the template's labels and cannot be changed.
  template core.PodTemplateSpec #2 | The pod to run on each matching node. Its restartPolicy must be Always.
  updateStrategy? DaemonSetUpdateStrategy #3 | How running pods are replaced when the template changes.
  minReadySeconds? int32 #4 | How many seconds a new pod must be ready before it counts as available. Default 0.
  revisionHistoryLimit? *int32 #6 | How many old revisions to keep for rollback. Default 10.
struct DaemonSetStatus | DaemonSetStatus reports how far a DaemonSet has been rolled out.
  currentNumberScheduled int32 #1 | Number of nodes that run the pod and should run it.
  numberMisscheduled int32 #2 | Number of nodes that run the pod but should not.
  desiredNumberScheduled int32 #3 | Number of nodes that should run the pod.
  numberReady int32 #4 | Number of nodes that should run the pod and have one that is ready.
  observedGeneration? int64 #5 | The latest generation of the spec that the controller has seen.
  updatedNumberScheduled? int32 #6 | Number of nodes that run a pod of the current template.
  numberAvailable? int32 #7 | Number of nodes whose pod has been ready for at least minReadySeconds.
  numberUnavailable? int32 #8 | Number of nodes that should run the pod but have none available.
  collisionCount? *int32 #9 | How often the name of a new ControllerRevision was already taken. The controller uses it to choose another.
  conditions? []DaemonSetCondition #10 map:type merge:type | Current conditions of the DaemonSet.
struct DaemonSetUpdateStrategy | DaemonSetUpdateStrategy says how the pods of a DaemonSet are replaced.
  type? DaemonSetUpdateStrategyType #1 | RollingUpdate, the default, replaces pods step by step. OnDelete replaces a pod only after you delete it.
  rollingUpdate? *RollingUpdateDaemonSet #2 | Settings of a rolling update. Only for type RollingUpdate.
kind Deployment | Deployment keeps a number of identical pods running and rolls out changes to them through ReplicaSets.
  spec? DeploymentSpec #2 | Which pods to run, how many, and how to update them.
  status? DeploymentStatus #3 | How far the current rollout is. Set by the controller.
struct DeploymentCondition | DeploymentCondition describes one aspect of a Deployment's current state.
  type DeploymentConditionType #1 | Available, Progressing or ReplicaFailure.
  status core.ConditionStatus #2 | True, False or Unknown.
  lastUpdateTime? time #6 | When the condition was last updated.
  lastTransitionTime? time #7 | When the status last changed.
  reason? string #4 | Why it changed, in one CamelCase word.
  message? string #5 | The same for people to read.
struct DeploymentSpec | DeploymentSpec describes the pods of a Deployment and how they are updated.
  replicas? *int32 #1 | Number of pods to run. Default 1; 0 is allowed.
  selector *meta.LabelSelector #2 | Selects the pods that belong to the Deployment. It must match the template's labels and cannot be changed.
  template core.PodTemplateSpec #3 | The pod to run. Its restartPolicy must be Always.
  strategy? DeploymentStrategy #4 retain-keys | How old pods are replaced by new ones.
  minReadySeconds? int32 #5 | How many seconds a new pod must be ready before it counts as available. Default 0.
  revisionHistoryLimit? *int32 #6 | How many old ReplicaSets to keep for rollback. Default 10.
  paused? bool #7 | While true, changes to the template start no rollout.
  progressDeadlineSeconds? *int32 #9 | How many seconds a rollout may go without progress before it is reported as failed. Default 600; must exceed minReadySeconds.
struct DeploymentStatus | DeploymentStatus reports how far a Deployment has been rolled out.
  observedGeneration? int64 #1 | The latest generation of the spec that the controller has seen.
  replicas? int32 #2 | Number of pods of the Deployment that are not terminating.
  updatedReplicas? int32 #3 | Number of pods, not terminating, that run the current template.
  readyReplicas? int32 #7 | Number of pods, not terminating, that are ready.
  availableReplicas? int32 #4 | Number of pods, not terminating, that have been ready for at least minReadySeconds.
  unavailableReplicas? int32 #5 | Number of pods still missing for the Deployment to be fully available.
  terminatingReplicas? *int32 #9 since:1.33 | Number of pods that are being deleted but still exist. Needs the DeploymentReplicaSetTerminatingReplicas feature.
  conditions? []DeploymentCondition #6 map:type merge:type | Current conditions of the Deployment.
  collisionCount? *int32 #8 | How often the name of a new ReplicaSet was already taken. The controller uses it to choose another.
struct DeploymentStrategy | DeploymentStrategy says how the pods of a Deployment are replaced.
  type? DeploymentStrategyType #1 | RollingUpdate, the default, replaces pods step by step. Recreate deletes all old pods before it creates new ones.
  rollingUpdate? *RollingUpdateDeployment #2 | Settings of a rolling update. Only for type RollingUpdate.
kind ReplicaSet | ReplicaSet keeps a number of identical pods running. Usually created by a Deployment rather than by hand.
  spec? ReplicaSetSpec #2 | Which pods to run, and how many.
  status? ReplicaSetStatus #3 | How many pods there are. Set by the controller, and may lag a little behind.
struct ReplicaSetCondition | ReplicaSetCondition describes one aspect of a ReplicaSet's current state.
  type ReplicaSetConditionType #1 | The aspect that the condition describes, such as ReplicaFailure.
  status core.ConditionStatus #2 | True, False or Unknown.
  lastTransitionTime? time #3 | When the status last changed.
  reason? string #4 | Why it changed, in one CamelCase word.
  message? string #5 | The same for people to read.
struct ReplicaSetSpec | ReplicaSetSpec describes the pods of a ReplicaSet.
  replicas? *int32 #1 | Number of pods to run. Default 1; 0 is allowed.
  minReadySeconds? int32 #4 | How many seconds a new pod must be ready before it counts as available. Default 0.
  selector *meta.LabelSelector #2 | Selects the pods that belong to the ReplicaSet. It must match the template's labels and cannot be changed.
  template? core.PodTemplateSpec #3 | The pod to run. Changes apply only to pods created afterwards.
struct ReplicaSetStatus | ReplicaSetStatus reports how many pods a ReplicaSet has.
  replicas int32 #1 | Number of pods of the ReplicaSet that are not terminating.
  fullyLabeledReplicas? int32 #2 | Number of pods, not terminating, that have all labels of the template.
  readyReplicas? int32 #4 | Number of pods, not terminating, that are ready.
  availableReplicas? int32 #5 | Number of pods, not terminating, that have been ready for at least minReadySeconds.
  terminatingReplicas? *int32 #7 since:1.33 | Number of pods that are being deleted but still exist. Needs the DeploymentReplicaSetTerminatingReplicas feature.
  observedGeneration? int64 #3 | The latest generation of the spec that the controller has seen.
  conditions? []ReplicaSetCondition #6 map:type merge:type | Current conditions of the ReplicaSet.
struct RollingUpdateDaemonSet | RollingUpdateDaemonSet controls the pace of a DaemonSet's rolling update. One of its fields must be above 0.
  maxUnavailable? *intorstring #1 | How many nodes may be without an available pod during the update, as a number or percentage. Default 1.
  maxSurge? *intorstring #2 | How many nodes may run an old and a new pod at once during the update, as a number or percentage. Default 0.
struct RollingUpdateDeployment | RollingUpdateDeployment controls the pace of a Deployment's rolling update. Its fields cannot both be 0.
  maxUnavailable? *intorstring #1 | How many pods may be unavailable during the update, as a number or as a percentage rounded down. Default 25%.
  maxSurge? *intorstring #2 | How many pods may run beyond replicas during the update, as a number or as a percentage rounded up. Default 25%.
struct RollingUpdateStatefulSetStrategy | RollingUpdateStatefulSetStrategy controls the rolling update of a StatefulSet.
  partition? *int32 #1 | Only pods with this ordinal or a higher one are updated. Default 0, which updates all.
  maxUnavailable? *intorstring #2 | How many pods may be unavailable during the update, as a number or percentage, never 0. Default 1.
kind StatefulSet | StatefulSet runs pods that keep a stable name, network identity and storage each.
  spec? StatefulSetSpec #2 | Which pods to run, how many, and how to update them.
  status? StatefulSetStatus #3 | How many pods there are. Set by the controller, and may lag a little behind.
struct StatefulSetCondition | StatefulSetCondition describes one aspect of a StatefulSet's current state.
  type StatefulSetConditionType #1 | The aspect that the condition describes.
  status core.ConditionStatus #2 | True, False or Unknown.
  lastTransitionTime? time #3 | When the status last changed.
  reason? string #4 | Why it changed, in one CamelCase word.
  message? string #5 | The same for people to read.
struct StatefulSetOrdinals | StatefulSetOrdinals says how the pods of a StatefulSet are numbered.
  start int32 #1 optional | The number of the first pod; the others count up from it. Default 0.
struct StatefulSetPersistentVolumeClaimRetentionPolicy | StatefulSetPersistentVolumeClaimRetentionPolicy says what happens to the claims made from volumeClaimTemplates.
  whenDeleted? PersistentVolumeClaimRetentionPolicyType #1 | What happens to the claims when the StatefulSet is deleted: Retain, the default, or Delete.
  whenScaled? PersistentVolumeClaimRetentionPolicyType #2 | What happens to the claims of pods removed by scaling down: Retain, the default, or Delete.
struct StatefulSetSpec | StatefulSetSpec describes the pods of a StatefulSet and how they are updated.
  replicas? *int32 #1 | Number of pods to run. Default 1; 0 is allowed.
  selector *meta.LabelSelector #2 | Selects the pods that belong to the StatefulSet. It must match the template's labels and cannot be changed.
  template core.PodTemplateSpec #3 | The pod to run. Each is named after the StatefulSet and its ordinal, such as web-0.
  volumeClaimTemplates? []core.PersistentVolumeClaim #4 atomic | Claims that every pod gets one each of, over volumes of the same name in the template. Cannot be changed.
  serviceName string #5 optional | The Service that gives the pods their DNS names. It should exist first, and cannot be changed.
  podManagementPolicy? PodManagementPolicyType #6 | OrderedReady, the default, starts and stops pods one by one; Parallel does not wait. Cannot be changed.
  updateStrategy? StatefulSetUpdateStrategy #7 | How running pods are replaced when the template changes.
  revisionHistoryLimit? *int32 #8 | How many old revisions to keep for rollback. Default 10.
  minReadySeconds? int32 #9 | How many seconds a new pod must be ready before it counts as available. Default 0.
  persistentVolumeClaimRetentionPolicy? *StatefulSetPersistentVolumeClaimRetentionPolicy #10 | What happens to the claims made from volumeClaimTemplates. They are kept by default.
  ordinals? *StatefulSetOrdinals #11 | How the pods are numbered. From 0 by default.
struct StatefulSetStatus | StatefulSetStatus reports how many pods a StatefulSet has.
  observedGeneration? int64 #1 | The latest generation of the spec that the controller has seen.
  replicas int32 #2 | Number of pods that the controller has created.
  readyReplicas? int32 #3 | Number of pods that are ready.
  currentReplicas? int32 #4 | Number of pods of the revision named by currentRevision.
  updatedReplicas? int32 #5 | Number of pods of the revision named by updateRevision.
  currentRevision? string #6 | The revision that pods had before the update that is under way.
  updateRevision? string #7 | The revision that pods are updated to.
  collisionCount? *int32 #9 | How often the name of a new ControllerRevision was already taken. The controller uses it to choose another.
  conditions? []StatefulSetCondition #10 map:type merge:type | Current conditions of the StatefulSet.
  availableReplicas int32 #11 optional | Number of pods that have been ready for at least minReadySeconds.
struct StatefulSetUpdateStrategy | StatefulSetUpdateStrategy says how the pods of a StatefulSet are replaced.
  type? StatefulSetUpdateStrategyType #1 | RollingUpdate, the default, replaces pods from the highest ordinal down. OnDelete replaces a pod only after you delete it.
  rollingUpdate? *RollingUpdateStatefulSetStrategy #2 | Settings of a rolling update. Only for type RollingUpdate.
)";
// clang-format on

}  // namespace strake::kinds::types
