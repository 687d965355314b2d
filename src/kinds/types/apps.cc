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
kind ControllerRevision
  data? runtime.RawExtension
  revision int64
kind DaemonSet
  spec? DaemonSetSpec
  status? DaemonSetStatus
struct DaemonSetCondition
  type DaemonSetConditionType
  status core.ConditionStatus
  lastTransitionTime? time
  reason? string
  message? string
struct DaemonSetSpec
  selector *meta.LabelSelector
  template core.PodTemplateSpec
  updateStrategy? DaemonSetUpdateStrategy
  minReadySeconds? int32
  revisionHistoryLimit? *int32
struct DaemonSetStatus
  currentNumberScheduled int32
  numberMisscheduled int32
  desiredNumberScheduled int32
  numberReady int32
  observedGeneration? int64
  updatedNumberScheduled? int32
  numberAvailable? int32
  numberUnavailable? int32
  collisionCount? *int32
  conditions? []DaemonSetCondition map:type merge:type
struct DaemonSetUpdateStrategy
  type? DaemonSetUpdateStrategyType
  rollingUpdate? *RollingUpdateDaemonSet
kind Deployment
  spec? DeploymentSpec
  status? DeploymentStatus
struct DeploymentCondition
  type DeploymentConditionType
  status core.ConditionStatus
  lastUpdateTime? time
  lastTransitionTime? time
  reason? string
  message? string
struct DeploymentSpec
  replicas? *int32
  selector *meta.LabelSelector
  template core.PodTemplateSpec
  strategy? DeploymentStrategy retain-keys
  minReadySeconds? int32
  revisionHistoryLimit? *int32
  paused? bool
  progressDeadlineSeconds? *int32
struct DeploymentStatus
  observedGeneration? int64
  replicas? int32
  updatedReplicas? int32
  readyReplicas? int32
  availableReplicas? int32
  unavailableReplicas? int32
  terminatingReplicas? *int32 since:1.33
  conditions? []DeploymentCondition map:type merge:type
  collisionCount? *int32
struct DeploymentStrategy
  type? DeploymentStrategyType
  rollingUpdate? *RollingUpdateDeployment
kind ReplicaSet
  spec? ReplicaSetSpec
  status? ReplicaSetStatus
struct ReplicaSetCondition
  type ReplicaSetConditionType
  status core.ConditionStatus
  lastTransitionTime? time
  reason? string
  message? string
struct ReplicaSetSpec
  replicas? *int32
  minReadySeconds? int32
  selector *meta.LabelSelector
  template? core.PodTemplateSpec
struct ReplicaSetStatus
  replicas int32
  fullyLabeledReplicas? int32
  readyReplicas? int32
  availableReplicas? int32
  terminatingReplicas? *int32 since:1.33
  observedGeneration? int64
  conditions? []ReplicaSetCondition map:type merge:type
struct RollingUpdateDaemonSet
  maxUnavailable? *intorstring
  maxSurge? *intorstring
struct RollingUpdateDeployment
  maxUnavailable? *intorstring
  maxSurge? *intorstring
struct RollingUpdateStatefulSetStrategy
  partition? *int32
  maxUnavailable? *intorstring
kind StatefulSet
  spec? StatefulSetSpec
  status? StatefulSetStatus
struct StatefulSetCondition
  type StatefulSetConditionType
  status core.ConditionStatus
  lastTransitionTime? time
  reason? string
  message? string
struct StatefulSetOrdinals
  start int32 optional
struct StatefulSetPersistentVolumeClaimRetentionPolicy
  whenDeleted? PersistentVolumeClaimRetentionPolicyType
  whenScaled? PersistentVolumeClaimRetentionPolicyType
struct StatefulSetSpec
  replicas? *int32
  selector *meta.LabelSelector
  template core.PodTemplateSpec
  volumeClaimTemplates? []core.PersistentVolumeClaim atomic
  serviceName string optional
  podManagementPolicy? PodManagementPolicyType
  updateStrategy? StatefulSetUpdateStrategy
  revisionHistoryLimit? *int32
  minReadySeconds? int32
  persistentVolumeClaimRetentionPolicy? *StatefulSetPersistentVolumeClaimRetentionPolicy
  ordinals? *StatefulSetOrdinals
struct StatefulSetStatus
  observedGeneration? int64
  replicas int32
  readyReplicas? int32
  currentReplicas? int32
  updatedReplicas? int32
  currentRevision? string
  updateRevision? string
  collisionCount? *int32
  conditions? []StatefulSetCondition map:type merge:type
  availableReplicas int32 optional
struct StatefulSetUpdateStrategy
  type? StatefulSetUpdateStrategyType
  rollingUpdate? *RollingUpdateStatefulSetStrategy
)";
// clang-format on

}  // namespace strake::kinds::types
