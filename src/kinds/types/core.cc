#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kCoreV1 = R"(
package io.k8s.api.core.v1 group "" version v1
string AppArmorProfileType
string AzureDataDiskCachingMode
string AzureDataDiskKind
string Capability
string ClaimResourceStatus
string ComponentConditionType
string ContainerRestartPolicy
string ContainerRestartRuleAction
string ContainerRestartRuleOnExitCodesOperator
string DNSPolicy
string HostPathType
string IPFamily
string IPFamilyPolicy
string LoadBalancerIPMode
string MountPropagationMode
string NodeAddressType
string NodeConditionType
string NodeInclusionPolicy
string NodePhase
string NodeSelectorOperator
string OSName
string PersistentVolumeAccessMode
string PersistentVolumeClaimConditionType
string PersistentVolumeClaimModifyVolumeStatus
string PersistentVolumeClaimPhase
string PersistentVolumeMode
string PersistentVolumePhase
string PersistentVolumeReclaimPolicy
string PodConditionType
string PodFSGroupChangePolicy
string PodPhase
string PodQOSClass
string PodResizeStatus
string PodSELinuxChangePolicy
string PreemptionPolicy
string ProcMountType
string Protocol
string PullPolicy
string RecursiveReadOnlyMode
string ReplicationControllerConditionType
string ResourceHealthStatus
string ResourceID
string ResourceName
string ResourceResizeRestartPolicy
string RestartPolicy
string SeccompProfileType
string ServiceAffinity
string ServiceExternalTrafficPolicy
string ServiceInternalTrafficPolicy
string ServiceType
string Signal
string StorageMedium
string SupplementalGroupsPolicy
string TaintEffect
string TerminationMessagePolicy
string TolerationOperator
string URIScheme
string UniqueVolumeName
string UnsatisfiableConstraintAction
struct AWSElasticBlockStoreVolumeSource
  volumeID string
  fsType? string
  partition? int32
  readOnly? bool
struct Affinity
  nodeAffinity? *NodeAffinity
  podAffinity? *PodAffinity
  podAntiAffinity? *PodAntiAffinity
struct AppArmorProfile
  type AppArmorProfileType
  localhostProfile? *string
struct AttachedVolume
  name UniqueVolumeName
  devicePath string
struct AzureDiskVolumeSource
  diskName string
  diskURI string
  cachingMode? *AzureDataDiskCachingMode
  fsType? *string default:"ext4"
  readOnly? *bool default:false
  kind? *AzureDataDiskKind
struct AzureFilePersistentVolumeSource
  secretName string
  shareName string
  readOnly? bool
  secretNamespace *string optional
struct AzureFileVolumeSource
  secretName string
  shareName string
  readOnly? bool
review Binding
  target ObjectReference
struct CSIPersistentVolumeSource
  driver string
  volumeHandle string
  readOnly? bool
  fsType? string
  volumeAttributes? map[string]string
  controllerPublishSecretRef? *SecretReference
  nodeStageSecretRef? *SecretReference
  nodePublishSecretRef? *SecretReference
  controllerExpandSecretRef? *SecretReference
  nodeExpandSecretRef? *SecretReference
struct CSIVolumeSource
  driver string
  readOnly? *bool
  fsType? *string
  volumeAttributes? map[string]string
  nodePublishSecretRef? *LocalObjectReference
struct Capabilities
  add? []Capability atomic
  drop? []Capability atomic
struct CephFSPersistentVolumeSource
  monitors []string atomic
  path? string
  user? string
  secretFile? string
  secretRef? *SecretReference
  readOnly? bool
struct CephFSVolumeSource
  monitors []string atomic
  path? string
  user? string
  secretFile? string
  secretRef? *LocalObjectReference
  readOnly? bool
struct CinderPersistentVolumeSource
  volumeID string
  fsType? string
  readOnly? bool
  secretRef? *SecretReference
struct CinderVolumeSource
  volumeID string
  fsType? string
  readOnly? bool
  secretRef? *LocalObjectReference
struct ClientIPConfig
  timeoutSeconds? *int32
struct ClusterTrustBundleProjection
  name? *string
  signerName? *string
  labelSelector? *meta.LabelSelector
  optional? *bool
  path string
struct ComponentCondition
  type ComponentConditionType
  status ConditionStatus
  message? string
  error? string
kind ComponentStatus deprecated:1.19
  conditions? []ComponentCondition map:type merge:type
struct ConfigMapEnvSource
  name? string default:"" in:LocalObjectReference
  optional? *bool
struct ConfigMapKeySelector atomic
  name? string default:"" in:LocalObjectReference
  key string
  optional? *bool
struct ConfigMapNodeConfigSource
  namespace string
  name string
  uid? uid
  resourceVersion? string
  kubeletConfigKey string
struct ConfigMapProjection
  name? string default:"" in:LocalObjectReference
  items? []KeyToPath atomic
  optional? *bool
struct ConfigMapVolumeSource
  name? string default:"" in:LocalObjectReference
  items? []KeyToPath atomic
  defaultMode? *int32
  optional? *bool
struct Container
  name string
  image? string
  command? []string atomic
  args? []string atomic
  workingDir? string
  ports? []ContainerPort map:containerPort,protocol merge:containerPort
  envFrom? []EnvFromSource atomic
  env? []EnvVar map:name merge:name
  resources? ResourceRequirements
  resizePolicy? []ContainerResizePolicy atomic since:1.27
  restartPolicy? *ContainerRestartPolicy since:1.28
  restartPolicyRules? []ContainerRestartRule atomic since:1.34
  volumeMounts? []VolumeMount map:mountPath merge:mountPath
  volumeDevices? []VolumeDevice map:devicePath merge:devicePath
  livenessProbe? *Probe
  readinessProbe? *Probe
  startupProbe? *Probe
  lifecycle? *Lifecycle
  terminationMessagePath? string
  terminationMessagePolicy? TerminationMessagePolicy
  imagePullPolicy? PullPolicy
  securityContext? *SecurityContext
  stdin? bool
  stdinOnce? bool
  tty? bool
struct ContainerExtendedResourceRequest
  containerName string
  resourceName string
  requestName string
struct ContainerImage
  names []string optional atomic
  sizeBytes? int64
struct ContainerPort
  name? string
  hostPort? int32
  containerPort int32
  protocol? Protocol default:"TCP"
  hostIP? string
struct ContainerResizePolicy
  resourceName ResourceName
  restartPolicy ResourceResizeRestartPolicy
struct ContainerRestartRule
  action? ContainerRestartRuleAction required
  exitCodes? *ContainerRestartRuleOnExitCodes
struct ContainerRestartRuleOnExitCodes
  operator? ContainerRestartRuleOnExitCodesOperator required
  values? []int32 set
struct ContainerState
  waiting? *ContainerStateWaiting
  running? *ContainerStateRunning
  terminated? *ContainerStateTerminated
struct ContainerStateRunning
  startedAt? time
struct ContainerStateTerminated
  exitCode int32
  signal? int32
  reason? string
  message? string
  startedAt? time
  finishedAt? time
  containerID? string
struct ContainerStateWaiting
  reason? string
  message? string
struct ContainerStatus
  name string
  state? ContainerState
  lastState? ContainerState
  ready bool
  restartCount int32
  image string
  imageID string
  containerID? string
  started? *bool
  allocatedResources? ResourceList since:1.27
  resources? *ResourceRequirements since:1.27
  volumeMounts? []VolumeMountStatus map:mountPath merge:mountPath since:1.30
  user? *ContainerUser since:1.31
  allocatedResourcesStatus? []ResourceStatus map:name merge:name since:1.31
  stopSignal? *Signal since:1.33
struct ContainerUser
  linux? *LinuxContainerUser
struct DaemonEndpoint
  Port int32
struct DownwardAPIProjection
  items? []DownwardAPIVolumeFile atomic
struct DownwardAPIVolumeFile
  path string
  fieldRef? *ObjectFieldSelector
  resourceFieldRef? *ResourceFieldSelector
  mode? *int32
struct DownwardAPIVolumeSource
  items? []DownwardAPIVolumeFile atomic
  defaultMode? *int32
struct EmptyDirVolumeSource
  medium? StorageMedium
  sizeLimit? *quantity
struct EndpointAddress atomic
  ip string
  hostname? string
  nodeName? *string
  targetRef? *ObjectReference
struct EndpointPort atomic
  name? string
  port int32
  protocol? Protocol
  appProtocol? *string
struct EndpointSubset
  addresses? []EndpointAddress atomic
  notReadyAddresses? []EndpointAddress atomic
  ports? []EndpointPort atomic
kind Endpoints deprecated:1.33 use:discovery.k8s.io/v1/EndpointSlice
  subsets? []EndpointSubset atomic
struct EnvFromSource
  prefix? string
  configMapRef? *ConfigMapEnvSource
  secretRef? *SecretEnvSource
struct EnvVar
  name string
  value? string
  valueFrom? *EnvVarSource
struct EnvVarSource
  fieldRef? *ObjectFieldSelector
  resourceFieldRef? *ResourceFieldSelector
  configMapKeyRef? *ConfigMapKeySelector
  secretKeyRef? *SecretKeySelector
  fileKeyRef? *FileKeySelector since:1.34
struct EphemeralContainer
  name string in:EphemeralContainerCommon
  image? string in:EphemeralContainerCommon
  command? []string atomic in:EphemeralContainerCommon
  args? []string atomic in:EphemeralContainerCommon
  workingDir? string in:EphemeralContainerCommon
  ports? []ContainerPort map:containerPort,protocol merge:containerPort in:EphemeralContainerCommon
  envFrom? []EnvFromSource atomic in:EphemeralContainerCommon
  env? []EnvVar map:name merge:name in:EphemeralContainerCommon
  resources? ResourceRequirements in:EphemeralContainerCommon
  resizePolicy? []ContainerResizePolicy atomic since:1.27 in:EphemeralContainerCommon
  restartPolicy? *ContainerRestartPolicy since:1.28 in:EphemeralContainerCommon
  restartPolicyRules? []ContainerRestartRule atomic since:1.34 in:EphemeralContainerCommon
  volumeMounts? []VolumeMount map:mountPath merge:mountPath in:EphemeralContainerCommon
  volumeDevices? []VolumeDevice map:devicePath merge:devicePath in:EphemeralContainerCommon
  livenessProbe? *Probe in:EphemeralContainerCommon
  readinessProbe? *Probe in:EphemeralContainerCommon
  startupProbe? *Probe in:EphemeralContainerCommon
  lifecycle? *Lifecycle in:EphemeralContainerCommon
  terminationMessagePath? string in:EphemeralContainerCommon
  terminationMessagePolicy? TerminationMessagePolicy in:EphemeralContainerCommon
  imagePullPolicy? PullPolicy in:EphemeralContainerCommon
  securityContext? *SecurityContext in:EphemeralContainerCommon
  stdin? bool in:EphemeralContainerCommon
  stdinOnce? bool in:EphemeralContainerCommon
  tty? bool in:EphemeralContainerCommon
  targetContainerName? string
struct EphemeralVolumeSource
  volumeClaimTemplate? *PersistentVolumeClaimTemplate
struct ExecAction
  command? []string atomic
struct FCVolumeSource
  targetWWNs? []string atomic
  lun? *int32
  fsType? string
  readOnly? bool
  wwids? []string atomic
struct FileKeySelector atomic
  volumeName string
  path string
  key string
  optional? *bool default:false
struct FlexPersistentVolumeSource
  driver string
  fsType? string
  secretRef? *SecretReference
  readOnly? bool
  options? map[string]string
struct FlexVolumeSource
  driver string
  fsType? string
  secretRef? *LocalObjectReference
  readOnly? bool
  options? map[string]string
struct FlockerVolumeSource
  datasetName? string
  datasetUUID? string
struct GCEPersistentDiskVolumeSource
  pdName string
  fsType? string
  partition? int32
  readOnly? bool
struct GRPCAction
  port int32
  service *string optional default:""
struct GitRepoVolumeSource
  repository string
  revision? string
  directory? string
struct GlusterfsPersistentVolumeSource
  endpoints string
  path string
  readOnly? bool
  endpointsNamespace? *string
struct GlusterfsVolumeSource
  endpoints string
  path string
  readOnly? bool
struct HTTPGetAction
  path? string
  port intorstring
  host? string
  scheme? URIScheme
  httpHeaders? []HTTPHeader atomic
struct HTTPHeader
  name string
  value string
struct HostAlias
  ip string
  hostnames? []string atomic
struct HostIP
  ip string
struct HostPathVolumeSource
  path string
  type? *HostPathType
struct ISCSIPersistentVolumeSource
  targetPortal string
  iqn string
  lun int32
  iscsiInterface? string default:"default"
  fsType? string
  readOnly? bool
  portals? []string atomic
  chapAuthDiscovery? bool
  chapAuthSession? bool
  secretRef? *SecretReference
  initiatorName? *string
struct ISCSIVolumeSource
  targetPortal string
  iqn string
  lun int32
  iscsiInterface? string default:"default"
  fsType? string
  readOnly? bool
  portals? []string atomic
  chapAuthDiscovery? bool
  chapAuthSession? bool
  secretRef? *LocalObjectReference
  initiatorName? *string
struct ImageVolumeSource
  reference? string
  pullPolicy? PullPolicy
struct ImageVolumeStatus
  imageRef? string required
struct KeyToPath
  key string
  path string
  mode? *int32
struct Lifecycle
  postStart? *LifecycleHandler
  preStop? *LifecycleHandler
  stopSignal? *Signal since:1.33
struct LifecycleHandler
  exec? *ExecAction
  httpGet? *HTTPGetAction
  tcpSocket? *TCPSocketAction
  sleep? *SleepAction since:1.29
struct LinuxContainerUser
  uid int64
  gid int64
  supplementalGroups? []int64 atomic
struct LoadBalancerIngress
  ip? string
  hostname? string
  ipMode? *LoadBalancerIPMode since:1.29
  ports? []PortStatus atomic
struct LoadBalancerStatus
  ingress? []LoadBalancerIngress atomic
struct LocalVolumeSource
  path string
  fsType? *string
struct ModifyVolumeStatus
  targetVolumeAttributesClassName? string
  status PersistentVolumeClaimModifyVolumeStatus
struct NFSVolumeSource
  server string
  path string
  readOnly? bool
kind Node
  spec? NodeSpec
  status? NodeStatus
struct NodeAddress
  type NodeAddressType
  address string
struct NodeAffinity
  requiredDuringSchedulingIgnoredDuringExecution? *NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution? []PreferredSchedulingTerm atomic
struct NodeAllocatableResourceClaimStatus
  resourceClaimName string
  containers? []string set
  resources map[string]quantity
struct NodeCondition
  type NodeConditionType
  status ConditionStatus
  lastHeartbeatTime? time
  lastTransitionTime? time
  reason? string
  message? string
struct NodeConfigSource
  configMap? *ConfigMapNodeConfigSource
struct NodeConfigStatus
  assigned? *NodeConfigSource
  active? *NodeConfigSource
  lastKnownGood? *NodeConfigSource
  error? string
struct NodeDaemonEndpoints
  kubeletEndpoint? DaemonEndpoint
struct NodeFeatures
  supplementalGroupsPolicy? *bool
struct NodeRuntimeHandler
  name string optional
  features? *NodeRuntimeHandlerFeatures
struct NodeRuntimeHandlerFeatures
  recursiveReadOnlyMounts? *bool
  userNamespaces? *bool since:1.31
struct NodeSelector atomic
  nodeSelectorTerms []NodeSelectorTerm atomic
struct NodeSelectorRequirement
  key string
  operator NodeSelectorOperator
  values? []string atomic
struct NodeSelectorTerm atomic
  matchExpressions? []NodeSelectorRequirement atomic
  matchFields? []NodeSelectorRequirement atomic
struct NodeSpec
  podCIDR? string
  podCIDRs? []string set merge
  providerID? string
  unschedulable? bool
  taints? []Taint atomic
  configSource? *NodeConfigSource
  externalID? string
struct NodeStatus
  capacity? ResourceList
  allocatable? ResourceList
  phase? NodePhase
  conditions? []NodeCondition map:type merge:type
  addresses? []NodeAddress map:type merge:type
  daemonEndpoints? NodeDaemonEndpoints
  nodeInfo? NodeSystemInfo
  images? []ContainerImage atomic
  volumesInUse? []UniqueVolumeName atomic
  volumesAttached? []AttachedVolume atomic
  config? *NodeConfigStatus
  runtimeHandlers? []NodeRuntimeHandler atomic since:1.30
  features? *NodeFeatures since:1.31
  declaredFeatures? []string atomic since:1.35
struct NodeSwapStatus
  capacity? *int64
struct NodeSystemInfo
  machineID string
  systemUUID string
  bootID string
  kernelVersion string
  osImage string
  containerRuntimeVersion string
  kubeletVersion string
  kubeProxyVersion string
  operatingSystem string
  architecture string
  swap? *NodeSwapStatus since:1.33
struct ObjectFieldSelector atomic
  apiVersion? string
  fieldPath string
kind PersistentVolume
  spec? PersistentVolumeSpec
  status? PersistentVolumeStatus
kind PersistentVolumeClaim
  spec? PersistentVolumeClaimSpec
  status? PersistentVolumeClaimStatus
struct PersistentVolumeClaimCondition
  type PersistentVolumeClaimConditionType
  status ConditionStatus
  lastProbeTime? time
  lastTransitionTime? time
  reason? string
  message? string
struct PersistentVolumeClaimSpec
  accessModes? []PersistentVolumeAccessMode atomic
  selector? *meta.LabelSelector
  resources? VolumeResourceRequirements
  volumeName? string
  storageClassName? *string
  volumeMode? *PersistentVolumeMode
  dataSource? *TypedLocalObjectReference
  dataSourceRef? *TypedObjectReference
  volumeAttributesClassName? *string since:1.29
struct PersistentVolumeClaimStatus
  phase? PersistentVolumeClaimPhase
  accessModes? []PersistentVolumeAccessMode atomic
  capacity? ResourceList
  conditions? []PersistentVolumeClaimCondition map:type merge:type
  allocatedResources? ResourceList
  allocatedResourceStatuses? map[string]ClaimResourceStatus since:1.28
  currentVolumeAttributesClassName? *string since:1.29
  modifyVolumeStatus? *ModifyVolumeStatus since:1.29
  resizeStatus? *runtime.RawExtension removed:1.28
struct PersistentVolumeClaimTemplate
  metadata? objectmeta
  spec PersistentVolumeClaimSpec
struct PersistentVolumeClaimVolumeSource
  claimName string
  readOnly? bool
struct PersistentVolumeSpec
  capacity? ResourceList
  gcePersistentDisk? *GCEPersistentDiskVolumeSource in:PersistentVolumeSource
  awsElasticBlockStore? *AWSElasticBlockStoreVolumeSource in:PersistentVolumeSource
  hostPath? *HostPathVolumeSource in:PersistentVolumeSource
  glusterfs? *GlusterfsPersistentVolumeSource in:PersistentVolumeSource
  nfs? *NFSVolumeSource in:PersistentVolumeSource
  rbd? *RBDPersistentVolumeSource in:PersistentVolumeSource
  iscsi? *ISCSIPersistentVolumeSource in:PersistentVolumeSource
  cinder? *CinderPersistentVolumeSource in:PersistentVolumeSource
  cephfs? *CephFSPersistentVolumeSource in:PersistentVolumeSource
  fc? *FCVolumeSource in:PersistentVolumeSource
  flocker? *FlockerVolumeSource in:PersistentVolumeSource
  flexVolume? *FlexPersistentVolumeSource in:PersistentVolumeSource
  azureFile? *AzureFilePersistentVolumeSource in:PersistentVolumeSource
  vsphereVolume? *VsphereVirtualDiskVolumeSource in:PersistentVolumeSource
  quobyte? *QuobyteVolumeSource in:PersistentVolumeSource
  azureDisk? *AzureDiskVolumeSource in:PersistentVolumeSource
  photonPersistentDisk? *PhotonPersistentDiskVolumeSource in:PersistentVolumeSource
  portworxVolume? *PortworxVolumeSource in:PersistentVolumeSource
  scaleIO? *ScaleIOPersistentVolumeSource in:PersistentVolumeSource
  local? *LocalVolumeSource in:PersistentVolumeSource
  storageos? *StorageOSPersistentVolumeSource in:PersistentVolumeSource
  csi? *CSIPersistentVolumeSource in:PersistentVolumeSource
  accessModes? []PersistentVolumeAccessMode atomic
  claimRef? *ObjectReference
  persistentVolumeReclaimPolicy? PersistentVolumeReclaimPolicy
  storageClassName? string
  mountOptions? []string atomic
  volumeMode? *PersistentVolumeMode
  nodeAffinity? *VolumeNodeAffinity
  volumeAttributesClassName? *string since:1.29
struct PersistentVolumeStatus
  phase? PersistentVolumePhase
  message? string
  reason? string
  lastPhaseTransitionTime? *time since:1.28
struct PhotonPersistentDiskVolumeSource
  pdID string
  fsType? string
kind Pod
  spec? PodSpec
  status? PodStatus
struct PodAffinity
  requiredDuringSchedulingIgnoredDuringExecution? []PodAffinityTerm atomic
  preferredDuringSchedulingIgnoredDuringExecution? []WeightedPodAffinityTerm atomic
struct PodAffinityTerm
  labelSelector? *meta.LabelSelector
  namespaces? []string atomic
  topologyKey string
  namespaceSelector? *meta.LabelSelector
  matchLabelKeys? []string atomic since:1.29
  mismatchLabelKeys? []string atomic since:1.29
struct PodAntiAffinity
  requiredDuringSchedulingIgnoredDuringExecution? []PodAffinityTerm atomic
  preferredDuringSchedulingIgnoredDuringExecution? []WeightedPodAffinityTerm atomic
struct PodCertificateProjection
  signerName? string required
  keyType? string required
  maxExpirationSeconds? *int32
  credentialBundlePath? string
  keyPath? string
  certificateChainPath? string
  userAnnotations? map[string]string since:1.35
struct PodCondition
  type PodConditionType
  observedGeneration? int64 since:1.33
  status ConditionStatus
  lastProbeTime? time
  lastTransitionTime? time
  reason? string
  message? string
struct PodDNSConfig
  nameservers? []string atomic
  searches? []string atomic
  options? []PodDNSConfigOption atomic
struct PodDNSConfigOption
  name? string
  value? *string
struct PodExtendedResourceClaimStatus
  requestMappings []ContainerExtendedResourceRequest atomic
  resourceClaimName string
struct PodIP
  ip string
struct PodOS
  name OSName
struct PodReadinessGate
  conditionType PodConditionType
struct PodResourceClaim
  name string
  resourceClaimName? *string since:1.31
  resourceClaimTemplateName? *string since:1.31
  source? runtime.RawExtension removed:1.31
struct PodResourceClaimStatus
  name string
  resourceClaimName? *string
struct PodSchedulingGate
  name string
struct PodSchedulingGroup
  podGroupName? *string
struct PodSecurityContext
  seLinuxOptions? *SELinuxOptions
  windowsOptions? *WindowsSecurityContextOptions
  runAsUser? *int64
  runAsGroup? *int64
  runAsNonRoot? *bool
  supplementalGroups? []int64 atomic
  supplementalGroupsPolicy? *SupplementalGroupsPolicy since:1.31
  fsGroup? *int64
  sysctls? []Sysctl atomic
  fsGroupChangePolicy? *PodFSGroupChangePolicy
  seccompProfile? *SeccompProfile
  appArmorProfile? *AppArmorProfile since:1.30
  seLinuxChangePolicy? *PodSELinuxChangePolicy since:1.32
struct PodSpec
  volumes? []Volume map:name merge:name retain-keys
  initContainers? []Container map:name merge:name
  containers []Container map:name merge:name
  ephemeralContainers? []EphemeralContainer map:name merge:name
  restartPolicy? RestartPolicy
  terminationGracePeriodSeconds? *int64
  activeDeadlineSeconds? *int64
  dnsPolicy? DNSPolicy
  nodeSelector? map[string]string atomic
  serviceAccountName? string
  serviceAccount? string
  automountServiceAccountToken? *bool
  nodeName? string
  hostNetwork? bool
  hostPID? bool
  hostIPC? bool
  shareProcessNamespace? *bool
  securityContext? *PodSecurityContext
  imagePullSecrets? []LocalObjectReference map:name merge:name
  hostname? string
  subdomain? string
  affinity? *Affinity
  schedulerName? string
  tolerations? []Toleration atomic
  hostAliases? []HostAlias map:ip merge:ip
  priorityClassName? string
  priority? *int32
  dnsConfig? *PodDNSConfig
  readinessGates? []PodReadinessGate atomic
  runtimeClassName? *string
  enableServiceLinks? *bool
  preemptionPolicy? *PreemptionPolicy
  overhead? ResourceList
  topologySpreadConstraints? []TopologySpreadConstraint map:topologyKey,whenUnsatisfiable merge:topologyKey
  setHostnameAsFQDN? *bool
  os? *PodOS
  hostUsers? *bool
  schedulingGates? []PodSchedulingGate map:name merge:name
  resourceClaims? []PodResourceClaim map:name merge:name retain-keys
  resources? *ResourceRequirements since:1.32
  hostnameOverride? *string since:1.34
  schedulingGroup? *PodSchedulingGroup since:1.36
  workloadRef? *runtime.RawExtension since:1.35 removed:1.36
struct PodStatus
  observedGeneration? int64 since:1.33
  phase? PodPhase
  conditions? []PodCondition map:type merge:type
  message? string
  reason? string
  nominatedNodeName? string
  hostIP? string
  hostIPs? []HostIP atomic merge:ip since:1.28
  podIP? string
  podIPs? []PodIP map:ip merge:ip
  startTime? *time
  initContainerStatuses? []ContainerStatus atomic
  containerStatuses? []ContainerStatus atomic
  qosClass? PodQOSClass
  ephemeralContainerStatuses? []ContainerStatus atomic
  resize? PodResizeStatus since:1.27
  resourceClaimStatuses? []PodResourceClaimStatus map:name merge:name retain-keys since:1.28
  extendedResourceClaimStatus? *PodExtendedResourceClaimStatus since:1.34
  allocatedResources? ResourceList since:1.35
  resources? *ResourceRequirements since:1.35
  nodeAllocatableResourceClaimStatuses? []NodeAllocatableResourceClaimStatus atomic since:1.36
kind PodTemplate
  template? PodTemplateSpec
struct PodTemplateSpec
  metadata? objectmeta
  spec? PodSpec
struct PortStatus
  port int32
  protocol Protocol
  error? *string
struct PortworxVolumeSource
  volumeID string
  fsType? string
  readOnly? bool
struct PreferredSchedulingTerm
  weight int32
  preference NodeSelectorTerm
struct Probe
  exec? *ExecAction in:ProbeHandler
  httpGet? *HTTPGetAction in:ProbeHandler
  tcpSocket? *TCPSocketAction in:ProbeHandler
  grpc? *GRPCAction in:ProbeHandler
  initialDelaySeconds? int32
  timeoutSeconds? int32
  periodSeconds? int32
  successThreshold? int32
  failureThreshold? int32
  terminationGracePeriodSeconds? *int64
struct ProjectedVolumeSource
  sources []VolumeProjection optional atomic
  defaultMode? *int32
struct QuobyteVolumeSource
  registry string
  volume string
  readOnly? bool
  user? string
  group? string
  tenant? string
struct RBDPersistentVolumeSource
  monitors []string atomic
  image string
  fsType? string
  pool? string default:"rbd"
  user? string default:"admin"
  keyring? string default:"/etc/ceph/keyring"
  secretRef? *SecretReference
  readOnly? bool
struct RBDVolumeSource
  monitors []string atomic
  image string
  fsType? string
  pool? string default:"rbd"
  user? string default:"admin"
  keyring? string default:"/etc/ceph/keyring"
  secretRef? *LocalObjectReference
  readOnly? bool
kind ReplicationController
  spec? ReplicationControllerSpec
  status? ReplicationControllerStatus
struct ReplicationControllerCondition
  type ReplicationControllerConditionType
  status ConditionStatus
  lastTransitionTime? time
  reason? string
  message? string
struct ReplicationControllerSpec
  replicas? *int32 default:1
  minReadySeconds? int32 default:0
  selector? map[string]string atomic
  template? *PodTemplateSpec
struct ReplicationControllerStatus
  replicas int32
  fullyLabeledReplicas? int32
  readyReplicas? int32
  availableReplicas? int32
  observedGeneration? int64
  conditions? []ReplicationControllerCondition map:type merge:type
struct ResourceClaim
  name string
  request? string since:1.31
struct ResourceFieldSelector atomic
  containerName? string
  resource string
  divisor? quantity
struct ResourceHealth
  resourceID ResourceID
  health? ResourceHealthStatus
  message? *string since:1.36
struct ResourceRequirements
  limits? ResourceList
  requests? ResourceList
  claims? []ResourceClaim map:name
struct ResourceStatus
  name ResourceName
  resources? []ResourceHealth map:resourceID
struct SELinuxOptions
  user? string
  role? string
  type? string
  level? string
struct ScaleIOPersistentVolumeSource
  gateway string
  system string
  secretRef *SecretReference
  sslEnabled? bool
  protectionDomain? string
  storagePool? string
  storageMode? string default:"ThinProvisioned"
  volumeName? string
  fsType? string default:"xfs"
  readOnly? bool
struct ScaleIOVolumeSource
  gateway string
  system string
  secretRef *LocalObjectReference
  sslEnabled? bool
  protectionDomain? string
  storagePool? string
  storageMode? string default:"ThinProvisioned"
  volumeName? string
  fsType? string default:"xfs"
  readOnly? bool
struct SeccompProfile
  type SeccompProfileType
  localhostProfile? *string
struct SecretEnvSource
  name? string default:"" in:LocalObjectReference
  optional? *bool
struct SecretKeySelector atomic
  name? string default:"" in:LocalObjectReference
  key string
  optional? *bool
struct SecretProjection
  name? string default:"" in:LocalObjectReference
  items? []KeyToPath atomic
  optional? *bool
struct SecretReference atomic
  name? string
  namespace? string
struct SecretVolumeSource
  secretName? string
  items? []KeyToPath atomic
  defaultMode? *int32
  optional? *bool
struct SecurityContext
  capabilities? *Capabilities
  privileged? *bool
  seLinuxOptions? *SELinuxOptions
  windowsOptions? *WindowsSecurityContextOptions
  runAsUser? *int64
  runAsGroup? *int64
  runAsNonRoot? *bool
  readOnlyRootFilesystem? *bool
  allowPrivilegeEscalation? *bool
  procMount? *ProcMountType
  seccompProfile? *SeccompProfile
  appArmorProfile? *AppArmorProfile since:1.30
kind Service
  spec? ServiceSpec
  status? ServiceStatus
struct ServiceAccountTokenProjection
  audience? string
  expirationSeconds? *int64
  path string
struct ServicePort
  name? string
  protocol? Protocol default:"TCP"
  appProtocol? *string
  port int32
  targetPort? intorstring
  nodePort? int32
struct ServiceSpec
  ports? []ServicePort map:port,protocol merge:port
  selector? map[string]string atomic
  clusterIP? string
  clusterIPs? []string atomic
  type? ServiceType
  externalIPs? []string atomic
  sessionAffinity? ServiceAffinity
  loadBalancerIP? string
  loadBalancerSourceRanges? []string atomic
  externalName? string
  externalTrafficPolicy? ServiceExternalTrafficPolicy
  healthCheckNodePort? int32
  publishNotReadyAddresses? bool
  sessionAffinityConfig? *SessionAffinityConfig
  ipFamilies? []IPFamily atomic
  ipFamilyPolicy? *IPFamilyPolicy
  allocateLoadBalancerNodePorts? *bool
  loadBalancerClass? *string
  internalTrafficPolicy? *ServiceInternalTrafficPolicy
  trafficDistribution? *string since:1.30
struct ServiceStatus
  loadBalancer? LoadBalancerStatus
  conditions? []meta.Condition map:type merge:type
struct SessionAffinityConfig
  clientIP? *ClientIPConfig
struct SleepAction
  seconds int64
struct StorageOSPersistentVolumeSource
  volumeName? string
  volumeNamespace? string
  fsType? string
  readOnly? bool
  secretRef? *ObjectReference
struct StorageOSVolumeSource
  volumeName? string
  volumeNamespace? string
  fsType? string
  readOnly? bool
  secretRef? *LocalObjectReference
struct Sysctl
  name string
  value string
struct TCPSocketAction
  port intorstring
  host? string
struct Taint
  key string
  value? string
  effect TaintEffect
  timeAdded? *time
struct Toleration
  key? string
  operator? TolerationOperator
  value? string
  effect? TaintEffect
  tolerationSeconds? *int64
struct TopologySelectorLabelRequirement
  key string
  values []string atomic
struct TopologySelectorTerm atomic
  matchLabelExpressions? []TopologySelectorLabelRequirement atomic
struct TopologySpreadConstraint
  maxSkew int32
  topologyKey string
  whenUnsatisfiable UnsatisfiableConstraintAction
  labelSelector? *meta.LabelSelector
  minDomains? *int32
  nodeAffinityPolicy? *NodeInclusionPolicy
  nodeTaintsPolicy? *NodeInclusionPolicy
  matchLabelKeys? []string atomic
struct TypedLocalObjectReference atomic
  apiGroup *string optional
  kind string
  name string
struct TypedObjectReference
  apiGroup *string optional
  kind string
  name string
  namespace? *string
struct Volume
  name string
  hostPath? *HostPathVolumeSource in:VolumeSource
  emptyDir? *EmptyDirVolumeSource in:VolumeSource
  gcePersistentDisk? *GCEPersistentDiskVolumeSource in:VolumeSource
  awsElasticBlockStore? *AWSElasticBlockStoreVolumeSource in:VolumeSource
  gitRepo? *GitRepoVolumeSource in:VolumeSource
  secret? *SecretVolumeSource in:VolumeSource
  nfs? *NFSVolumeSource in:VolumeSource
  iscsi? *ISCSIVolumeSource in:VolumeSource
  glusterfs? *GlusterfsVolumeSource in:VolumeSource
  persistentVolumeClaim? *PersistentVolumeClaimVolumeSource in:VolumeSource
  rbd? *RBDVolumeSource in:VolumeSource
  flexVolume? *FlexVolumeSource in:VolumeSource
  cinder? *CinderVolumeSource in:VolumeSource
  cephfs? *CephFSVolumeSource in:VolumeSource
  flocker? *FlockerVolumeSource in:VolumeSource
  downwardAPI? *DownwardAPIVolumeSource in:VolumeSource
  fc? *FCVolumeSource in:VolumeSource
  azureFile? *AzureFileVolumeSource in:VolumeSource
  configMap? *ConfigMapVolumeSource in:VolumeSource
  vsphereVolume? *VsphereVirtualDiskVolumeSource in:VolumeSource
  quobyte? *QuobyteVolumeSource in:VolumeSource
  azureDisk? *AzureDiskVolumeSource in:VolumeSource
  photonPersistentDisk? *PhotonPersistentDiskVolumeSource in:VolumeSource
  projected? *ProjectedVolumeSource in:VolumeSource
  portworxVolume? *PortworxVolumeSource in:VolumeSource
  scaleIO? *ScaleIOVolumeSource in:VolumeSource
  storageos? *StorageOSVolumeSource in:VolumeSource
  csi? *CSIVolumeSource in:VolumeSource
  ephemeral? *EphemeralVolumeSource in:VolumeSource
  image? *ImageVolumeSource since:1.31 in:VolumeSource
struct VolumeDevice
  name string
  devicePath string
struct VolumeMount
  name string
  readOnly? bool
  recursiveReadOnly? *RecursiveReadOnlyMode since:1.30
  mountPath string
  subPath? string
  mountPropagation? *MountPropagationMode
  subPathExpr? string
struct VolumeMountStatus
  name string
  mountPath string
  readOnly? bool
  recursiveReadOnly? *RecursiveReadOnlyMode
  volumeStatus? *VolumeStatus since:1.36
struct VolumeNodeAffinity
  required? *NodeSelector
struct VolumeProjection
  secret? *SecretProjection
  downwardAPI? *DownwardAPIProjection
  configMap? *ConfigMapProjection
  serviceAccountToken? *ServiceAccountTokenProjection
  clusterTrustBundle? *ClusterTrustBundleProjection since:1.29
  podCertificate? *PodCertificateProjection since:1.34
struct VolumeResourceRequirements
  limits? ResourceList
  requests? ResourceList
struct VolumeStatus
  image? *ImageVolumeStatus
struct VsphereVirtualDiskVolumeSource
  volumePath string
  fsType? string
  storagePolicyName? string
  storagePolicyID? string
struct WeightedPodAffinityTerm
  weight int32
  podAffinityTerm PodAffinityTerm
struct WindowsSecurityContextOptions
  gmsaCredentialSpecName? *string
  gmsaCredentialSpec? *string
  runAsUserName? *string
  hostProcess? *bool
)";
// clang-format on

}  // namespace strake::kinds::types
