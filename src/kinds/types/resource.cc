#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kResourceV1 = R"(
package io.k8s.api.resource.v1 group resource.k8s.io version v1
string AllocationConfigSource
string DeviceAllocationMode
string DeviceTaintEffect
string DeviceTolerationOperator
string FullyQualifiedName
string QualifiedName
struct AllocatedDeviceStatus
  driver string
  pool string
  device string
  shareID? *string
  conditions []meta.Condition optional map:type
  data? *runtime.RawExtension
  networkData? *NetworkDeviceData
struct AllocationResult
  devices? DeviceAllocationResult
  nodeSelector? *core.NodeSelector
  allocationTimestamp? *time
struct CELDeviceSelector
  expression string
struct CapacityRequestPolicy
  default *quantity optional
  validValues? []quantity atomic
  validRange? *CapacityRequestPolicyRange
struct CapacityRequestPolicyRange
  min? *quantity required
  max? *quantity
  step? *quantity
struct CapacityRequirements
  requests? map[string]quantity
struct Counter
  value quantity
struct CounterSet
  name string
  counters? map[string]Counter required
struct Device
  name string
  attributes? map[string]DeviceAttribute
  capacity? map[string]DeviceCapacity
  consumesCounters? []DeviceCounterConsumption atomic
  nodeName? *string
  nodeSelector? *core.NodeSelector
  allNodes? *bool
  taints? []DeviceTaint atomic
  bindsToNode? *bool
  bindingConditions? []string atomic
  bindingFailureConditions? []string atomic
  allowMultipleAllocations? *bool
  nodeAllocatableResourceMappings? map[string]NodeAllocatableResourceMapping since:1.36
struct DeviceAllocationConfiguration
  source AllocationConfigSource
  requests? []string atomic
  opaque? *OpaqueDeviceConfiguration in:DeviceConfiguration
struct DeviceAllocationResult
  results? []DeviceRequestAllocationResult atomic
  config? []DeviceAllocationConfiguration atomic
struct DeviceAttribute
  int? *int64
  bool? *bool
  string? *string
  version? *string
  ints? []int64 atomic since:1.36
  bools? []bool atomic since:1.36
  strings? []string atomic since:1.36
  versions? []string atomic since:1.36
struct DeviceCapacity
  value quantity
  requestPolicy? *CapacityRequestPolicy
struct DeviceClaim
  requests []DeviceRequest optional atomic
  constraints? []DeviceConstraint atomic
  config? []DeviceClaimConfiguration atomic
struct DeviceClaimConfiguration
  requests? []string atomic
  opaque? *OpaqueDeviceConfiguration in:DeviceConfiguration
kind DeviceClass since:1.34
  spec DeviceClassSpec
struct DeviceClassConfiguration
  opaque? *OpaqueDeviceConfiguration in:DeviceConfiguration
struct DeviceClassSpec
  selectors? []DeviceSelector atomic
  config? []DeviceClassConfiguration atomic
  extendedResourceName? *string
struct DeviceConstraint
  requests? []string atomic
  matchAttribute? *FullyQualifiedName
  distinctAttribute? *FullyQualifiedName
struct DeviceCounterConsumption
  counterSet string
  counters? map[string]Counter required
struct DeviceRequest
  name string
  exactly? *ExactDeviceRequest
  firstAvailable? []DeviceSubRequest atomic
struct DeviceRequestAllocationResult
  request string
  driver string
  pool string
  device string
  adminAccess? *bool
  tolerations? []DeviceToleration atomic
  bindingConditions? []string atomic
  bindingFailureConditions? []string atomic
  shareID? *uid
  consumedCapacity? map[string]quantity
struct DeviceSelector
  cel? *CELDeviceSelector
struct DeviceSubRequest
  name string
  deviceClassName string
  selectors? []DeviceSelector atomic
  allocationMode? DeviceAllocationMode
  count? int64
  tolerations? []DeviceToleration atomic
  capacity? *CapacityRequirements
struct DeviceTaint
  key string
  value? string
  effect DeviceTaintEffect
  timeAdded? *time
struct DeviceToleration
  key? string
  operator? DeviceTolerationOperator default:"Equal"
  value? string
  effect? DeviceTaintEffect
  tolerationSeconds? *int64
struct ExactDeviceRequest
  deviceClassName string
  selectors? []DeviceSelector atomic
  allocationMode? DeviceAllocationMode
  count? int64
  adminAccess? *bool
  tolerations? []DeviceToleration atomic
  capacity? *CapacityRequirements
struct NetworkDeviceData
  interfaceName? string
  ips? []string atomic
  hardwareAddress? string
struct NodeAllocatableResourceMapping
  capacityKey? *QualifiedName
  allocationMultiplier? *quantity
struct OpaqueDeviceConfiguration
  driver string
  parameters runtime.RawExtension
kind ResourceClaim since:1.34
  spec ResourceClaimSpec
  status? ResourceClaimStatus
struct ResourceClaimConsumerReference
  apiGroup? string
  resource string
  name string
  uid uid
struct ResourceClaimSpec
  devices DeviceClaim optional
struct ResourceClaimStatus
  allocation? *AllocationResult
  reservedFor? []ResourceClaimConsumerReference map:uid merge:uid
  devices? []AllocatedDeviceStatus map:driver,device,pool,shareID
kind ResourceClaimTemplate since:1.34
  spec ResourceClaimTemplateSpec
struct ResourceClaimTemplateSpec
  metadata? objectmeta
  spec ResourceClaimSpec
struct ResourcePool
  name string
  generation int64
  resourceSliceCount int64
kind ResourceSlice since:1.34
  spec ResourceSliceSpec
struct ResourceSliceSpec
  driver string
  pool ResourcePool
  nodeName? *string
  nodeSelector? *core.NodeSelector
  allNodes? *bool
  devices? []Device atomic
  perDeviceNodeSelection? *bool
  sharedCounters? []CounterSet atomic
)";

constinit const std::string_view kResourceV1alpha3 = R"(
package io.k8s.api.resource.v1alpha3 group resource.k8s.io version v1alpha3
string DeviceTaintEffect
struct DeviceTaint
  key string
  value? string
  effect DeviceTaintEffect
  timeAdded? *time
kind DeviceTaintRule since:1.33 deprecated:1.36 removed:1.39
  spec DeviceTaintRuleSpec
  status? DeviceTaintRuleStatus since:1.35
struct DeviceTaintRuleSpec
  deviceSelector? *DeviceTaintSelector
  taint? DeviceTaint required
struct DeviceTaintRuleStatus
  conditions? []meta.Condition map:type merge:type
struct DeviceTaintSelector
  driver? *string
  pool? *string
  device? *string
  deviceClassName? *string since:1.33 removed:1.35
  selectors? runtime.RawExtension since:1.33 removed:1.35
struct PoolStatus
  driver? string required
  poolName? string required
  generation int64
  resourceSliceCount? *int32
  totalDevices? *int32
  allocatedDevices? *int32
  availableDevices? *int32
  unavailableDevices? *int32
  nodeName? *string
  validationError? *string
kind ResourcePoolStatusRequest metadata-required since:1.36 deprecated:1.39 removed:1.42
  spec ResourcePoolStatusRequestSpec
  status? *ResourcePoolStatusRequestStatus
struct ResourcePoolStatusRequestSpec
  driver string
  poolName? *string
  limit? *int32 default:100
struct ResourcePoolStatusRequestStatus
  poolCount? *int32 required
  pools? []PoolStatus atomic
  conditions? []meta.Condition map:type merge:type
)";

constinit const std::string_view kResourceV1beta1 = R"(
package io.k8s.api.resource.v1beta1 group resource.k8s.io version v1beta1
string AllocationConfigSource
string DeviceAllocationMode
string DeviceTaintEffect
string DeviceTolerationOperator
string FullyQualifiedName
string QualifiedName
struct AllocatedDeviceStatus
  driver string
  pool string
  device string
  shareID? *string since:1.34
  conditions []meta.Condition optional map:type
  data? *runtime.RawExtension
  networkData? *NetworkDeviceData
struct AllocationResult
  devices? DeviceAllocationResult
  nodeSelector? *core.NodeSelector
  allocationTimestamp? *time since:1.34
struct BasicDevice
  attributes? map[string]DeviceAttribute
  capacity? map[string]DeviceCapacity
  consumesCounters? []DeviceCounterConsumption atomic since:1.33
  nodeName? *string since:1.33
  nodeSelector? *core.NodeSelector since:1.33
  allNodes? *bool since:1.33
  taints? []DeviceTaint atomic since:1.33
  bindsToNode? *bool since:1.34
  bindingConditions? []string atomic since:1.34
  bindingFailureConditions? []string atomic since:1.34
  allowMultipleAllocations? *bool since:1.34
  nodeAllocatableResourceMappings? map[string]NodeAllocatableResourceMapping since:1.36
struct CELDeviceSelector
  expression string
struct CapacityRequestPolicy
  default *quantity optional
  validValues? []quantity atomic
  validRange? *CapacityRequestPolicyRange
struct CapacityRequestPolicyRange
  min? *quantity required
  max? *quantity
  step? *quantity
struct CapacityRequirements
  requests? map[string]quantity
struct Counter
  value quantity
struct CounterSet
  name string
  counters? map[string]Counter required
struct Device
  name string
  basic? *BasicDevice
struct DeviceAllocationConfiguration
  source AllocationConfigSource
  requests? []string atomic
  opaque? *OpaqueDeviceConfiguration in:DeviceConfiguration
struct DeviceAllocationResult
  results? []DeviceRequestAllocationResult atomic
  config? []DeviceAllocationConfiguration atomic
struct DeviceAttribute
  int? *int64
  bool? *bool
  string? *string
  version? *string
  ints? []int64 atomic since:1.36
  bools? []bool atomic since:1.36
  strings? []string atomic since:1.36
  versions? []string atomic since:1.36
struct DeviceCapacity
  value quantity
  requestPolicy? *CapacityRequestPolicy since:1.34
struct DeviceClaim
  requests []DeviceRequest optional atomic
  constraints? []DeviceConstraint atomic
  config? []DeviceClaimConfiguration atomic
struct DeviceClaimConfiguration
  requests? []string atomic
  opaque? *OpaqueDeviceConfiguration in:DeviceConfiguration
kind DeviceClass since:1.32 deprecated:1.35 removed:1.38
  spec DeviceClassSpec
struct DeviceClassConfiguration
  opaque? *OpaqueDeviceConfiguration in:DeviceConfiguration
struct DeviceClassSpec
  selectors? []DeviceSelector atomic
  config? []DeviceClassConfiguration atomic
  extendedResourceName? *string since:1.34
struct DeviceConstraint
  requests? []string atomic
  matchAttribute? *FullyQualifiedName
  distinctAttribute? *FullyQualifiedName since:1.34
struct DeviceCounterConsumption
  counterSet string
  counters? map[string]Counter required
struct DeviceRequest
  name string
  deviceClassName string optional
  selectors? []DeviceSelector atomic
  allocationMode? DeviceAllocationMode
  count? int64
  adminAccess? *bool
  firstAvailable? []DeviceSubRequest atomic since:1.33
  tolerations? []DeviceToleration atomic since:1.33
  capacity? *CapacityRequirements since:1.34
struct DeviceRequestAllocationResult
  request string
  driver string
  pool string
  device string
  adminAccess? *bool
  tolerations? []DeviceToleration atomic since:1.33
  bindingConditions? []string atomic since:1.34
  bindingFailureConditions? []string atomic since:1.34
  shareID? *uid since:1.34
  consumedCapacity? map[string]quantity since:1.34
struct DeviceSelector
  cel? *CELDeviceSelector
struct DeviceSubRequest
  name string
  deviceClassName string
  selectors? []DeviceSelector atomic
  allocationMode? DeviceAllocationMode
  count? int64
  tolerations? []DeviceToleration atomic
  capacity? *CapacityRequirements since:1.34
struct DeviceTaint
  key string
  value? string
  effect DeviceTaintEffect
  timeAdded? *time
struct DeviceToleration
  key? string
  operator? DeviceTolerationOperator default:"Equal"
  value? string
  effect? DeviceTaintEffect
  tolerationSeconds? *int64
struct NetworkDeviceData
  interfaceName? string
  ips? []string atomic
  hardwareAddress? string
struct NodeAllocatableResourceMapping
  capacityKey? *QualifiedName
  allocationMultiplier? *quantity
struct OpaqueDeviceConfiguration
  driver string
  parameters runtime.RawExtension
kind ResourceClaim since:1.32 deprecated:1.35 removed:1.38
  spec ResourceClaimSpec
  status? ResourceClaimStatus
struct ResourceClaimConsumerReference
  apiGroup? string
  resource string
  name string
  uid uid
struct ResourceClaimSpec
  devices DeviceClaim optional
struct ResourceClaimStatus
  allocation? *AllocationResult
  reservedFor? []ResourceClaimConsumerReference map:uid merge:uid
  devices? []AllocatedDeviceStatus map:driver,device,pool,shareID
kind ResourceClaimTemplate since:1.32 deprecated:1.35 removed:1.38
  spec ResourceClaimTemplateSpec
struct ResourceClaimTemplateSpec
  metadata? objectmeta
  spec ResourceClaimSpec
struct ResourcePool
  name string
  generation int64
  resourceSliceCount int64
kind ResourceSlice since:1.32 deprecated:1.35 removed:1.38
  spec ResourceSliceSpec
struct ResourceSliceSpec
  driver string
  pool ResourcePool
  nodeName? string
  nodeSelector? *core.NodeSelector
  allNodes? bool
  devices? []Device atomic
  perDeviceNodeSelection? *bool since:1.33
  sharedCounters? []CounterSet atomic since:1.33
)";

constinit const std::string_view kResourceV1beta2 = R"(
package io.k8s.api.resource.v1beta2 group resource.k8s.io version v1beta2
string AllocationConfigSource
string DeviceAllocationMode
string DeviceTaintEffect
string DeviceTolerationOperator
string FullyQualifiedName
string QualifiedName
struct AllocatedDeviceStatus
  driver string
  pool string
  device string
  shareID? *string since:1.34
  conditions []meta.Condition optional map:type
  data? *runtime.RawExtension
  networkData? *NetworkDeviceData
struct AllocationResult
  devices? DeviceAllocationResult
  nodeSelector? *core.NodeSelector
  allocationTimestamp? *time since:1.34
struct CELDeviceSelector
  expression string
struct CapacityRequestPolicy
  default *quantity optional
  validValues? []quantity atomic
  validRange? *CapacityRequestPolicyRange
struct CapacityRequestPolicyRange
  min? *quantity required
  max? *quantity
  step? *quantity
struct CapacityRequirements
  requests? map[string]quantity
struct Counter
  value quantity
struct CounterSet
  name string
  counters? map[string]Counter required
struct Device
  name string
  attributes? map[string]DeviceAttribute
  capacity? map[string]DeviceCapacity
  consumesCounters? []DeviceCounterConsumption atomic
  nodeName? *string
  nodeSelector? *core.NodeSelector
  allNodes? *bool
  taints? []DeviceTaint atomic
  bindsToNode? *bool since:1.34
  bindingConditions? []string atomic since:1.34
  bindingFailureConditions? []string atomic since:1.34
  allowMultipleAllocations? *bool since:1.34
  nodeAllocatableResourceMappings? map[string]NodeAllocatableResourceMapping since:1.36
struct DeviceAllocationConfiguration
  source AllocationConfigSource
  requests? []string atomic
  opaque? *OpaqueDeviceConfiguration in:DeviceConfiguration
struct DeviceAllocationResult
  results? []DeviceRequestAllocationResult atomic
  config? []DeviceAllocationConfiguration atomic
struct DeviceAttribute
  int? *int64
  bool? *bool
  string? *string
  version? *string
  ints? []int64 atomic since:1.36
  bools? []bool atomic since:1.36
  strings? []string atomic since:1.36
  versions? []string atomic since:1.36
struct DeviceCapacity
  value quantity
  requestPolicy? *CapacityRequestPolicy since:1.34
struct DeviceClaim
  requests []DeviceRequest optional atomic
  constraints? []DeviceConstraint atomic
  config? []DeviceClaimConfiguration atomic
struct DeviceClaimConfiguration
  requests? []string atomic
  opaque? *OpaqueDeviceConfiguration in:DeviceConfiguration
kind DeviceClass since:1.33 deprecated:1.36 removed:1.39
  spec DeviceClassSpec
struct DeviceClassConfiguration
  opaque? *OpaqueDeviceConfiguration in:DeviceConfiguration
struct DeviceClassSpec
  selectors? []DeviceSelector atomic
  config? []DeviceClassConfiguration atomic
  extendedResourceName? *string since:1.34
struct DeviceConstraint
  requests? []string atomic
  matchAttribute? *FullyQualifiedName
  distinctAttribute? *FullyQualifiedName since:1.34
struct DeviceCounterConsumption
  counterSet string
  counters? map[string]Counter required
struct DeviceRequest
  name string
  exactly? *ExactDeviceRequest
  firstAvailable? []DeviceSubRequest atomic
struct DeviceRequestAllocationResult
  request string
  driver string
  pool string
  device string
  adminAccess? *bool
  tolerations? []DeviceToleration atomic
  bindingConditions? []string atomic since:1.34
  bindingFailureConditions? []string atomic since:1.34
  shareID? *uid since:1.34
  consumedCapacity? map[string]quantity since:1.34
struct DeviceSelector
  cel? *CELDeviceSelector
struct DeviceSubRequest
  name string
  deviceClassName string
  selectors? []DeviceSelector atomic
  allocationMode? DeviceAllocationMode
  count? int64
  tolerations? []DeviceToleration atomic
  capacity? *CapacityRequirements since:1.34
struct DeviceTaint
  key string
  value? string
  effect DeviceTaintEffect
  timeAdded? *time
kind DeviceTaintRule since:1.36 deprecated:1.39 removed:1.42
  spec DeviceTaintRuleSpec
  status? DeviceTaintRuleStatus
struct DeviceTaintRuleSpec
  deviceSelector? *DeviceTaintSelector
  taint? DeviceTaint required
struct DeviceTaintRuleStatus
  conditions? []meta.Condition map:type merge:type
struct DeviceTaintSelector
  driver? *string
  pool? *string
  device? *string
struct DeviceToleration
  key? string
  operator? DeviceTolerationOperator default:"Equal"
  value? string
  effect? DeviceTaintEffect
  tolerationSeconds? *int64
struct ExactDeviceRequest
  deviceClassName string
  selectors? []DeviceSelector atomic
  allocationMode? DeviceAllocationMode
  count? int64
  adminAccess? *bool
  tolerations? []DeviceToleration atomic
  capacity? *CapacityRequirements since:1.34
struct NetworkDeviceData
  interfaceName? string
  ips? []string atomic
  hardwareAddress? string
struct NodeAllocatableResourceMapping
  capacityKey? *QualifiedName
  allocationMultiplier? *quantity
struct OpaqueDeviceConfiguration
  driver string
  parameters runtime.RawExtension
kind ResourceClaim since:1.33 deprecated:1.36 removed:1.39
  spec ResourceClaimSpec
  status? ResourceClaimStatus
struct ResourceClaimConsumerReference
  apiGroup? string
  resource string
  name string
  uid uid
struct ResourceClaimSpec
  devices DeviceClaim optional
struct ResourceClaimStatus
  allocation? *AllocationResult
  reservedFor? []ResourceClaimConsumerReference map:uid merge:uid
  devices? []AllocatedDeviceStatus map:driver,device,pool,shareID
kind ResourceClaimTemplate since:1.33 deprecated:1.36 removed:1.39
  spec ResourceClaimTemplateSpec
struct ResourceClaimTemplateSpec
  metadata? objectmeta
  spec ResourceClaimSpec
struct ResourcePool
  name string
  generation int64
  resourceSliceCount int64
kind ResourceSlice since:1.33 deprecated:1.36 removed:1.39
  spec ResourceSliceSpec
struct ResourceSliceSpec
  driver string
  pool ResourcePool
  nodeName? *string
  nodeSelector? *core.NodeSelector
  allNodes? *bool
  devices? []Device atomic
  perDeviceNodeSelection? *bool
  sharedCounters? []CounterSet atomic
)";
// clang-format on

}  // namespace strake::kinds::types
