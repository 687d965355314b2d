#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kAutoscalingV1 = R"(
package io.k8s.api.autoscaling.v1 group autoscaling version v1
struct CrossVersionObjectReference atomic
  kind string
  name string
  apiVersion? string
kind HorizontalPodAutoscaler
  spec? HorizontalPodAutoscalerSpec required
  status? HorizontalPodAutoscalerStatus
struct HorizontalPodAutoscalerSpec
  scaleTargetRef CrossVersionObjectReference
  minReplicas? *int32
  maxReplicas int32
  targetCPUUtilizationPercentage? *int32
struct HorizontalPodAutoscalerStatus
  observedGeneration? *int64
  lastScaleTime? *time
  currentReplicas int32
  desiredReplicas int32
  currentCPUUtilizationPercentage? *int32
review Scale
  spec? ScaleSpec
  status? ScaleStatus
struct ScaleSpec
  replicas? int32 default:0
struct ScaleStatus
  replicas int32
  selector? string
)";

constinit const std::string_view kAutoscalingV2 = R"(
package io.k8s.api.autoscaling.v2 group autoscaling version v2
string HPAScalingPolicyType
string HorizontalPodAutoscalerConditionType
string MetricSourceType
string MetricTargetType
string ScalingPolicySelect
struct ContainerResourceMetricSource
  name core.ResourceName
  target MetricTarget
  container string
struct ContainerResourceMetricStatus
  name core.ResourceName
  current MetricValueStatus
  container string
struct CrossVersionObjectReference
  kind string
  name string
  apiVersion? string
struct ExternalMetricSource
  metric MetricIdentifier
  target MetricTarget
struct ExternalMetricStatus
  metric MetricIdentifier
  current MetricValueStatus
struct HPAScalingPolicy
  type HPAScalingPolicyType
  value int32
  periodSeconds int32
struct HPAScalingRules
  stabilizationWindowSeconds? *int32
  selectPolicy? *ScalingPolicySelect
  policies? []HPAScalingPolicy atomic
  tolerance? *quantity since:1.33
kind HorizontalPodAutoscaler
  spec? HorizontalPodAutoscalerSpec required
  status? HorizontalPodAutoscalerStatus
struct HorizontalPodAutoscalerBehavior
  scaleUp? *HPAScalingRules
  scaleDown? *HPAScalingRules
struct HorizontalPodAutoscalerCondition
  type HorizontalPodAutoscalerConditionType
  status core.ConditionStatus
  lastTransitionTime? time
  reason? string
  message? string
struct HorizontalPodAutoscalerSpec
  scaleTargetRef CrossVersionObjectReference
  minReplicas? *int32
  maxReplicas int32
  metrics? []MetricSpec atomic
  behavior? *HorizontalPodAutoscalerBehavior
struct HorizontalPodAutoscalerStatus
  observedGeneration? *int64
  lastScaleTime? *time
  currentReplicas? int32
  desiredReplicas int32
  currentMetrics []MetricStatus optional atomic
  conditions? []HorizontalPodAutoscalerCondition map:type merge:type
struct MetricIdentifier
  name string
  selector? *meta.LabelSelector
struct MetricSpec
  type MetricSourceType
  object? *ObjectMetricSource
  pods? *PodsMetricSource
  resource? *ResourceMetricSource
  containerResource? *ContainerResourceMetricSource
  external? *ExternalMetricSource
struct MetricStatus
  type MetricSourceType
  object? *ObjectMetricStatus
  pods? *PodsMetricStatus
  resource? *ResourceMetricStatus
  containerResource? *ContainerResourceMetricStatus
  external? *ExternalMetricStatus
struct MetricTarget
  type MetricTargetType
  value? *quantity
  averageValue? *quantity
  averageUtilization? *int32
struct MetricValueStatus
  value? *quantity
  averageValue? *quantity
  averageUtilization? *int32
struct ObjectMetricSource
  describedObject CrossVersionObjectReference
  target MetricTarget
  metric MetricIdentifier
struct ObjectMetricStatus
  metric MetricIdentifier
  current MetricValueStatus
  describedObject CrossVersionObjectReference
struct PodsMetricSource
  metric MetricIdentifier
  target MetricTarget
struct PodsMetricStatus
  metric MetricIdentifier
  current MetricValueStatus
struct ResourceMetricSource
  name core.ResourceName
  target MetricTarget
struct ResourceMetricStatus
  name core.ResourceName
  current MetricValueStatus
)";
// clang-format on

}  // namespace strake::kinds::types
