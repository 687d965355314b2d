#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kAutoscalingV1 = R"(
package io.k8s.api.autoscaling.v1 group autoscaling version v1
struct CrossVersionObjectReference atomic | CrossVersionObjectReference identifies an object in the same namespace.
  kind string #1 | The kind of the object, such as Deployment.
  name string #2 | The name of the object.
  apiVersion? string #3 | The group and version of the object, such as apps/v1.
kind HorizontalPodAutoscaler | HorizontalPodAutoscaler adjusts the number of replicas of a workload to its CPU usage. autoscaling/v2 supports other metrics.
  spec? HorizontalPodAutoscalerSpec #2 required | What to scale, and between which limits.
  status? HorizontalPodAutoscalerStatus #3 | The current usage and replicas. Set by the controller.
struct HorizontalPodAutoscalerSpec | HorizontalPodAutoscalerSpec says what is scaled and how.
  scaleTargetRef CrossVersionObjectReference #1 | The workload to scale. It must have a scale subresource.
  minReplicas? *int32 #2 | The fewest replicas to scale down to. Default 1; 0 needs the HPAScaleToZero feature and an Object or External metric.
  maxReplicas int32 #3 | The most replicas to scale up to. Must not be less than minReplicas.
  targetCPUUtilizationPercentage? *int32 #4 | Average CPU usage of all pods to aim for, in percent of what they request. Default 80.
struct HorizontalPodAutoscalerStatus | HorizontalPodAutoscalerStatus reports what an autoscaler sees and wants.
  observedGeneration? *int64 #1 | The latest generation of the spec that the controller has seen.
  lastScaleTime? *time #2 | When the number of replicas was last changed.
  currentReplicas int32 #3 | The number of replicas last seen.
  desiredReplicas int32 #4 | The number of replicas last calculated.
  currentCPUUtilizationPercentage? *int32 #5 | The current average CPU usage of all pods, in percent of what they request.
review Scale | Scale is the scale subresource of a workload, which reads and sets its number of replicas.
  spec? ScaleSpec #2 | The number of replicas wanted.
  status? ScaleStatus #3 | The number of replicas there are. Set by the server.
struct ScaleSpec | ScaleSpec says how many replicas are wanted.
  replicas? int32 #1 default:0 | Number of replicas wanted. Default 0.
struct ScaleStatus | ScaleStatus reports how many replicas there are.
  replicas int32 #1 | Number of replicas last observed.
  selector? string #2 | The label selector of the replicas' pods, as text.
)";

constinit const std::string_view kAutoscalingV2 = R"(
package io.k8s.api.autoscaling.v2 group autoscaling version v2
string HPAScalingPolicyType
string HorizontalPodAutoscalerConditionType
string MetricSourceType
string MetricTargetType
string ScalingPolicySelect
struct ContainerResourceMetricSource | ContainerResourceMetricSource scales on the CPU or memory that one container uses in each pod.
  name core.ResourceName #1 | The resource, such as cpu or memory.
  target MetricTarget #2 | The usage to aim for.
  container string #3 | The name of the container.
struct ContainerResourceMetricStatus | ContainerResourceMetricStatus reports what one container uses of a resource in each pod.
  name core.ResourceName #1 | The resource, such as cpu or memory.
  current MetricValueStatus #2 | The current usage.
  container string #3 | The name of the container.
struct CrossVersionObjectReference | CrossVersionObjectReference identifies an object in the same namespace.
  kind string #1 | The kind of the object, such as Deployment.
  name string #2 | The name of the object.
  apiVersion? string #3 | The group and version of the object, such as apps/v1.
struct ExternalMetricSource | ExternalMetricSource scales on a metric that belongs to no Kubernetes object, such as the length of a cloud queue.
  metric MetricIdentifier #1 | The metric.
  target MetricTarget #2 | The value to aim for.
struct ExternalMetricStatus | ExternalMetricStatus reports the value of a metric that belongs to no Kubernetes object.
  metric MetricIdentifier #1 | The metric.
  current MetricValueStatus #2 | Its current value.
struct HPAScalingPolicy | HPAScalingPolicy limits how much the number of replicas may change within a period.
  type HPAScalingPolicyType #1 | Pods limits the change to a number of pods, Percent to a share of the current replicas.
  value int32 #2 | How much change is allowed. Must be above 0.
  periodSeconds int32 #3 | The length of the period, from 1 to 1800 seconds.
struct HPAScalingRules | HPAScalingRules says how fast replicas may be added or removed.
  stabilizationWindowSeconds? *int32 #3 | How far back recommendations are considered, 0 to 3600 seconds. Default 0 for scaling up, 300 for scaling down.
  selectPolicy? *ScalingPolicySelect #1 | Which policy wins: Max, the default, allows the largest change, Min the smallest, Disabled forbids scaling this way.
  policies? []HPAScalingPolicy #2 atomic | Limits on the change. By default up: 4 pods or 100% per 15 seconds, whichever is more; down: 100% per 15 seconds.
  tolerance? *quantity #4 since:1.33 | How far a metric may be from its target before scaling, such as 0.05. By default a cluster-wide setting, usually 10%.
kind HorizontalPodAutoscaler | HorizontalPodAutoscaler adjusts the number of replicas of a workload to keep metrics at their targets.
  spec? HorizontalPodAutoscalerSpec #2 required | What to scale, between which limits, and by which metrics.
  status? HorizontalPodAutoscalerStatus #3 | The current metrics and replicas. Set by the controller.
struct HorizontalPodAutoscalerBehavior | HorizontalPodAutoscalerBehavior controls the pace of scaling in each direction.
  scaleUp? *HPAScalingRules #1 | The pace of scaling up.
  scaleDown? *HPAScalingRules #2 | The pace of scaling down.
struct HorizontalPodAutoscalerCondition | HorizontalPodAutoscalerCondition describes one aspect of an autoscaler's current state.
  type HorizontalPodAutoscalerConditionType #1 | ScalingActive, AbleToScale or ScalingLimited.
  status core.ConditionStatus #2 | True, False or Unknown.
  lastTransitionTime? time #3 | When the status last changed.
  reason? string #4 | Why it changed, in one CamelCase word.
  message? string #5 | The same for people to read.
struct HorizontalPodAutoscalerSpec | HorizontalPodAutoscalerSpec says what is scaled and how.
  scaleTargetRef CrossVersionObjectReference #1 | The workload to scale. It must have a scale subresource.
  minReplicas? *int32 #2 | The fewest replicas to scale down to. Default 1; 0 needs the HPAScaleToZero feature and an Object or External metric.
  maxReplicas int32 #3 | The most replicas to scale up to. Must not be less than minReplicas.
  metrics? []MetricSpec #4 atomic | The metrics to scale on; the one that asks for most replicas wins. By default 80% average CPU utilization.
  behavior? *HorizontalPodAutoscalerBehavior #5 | The pace of scaling up and down.
struct HorizontalPodAutoscalerStatus | HorizontalPodAutoscalerStatus reports what an autoscaler sees and wants.
  observedGeneration? *int64 #1 | The latest generation of the spec that the controller has seen.
  lastScaleTime? *time #2 | When the number of replicas was last changed.
  currentReplicas? int32 #3 | The number of replicas last seen.
  desiredReplicas int32 #4 | The number of replicas last calculated.
  currentMetrics []MetricStatus #5 optional atomic | The metrics as last read.
  conditions? []HorizontalPodAutoscalerCondition #6 map:type merge:type | Current conditions of the autoscaler.
struct MetricIdentifier | MetricIdentifier identifies a metric.
  name string #1 | The name of the metric.
  selector? *meta.LabelSelector #2 | Narrows the metric down by its labels. It is passed on to the metrics server as it is.
struct MetricSpec | MetricSpec is one metric to scale on. Set the field that belongs to its type.
  type MetricSourceType #1 | Resource, ContainerResource, Pods, Object or External.
  object? *ObjectMetricSource #2 | A metric of a single Kubernetes object. For type Object.
  pods? *PodsMetricSource #3 | A custom metric of each pod, averaged. For type Pods.
  resource? *ResourceMetricSource #4 | The CPU or memory that the pods use. For type Resource.
  containerResource? *ContainerResourceMetricSource #7 | The CPU or memory that one container of each pod uses. For type ContainerResource.
  external? *ExternalMetricSource #5 | A metric that belongs to no Kubernetes object. For type External.
struct MetricStatus | MetricStatus is the last reading of one metric. The field that belongs to its type is set.
  type MetricSourceType #1 | Resource, ContainerResource, Pods, Object or External.
  object? *ObjectMetricStatus #2 | A metric of a single Kubernetes object. For type Object.
  pods? *PodsMetricStatus #3 | A custom metric of each pod, averaged. For type Pods.
  resource? *ResourceMetricStatus #4 | The CPU or memory that the pods use. For type Resource.
  containerResource? *ContainerResourceMetricStatus #7 | The CPU or memory that one container of each pod uses. For type ContainerResource.
  external? *ExternalMetricStatus #5 | A metric that belongs to no Kubernetes object. For type External.
struct MetricTarget | MetricTarget is the value of a metric to aim for.
  type MetricTargetType #1 | Utilization, Value or AverageValue.
  value? *quantity #2 | The total value of the metric. For type Value.
  averageValue? *quantity #3 | The value of the metric per pod. For type AverageValue.
  averageUtilization? *int32 #4 | The average usage of all pods in percent of what they request. Only for Resource and ContainerResource metrics.
struct MetricValueStatus | MetricValueStatus is the current value of a metric.
  value? *quantity #1 | The total value of the metric.
  averageValue? *quantity #2 | The value of the metric per pod.
  averageUtilization? *int32 #3 | The average usage of all pods in percent of what they request.
struct ObjectMetricSource | ObjectMetricSource scales on a metric of a single Kubernetes object, such as requests per second of an Ingress.
  describedObject CrossVersionObjectReference #1 | The object that the metric belongs to.
  target MetricTarget #2 | The value to aim for.
  metric MetricIdentifier #3 | The metric.
struct ObjectMetricStatus | ObjectMetricStatus reports a metric of a single Kubernetes object.
  metric MetricIdentifier #1 | The metric.
  current MetricValueStatus #2 | Its current value.
  describedObject CrossVersionObjectReference #3 | The object that the metric belongs to.
struct PodsMetricSource | PodsMetricSource scales on a custom metric of each pod, averaged over all pods.
  metric MetricIdentifier #1 | The metric.
  target MetricTarget #2 | The value to aim for. Its type must be AverageValue.
struct PodsMetricStatus | PodsMetricStatus reports a custom metric of each pod, averaged over all pods.
  metric MetricIdentifier #1 | The metric.
  current MetricValueStatus #2 | Its current value.
struct ResourceMetricSource | ResourceMetricSource scales on the CPU or memory that the pods use.
  name core.ResourceName #1 | The resource, such as cpu or memory.
  target MetricTarget #2 | The usage to aim for.
struct ResourceMetricStatus | ResourceMetricStatus reports what the pods use of a resource.
  name core.ResourceName #1 | The resource, such as cpu or memory.
  current MetricValueStatus #2 | The current usage.
)";
// clang-format on

}  // namespace strake::kinds::types
