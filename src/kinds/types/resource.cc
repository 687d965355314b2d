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
  driver string #1
  pool string #2
  device string #3
  shareID? *string #7
  conditions []meta.Condition #4 optional map:type
  data? *runtime.RawExtension #5
  networkData? *NetworkDeviceData #6
struct AllocationResult
  devices? DeviceAllocationResult #1
  nodeSelector? *core.NodeSelector #3
  allocationTimestamp? *time #5
struct CELDeviceSelector
  expression string #1
struct CapacityRequestPolicy
  default *quantity #1 optional
  validValues? []quantity #3 atomic
  validRange? *CapacityRequestPolicyRange #4
struct CapacityRequestPolicyRange
  min? *quantity #1 required
  max? *quantity #2
  step? *quantity #3
struct CapacityRequirements
  requests? map[string]quantity #1
struct Counter
  value quantity #1
struct CounterSet
  name string #1
  counters? map[string]Counter #2 required
struct Device
  name string #1
  attributes? map[string]DeviceAttribute #2
  capacity? map[string]DeviceCapacity #3
  consumesCounters? []DeviceCounterConsumption #4 atomic
  nodeName? *string #5
  nodeSelector? *core.NodeSelector #6
  allNodes? *bool #7
  taints? []DeviceTaint #8 atomic
  bindsToNode? *bool #9
  bindingConditions? []string #10 atomic
  bindingFailureConditions? []string #11 atomic
  allowMultipleAllocations? *bool #12
  nodeAllocatableResourceMappings? map[string]NodeAllocatableResourceMapping #13 since:1.36
struct DeviceAllocationConfiguration
  source AllocationConfigSource #1
  requests? []string #2 atomic
  opaque? *OpaqueDeviceConfiguration #3.1 in:DeviceConfiguration
struct DeviceAllocationResult
  results? []DeviceRequestAllocationResult #1 atomic
  config? []DeviceAllocationConfiguration #2 atomic
struct DeviceAttribute
  int? *int64 #2
  bool? *bool #3
  string? *string #4
  version? *string #5
  ints? []int64 #6 atomic since:1.36
  bools? []bool #7 atomic since:1.36
  strings? []string #8 atomic since:1.36
  versions? []string #9 atomic since:1.36
struct DeviceCapacity
  value quantity #1
  requestPolicy? *CapacityRequestPolicy #2
struct DeviceClaim
  requests []DeviceRequest #1 optional atomic
  constraints? []DeviceConstraint #2 atomic
  config? []DeviceClaimConfiguration #3 atomic
struct DeviceClaimConfiguration
  requests? []string #1 atomic
  opaque? *OpaqueDeviceConfiguration #2.1 in:DeviceConfiguration
kind DeviceClass since:1.34
  spec DeviceClassSpec #2
struct DeviceClassConfiguration
  opaque? *OpaqueDeviceConfiguration #1.1 in:DeviceConfiguration
struct DeviceClassSpec
  selectors? []DeviceSelector #1 atomic
  config? []DeviceClassConfiguration #2 atomic
  extendedResourceName? *string #4
struct DeviceConstraint
  requests? []string #1 atomic
  matchAttribute? *FullyQualifiedName #2
  distinctAttribute? *FullyQualifiedName #3
struct DeviceCounterConsumption
  counterSet string #1
  counters? map[string]Counter #2 required
struct DeviceRequest
  name string #1
  exactly? *ExactDeviceRequest #2
  firstAvailable? []DeviceSubRequest #3 atomic
struct DeviceRequestAllocationResult
  request string #1
  driver string #2
  pool string #3
  device string #4
  adminAccess? *bool #5
  tolerations? []DeviceToleration #6 atomic
  bindingConditions? []string #7 atomic
  bindingFailureConditions? []string #8 atomic
  shareID? *uid #9
  consumedCapacity? map[string]quantity #10
struct DeviceSelector
  cel? *CELDeviceSelector #1
struct DeviceSubRequest
  name string #1
  deviceClassName string #2
  selectors? []DeviceSelector #3 atomic
  allocationMode? DeviceAllocationMode #4
  count? int64 #5
  tolerations? []DeviceToleration #6 atomic
  capacity? *CapacityRequirements #7
struct DeviceTaint
  key string #1
  value? string #2
  effect DeviceTaintEffect #3
  timeAdded? *time #4
struct DeviceToleration
  key? string #1
  operator? DeviceTolerationOperator #2 default:"Equal"
  value? string #3
  effect? DeviceTaintEffect #4
  tolerationSeconds? *int64 #5
struct ExactDeviceRequest
  deviceClassName string #1
  selectors? []DeviceSelector #2 atomic
  allocationMode? DeviceAllocationMode #3
  count? int64 #4
  adminAccess? *bool #5
  tolerations? []DeviceToleration #6 atomic
  capacity? *CapacityRequirements #7
struct NetworkDeviceData
  interfaceName? string #1
  ips? []string #2 atomic
  hardwareAddress? string #3
struct NodeAllocatableResourceMapping
  capacityKey? *QualifiedName #1
  allocationMultiplier? *quantity #2
struct OpaqueDeviceConfiguration
  driver string #1
  parameters runtime.RawExtension #2
kind ResourceClaim since:1.34
  spec ResourceClaimSpec #2
  status? ResourceClaimStatus #3
struct ResourceClaimConsumerReference
  apiGroup? string #1
  resource string #3
  name string #4
  uid uid #5
struct ResourceClaimSpec
  devices DeviceClaim #1 optional
struct ResourceClaimStatus
  allocation? *AllocationResult #1
  reservedFor? []ResourceClaimConsumerReference #2 map:uid merge:uid
  devices? []AllocatedDeviceStatus #4 map:driver,device,pool,shareID
kind ResourceClaimTemplate since:1.34
  spec ResourceClaimTemplateSpec #2
struct ResourceClaimTemplateSpec
  metadata? objectmeta #1
  spec ResourceClaimSpec #2
struct ResourcePool
  name string #1
  generation int64 #2
  resourceSliceCount int64 #3
kind ResourceSlice since:1.34
  spec ResourceSliceSpec #2
struct ResourceSliceSpec
  driver string #1
  pool ResourcePool #2
  nodeName? *string #3
  nodeSelector? *core.NodeSelector #4
  allNodes? *bool #5
  devices? []Device #6 atomic
  perDeviceNodeSelection? *bool #7
  sharedCounters? []CounterSet #8 atomic
)";

constinit const std::string_view kResourceV1alpha3 = R"(
package io.k8s.api.resource.v1alpha3 group resource.k8s.io version v1alpha3
string DeviceTaintEffect
struct DeviceTaint
  key string #1
  value? string #2
  effect DeviceTaintEffect #3
  timeAdded? *time #4
kind DeviceTaintRule since:1.33 deprecated:1.36 removed:1.39
  spec DeviceTaintRuleSpec #2
  status? DeviceTaintRuleStatus #3 since:1.35
struct DeviceTaintRuleSpec
  deviceSelector? *DeviceTaintSelector #1
  taint? DeviceTaint #2 required
struct DeviceTaintRuleStatus
  conditions? []meta.Condition #1 map:type merge:type
struct DeviceTaintSelector
  driver? *string #2
  pool? *string #3
  device? *string #4
  deviceClassName? *string since:1.33 removed:1.35
  selectors? runtime.RawExtension since:1.33 removed:1.35
struct PoolStatus
  driver? string #1 required
  poolName? string #2 required
  generation int64 #9
  resourceSliceCount? *int32 #8
  totalDevices? *int32 #4
  allocatedDevices? *int32 #5
  availableDevices? *int32 #6
  unavailableDevices? *int32 #7
  nodeName? *string #3
  validationError? *string #10
kind ResourcePoolStatusRequest metadata-required since:1.36 deprecated:1.39 removed:1.42
  spec ResourcePoolStatusRequestSpec #2
  status? *ResourcePoolStatusRequestStatus #3
struct ResourcePoolStatusRequestSpec
  driver string #1
  poolName? *string #2
  limit? *int32 #3 default:100
struct ResourcePoolStatusRequestStatus
  poolCount? *int32 #6 required
  pools? []PoolStatus #2 atomic
  conditions? []meta.Condition #3 map:type merge:type
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
  driver string #1
  pool string #2
  device string #3
  shareID? *string #7 since:1.34
  conditions []meta.Condition #4 optional map:type
  data? *runtime.RawExtension #5
  networkData? *NetworkDeviceData #6
struct AllocationResult
  devices? DeviceAllocationResult #1
  nodeSelector? *core.NodeSelector #3
  allocationTimestamp? *time #5 since:1.34
struct BasicDevice
  attributes? map[string]DeviceAttribute #1
  capacity? map[string]DeviceCapacity #2
  consumesCounters? []DeviceCounterConsumption #3 atomic since:1.33
  nodeName? *string #4 since:1.33
  nodeSelector? *core.NodeSelector #5 since:1.33
  allNodes? *bool #6 since:1.33
  taints? []DeviceTaint #7 atomic since:1.33
  bindsToNode? *bool #8 since:1.34
  bindingConditions? []string #9 atomic since:1.34
  bindingFailureConditions? []string #10 atomic since:1.34
  allowMultipleAllocations? *bool #11 since:1.34
  nodeAllocatableResourceMappings? map[string]NodeAllocatableResourceMapping #12 since:1.36
struct CELDeviceSelector
  expression string #1
struct CapacityRequestPolicy
  default *quantity #1 optional
  validValues? []quantity #3 atomic
  validRange? *CapacityRequestPolicyRange #4
struct CapacityRequestPolicyRange
  min? *quantity #1 required
  max? *quantity #2
  step? *quantity #3
struct CapacityRequirements
  requests? map[string]quantity #1
struct Counter
  value quantity #1
struct CounterSet
  name string #1
  counters? map[string]Counter #2 required
struct Device
  name string #1
  basic? *BasicDevice #2
struct DeviceAllocationConfiguration
  source AllocationConfigSource #1
  requests? []string #2 atomic
  opaque? *OpaqueDeviceConfiguration #3.1 in:DeviceConfiguration
struct DeviceAllocationResult
  results? []DeviceRequestAllocationResult #1 atomic
  config? []DeviceAllocationConfiguration #2 atomic
struct DeviceAttribute
  int? *int64 #2
  bool? *bool #3
  string? *string #4
  version? *string #5
  ints? []int64 #6 atomic since:1.36
  bools? []bool #7 atomic since:1.36
  strings? []string #8 atomic since:1.36
  versions? []string #9 atomic since:1.36
struct DeviceCapacity
  value quantity #1
  requestPolicy? *CapacityRequestPolicy #2 since:1.34
struct DeviceClaim
  requests []DeviceRequest #1 optional atomic
  constraints? []DeviceConstraint #2 atomic
  config? []DeviceClaimConfiguration #3 atomic
struct DeviceClaimConfiguration
  requests? []string #1 atomic
  opaque? *OpaqueDeviceConfiguration #2.1 in:DeviceConfiguration
kind DeviceClass since:1.32 deprecated:1.35 removed:1.38
  spec DeviceClassSpec #2
struct DeviceClassConfiguration
  opaque? *OpaqueDeviceConfiguration #1.1 in:DeviceConfiguration
struct DeviceClassSpec
  selectors? []DeviceSelector #1 atomic
  config? []DeviceClassConfiguration #2 atomic
  extendedResourceName? *string #4 since:1.34
struct DeviceConstraint
  requests? []string #1 atomic
  matchAttribute? *FullyQualifiedName #2
  distinctAttribute? *FullyQualifiedName #3 since:1.34
struct DeviceCounterConsumption
  counterSet string #1
  counters? map[string]Counter #2 required
struct DeviceRequest
  name string #1
  deviceClassName string #2 optional
  selectors? []DeviceSelector #3 atomic
  allocationMode? DeviceAllocationMode #4
  count? int64 #5
  adminAccess? *bool #6
  firstAvailable? []DeviceSubRequest #7 atomic since:1.33
  tolerations? []DeviceToleration #8 atomic since:1.33
  capacity? *CapacityRequirements #9 since:1.34
struct DeviceRequestAllocationResult
  request string #1
  driver string #2
  pool string #3
  device string #4
  adminAccess? *bool #5
  tolerations? []DeviceToleration #6 atomic since:1.33
  bindingConditions? []string #7 atomic since:1.34
  bindingFailureConditions? []string #8 atomic since:1.34
  shareID? *uid #9 since:1.34
  consumedCapacity? map[string]quantity #10 since:1.34
struct DeviceSelector
  cel? *CELDeviceSelector #1
struct DeviceSubRequest
  name string #1
  deviceClassName string #2
  selectors? []DeviceSelector #3 atomic
  allocationMode? DeviceAllocationMode #4
  count? int64 #5
  tolerations? []DeviceToleration #7 atomic
  capacity? *CapacityRequirements #8 since:1.34
struct DeviceTaint
  key string #1
  value? string #2
  effect DeviceTaintEffect #3
  timeAdded? *time #4
struct DeviceToleration
  key? string #1
  operator? DeviceTolerationOperator #2 default:"Equal"
  value? string #3
  effect? DeviceTaintEffect #4
  tolerationSeconds? *int64 #5
struct NetworkDeviceData
  interfaceName? string #1
  ips? []string #2 atomic
  hardwareAddress? string #3
struct NodeAllocatableResourceMapping
  capacityKey? *QualifiedName #1
  allocationMultiplier? *quantity #2
struct OpaqueDeviceConfiguration
  driver string #1
  parameters runtime.RawExtension #2
kind ResourceClaim since:1.32 deprecated:1.35 removed:1.38
  spec ResourceClaimSpec #2
  status? ResourceClaimStatus #3
struct ResourceClaimConsumerReference
  apiGroup? string #1
  resource string #3
  name string #4
  uid uid #5
struct ResourceClaimSpec
  devices DeviceClaim #1 optional
struct ResourceClaimStatus
  allocation? *AllocationResult #1
  reservedFor? []ResourceClaimConsumerReference #2 map:uid merge:uid
  devices? []AllocatedDeviceStatus #4 map:driver,device,pool,shareID
kind ResourceClaimTemplate since:1.32 deprecated:1.35 removed:1.38
  spec ResourceClaimTemplateSpec #2
struct ResourceClaimTemplateSpec
  metadata? objectmeta #1
  spec ResourceClaimSpec #2
struct ResourcePool
  name string #1
  generation int64 #2
  resourceSliceCount int64 #3
kind ResourceSlice since:1.32 deprecated:1.35 removed:1.38
  spec ResourceSliceSpec #2
struct ResourceSliceSpec
  driver string #1
  pool ResourcePool #2
  nodeName? string #3
  nodeSelector? *core.NodeSelector #4
  allNodes? bool #5
  devices? []Device #6 atomic
  perDeviceNodeSelection? *bool #7 since:1.33
  sharedCounters? []CounterSet #8 atomic since:1.33
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
  driver string #1
  pool string #2
  device string #3
  shareID? *string #7 since:1.34
  conditions []meta.Condition #4 optional map:type
  data? *runtime.RawExtension #5
  networkData? *NetworkDeviceData #6
struct AllocationResult
  devices? DeviceAllocationResult #1
  nodeSelector? *core.NodeSelector #3
  allocationTimestamp? *time #5 since:1.34
struct CELDeviceSelector
  expression string #1
struct CapacityRequestPolicy
  default *quantity #1 optional
  validValues? []quantity #3 atomic
  validRange? *CapacityRequestPolicyRange #4
struct CapacityRequestPolicyRange
  min? *quantity #1 required
  max? *quantity #2
  step? *quantity #3
struct CapacityRequirements
  requests? map[string]quantity #1
struct Counter
  value quantity #1
struct CounterSet
  name string #1
  counters? map[string]Counter #2 required
struct Device
  name string #1
  attributes? map[string]DeviceAttribute #2
  capacity? map[string]DeviceCapacity #3
  consumesCounters? []DeviceCounterConsumption #4 atomic
  nodeName? *string #5
  nodeSelector? *core.NodeSelector #6
  allNodes? *bool #7
  taints? []DeviceTaint #8 atomic
  bindsToNode? *bool #9 since:1.34
  bindingConditions? []string #10 atomic since:1.34
  bindingFailureConditions? []string #11 atomic since:1.34
  allowMultipleAllocations? *bool #12 since:1.34
  nodeAllocatableResourceMappings? map[string]NodeAllocatableResourceMapping #13 since:1.36
struct DeviceAllocationConfiguration
  source AllocationConfigSource #1
  requests? []string #2 atomic
  opaque? *OpaqueDeviceConfiguration #3.1 in:DeviceConfiguration
struct DeviceAllocationResult
  results? []DeviceRequestAllocationResult #1 atomic
  config? []DeviceAllocationConfiguration #2 atomic
struct DeviceAttribute
  int? *int64 #2
  bool? *bool #3
  string? *string #4
  version? *string #5
  ints? []int64 #6 atomic since:1.36
  bools? []bool #7 atomic since:1.36
  strings? []string #8 atomic since:1.36
  versions? []string #9 atomic since:1.36
struct DeviceCapacity
  value quantity #1
  requestPolicy? *CapacityRequestPolicy #2 since:1.34
struct DeviceClaim
  requests []DeviceRequest #1 optional atomic
  constraints? []DeviceConstraint #2 atomic
  config? []DeviceClaimConfiguration #3 atomic
struct DeviceClaimConfiguration
  requests? []string #1 atomic
  opaque? *OpaqueDeviceConfiguration #2.1 in:DeviceConfiguration
kind DeviceClass since:1.33 deprecated:1.36 removed:1.39
  spec DeviceClassSpec #2
struct DeviceClassConfiguration
  opaque? *OpaqueDeviceConfiguration #1.1 in:DeviceConfiguration
struct DeviceClassSpec
  selectors? []DeviceSelector #1 atomic
  config? []DeviceClassConfiguration #2 atomic
  extendedResourceName? *string #4 since:1.34
struct DeviceConstraint
  requests? []string #1 atomic
  matchAttribute? *FullyQualifiedName #2
  distinctAttribute? *FullyQualifiedName #3 since:1.34
struct DeviceCounterConsumption
  counterSet string #1
  counters? map[string]Counter #2 required
struct DeviceRequest
  name string #1
  exactly? *ExactDeviceRequest #2
  firstAvailable? []DeviceSubRequest #3 atomic
struct DeviceRequestAllocationResult
  request string #1
  driver string #2
  pool string #3
  device string #4
  adminAccess? *bool #5
  tolerations? []DeviceToleration #6 atomic
  bindingConditions? []string #7 atomic since:1.34
  bindingFailureConditions? []string #8 atomic since:1.34
  shareID? *uid #9 since:1.34
  consumedCapacity? map[string]quantity #10 since:1.34
struct DeviceSelector
  cel? *CELDeviceSelector #1
struct DeviceSubRequest
  name string #1
  deviceClassName string #2
  selectors? []DeviceSelector #3 atomic
  allocationMode? DeviceAllocationMode #4
  count? int64 #5
  tolerations? []DeviceToleration #6 atomic
  capacity? *CapacityRequirements #7 since:1.34
struct DeviceTaint
  key string #1
  value? string #2
  effect DeviceTaintEffect #3
  timeAdded? *time #4
kind DeviceTaintRule since:1.36 deprecated:1.39 removed:1.42
  spec DeviceTaintRuleSpec #2
  status? DeviceTaintRuleStatus #3
struct DeviceTaintRuleSpec
  deviceSelector? *DeviceTaintSelector #1
  taint? DeviceTaint #2 required
struct DeviceTaintRuleStatus
  conditions? []meta.Condition #1 map:type merge:type
struct DeviceTaintSelector
  driver? *string #2
  pool? *string #3
  device? *string #4
struct DeviceToleration
  key? string #1
  operator? DeviceTolerationOperator #2 default:"Equal"
  value? string #3
  effect? DeviceTaintEffect #4
  tolerationSeconds? *int64 #5
struct ExactDeviceRequest
  deviceClassName string #1
  selectors? []DeviceSelector #2 atomic
  allocationMode? DeviceAllocationMode #3
  count? int64 #4
  adminAccess? *bool #5
  tolerations? []DeviceToleration #6 atomic
  capacity? *CapacityRequirements #7 since:1.34
struct NetworkDeviceData
  interfaceName? string #1
  ips? []string #2 atomic
  hardwareAddress? string #3
struct NodeAllocatableResourceMapping
  capacityKey? *QualifiedName #1
  allocationMultiplier? *quantity #2
struct OpaqueDeviceConfiguration
  driver string #1
  parameters runtime.RawExtension #2
kind ResourceClaim since:1.33 deprecated:1.36 removed:1.39
  spec ResourceClaimSpec #2
  status? ResourceClaimStatus #3
struct ResourceClaimConsumerReference
  apiGroup? string #1
  resource string #3
  name string #4
  uid uid #5
struct ResourceClaimSpec
  devices DeviceClaim #1 optional
struct ResourceClaimStatus
  allocation? *AllocationResult #1
  reservedFor? []ResourceClaimConsumerReference #2 map:uid merge:uid
  devices? []AllocatedDeviceStatus #4 map:driver,device,pool,shareID
kind ResourceClaimTemplate since:1.33 deprecated:1.36 removed:1.39
  spec ResourceClaimTemplateSpec #2
struct ResourceClaimTemplateSpec
  metadata? objectmeta #1
  spec ResourceClaimSpec #2
struct ResourcePool
  name string #1
  generation int64 #2
  resourceSliceCount int64 #3
kind ResourceSlice since:1.33 deprecated:1.36 removed:1.39
  spec ResourceSliceSpec #2
struct ResourceSliceSpec
  driver string #1
  pool ResourcePool #2
  nodeName? *string #3
  nodeSelector? *core.NodeSelector #4
  allNodes? *bool #5
  devices? []Device #6 atomic
  perDeviceNodeSelection? *bool #7
  sharedCounters? []CounterSet #8 atomic
)";
// clang-format on

}  // namespace strake::kinds::types
