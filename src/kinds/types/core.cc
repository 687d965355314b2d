#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
// C++ asks compilers for 64 KiB of a literal only; the one that is used here takes any length.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Woverlength-strings"
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
struct AWSElasticBlockStoreVolumeSource | AWSElasticBlockStoreVolumeSource mounts an EBS disk of AWS. Deprecated: served by the CSI driver ebs.csi.aws.com.
  volumeID string #1 | The ID of the EBS volume.
  fsType? string #2 | The file system to mount, such as ext4 or xfs. Defaults to ext4.
  partition? int32 #3 | The number of the partition to mount; 0 or unset means the whole disk.
  readOnly? bool #4 | Whether the volume is forced to be read-only in containers. Defaults to false.
struct Affinity | Affinity groups the rules that guide on which node a pod is scheduled.
  nodeAffinity? *NodeAffinity #1 | Which nodes the pod needs or prefers, judged by their labels.
  podAffinity? *PodAffinity #2 | Which other pods this pod needs or prefers to run near.
  podAntiAffinity? *PodAntiAffinity #3 | Which other pods this pod must or should stay away from.
struct AppArmorProfile | AppArmorProfile chooses the AppArmor profile that confines a pod or container.
  type AppArmorProfileType #1 | Localhost, RuntimeDefault or Unconfined.
  localhostProfile? *string #2 | The name of a profile loaded on the node. Required for type Localhost and forbidden for the others.
struct AttachedVolume | AttachedVolume is a volume that is attached to a node.
  name UniqueVolumeName #1 | The unique name of the volume.
  devicePath string #2 | The path of the device on the node.
struct AzureDiskVolumeSource | AzureDiskVolumeSource mounts an Azure data disk. Deprecated: served by the CSI driver disk.csi.azure.com.
  diskName string #1 | The name of the data disk.
  diskURI string #2 | The URI of the data disk.
  cachingMode? *AzureDataDiskCachingMode #3 | How the host caches the disk: None, ReadOnly or ReadWrite. Defaults to ReadWrite.
  fsType? *string #4 default:"ext4" | The file system to mount, such as ext4, xfs or ntfs.
  readOnly? *bool #5 default:false | Whether the disk is forced to be read-only in containers.
  kind? *AzureDataDiskKind #6 | Shared, Dedicated or Managed. Defaults to Shared.
struct AzureFilePersistentVolumeSource | AzureFilePersistentVolumeSource mounts an Azure file share. Deprecated: served by the CSI driver file.csi.azure.com.
  secretName string #1 | The secret with the name and key of the Azure storage account.
  shareName string #2 | The name of the file share.
  readOnly? bool #3 | Whether the share is forced to be read-only in containers. Defaults to false.
  secretNamespace *string #4 optional | The namespace of the secret. Defaults to the namespace of the bound claim.
struct AzureFileVolumeSource | AzureFileVolumeSource mounts an Azure file share. Deprecated: served by the CSI driver file.csi.azure.com.
  secretName string #1 | The secret with the name and key of the Azure storage account, in the namespace of the pod.
  shareName string #2 | The name of the file share.
  readOnly? bool #3 | Whether the share is forced to be read-only in containers. Defaults to false.
review Binding | Binding assigns an object, usually a pod, to another, usually a node. Schedulers create it through the subresource pods/binding.
  target ObjectReference #2 | The object to bind to, for pods a node.
struct CSIPersistentVolumeSource | CSIPersistentVolumeSource is a persistent volume that a CSI driver manages.
  driver string #1 | The name of the CSI driver.
  volumeHandle string #2 | The ID that the CSI driver gave the volume and that is passed in every call.
  readOnly? bool #3 | Whether the volume is published read-only. Defaults to false.
  fsType? string #4 | The file system to mount, such as ext4 or xfs. When unset, the driver decides.
  volumeAttributes? map[string]string #5 | Settings of the volume, passed to the CSI driver.
  controllerPublishSecretRef? *SecretReference #6 | The secret passed to the driver when the volume is attached to or detached from a node.
  nodeStageSecretRef? *SecretReference #7 | The secret passed to the driver when the volume is staged on a node.
  nodePublishSecretRef? *SecretReference #8 | The secret passed to the driver when the volume is mounted for a pod.
  controllerExpandSecretRef? *SecretReference #9 | The secret passed to the driver when its controller expands the volume.
  nodeExpandSecretRef? *SecretReference #10 | The secret passed to the driver when the volume is expanded on a node.
struct CSIVolumeSource | CSIVolumeSource is an ephemeral volume that a CSI driver creates for the pod and removes with it.
  driver string #1 | The name of the CSI driver. It must support ephemeral inline volumes.
  readOnly? *bool #2 | Whether the volume is mounted read-only. Defaults to false.
  fsType? *string #3 | The file system to mount, such as ext4 or xfs. When unset, the driver decides.
  volumeAttributes? map[string]string #4 | Settings of the volume, passed to the CSI driver.
  nodePublishSecretRef? *LocalObjectReference #5 | A secret in the namespace of the pod, passed to the driver when the volume is mounted or unmounted.
struct Capabilities | Capabilities changes the set of Linux capabilities that the container runtime grants by default.
  add? []Capability #1 atomic | Capabilities to grant, such as NET_ADMIN.
  drop? []Capability #2 atomic | Capabilities to take away; ALL stands for every one.
struct CephFSPersistentVolumeSource | CephFSPersistentVolumeSource mounts a CephFS file system. Deprecated: kubelets no longer support it.
  monitors []string #1 atomic | The addresses of the Ceph monitors.
  path? string #2 | The directory of the file system to mount. Defaults to /.
  user? string #3 | The Ceph user to log in as. Defaults to admin.
  secretFile? string #4 | The file on the node with the key of the user. Defaults to /etc/ceph/user.secret.
  secretRef? *SecretReference #5 | The secret with the key of the user. It takes precedence over secretFile.
  readOnly? bool #6 | Whether the volume is forced to be read-only in containers. Defaults to false.
struct CephFSVolumeSource | CephFSVolumeSource mounts a CephFS file system. Deprecated: kubelets no longer support it.
  monitors []string #1 atomic | The addresses of the Ceph monitors.
  path? string #2 | The directory of the file system to mount. Defaults to /.
  user? string #3 | The Ceph user to log in as. Defaults to admin.
  secretFile? string #4 | The file on the node with the key of the user. Defaults to /etc/ceph/user.secret.
  secretRef? *LocalObjectReference #5 | The secret with the key of the user, in the namespace of the pod. It takes precedence over secretFile.
  readOnly? bool #6 | Whether the volume is forced to be read-only in containers. Defaults to false.
struct CinderPersistentVolumeSource | CinderPersistentVolumeSource mounts an OpenStack Cinder volume. Deprecated: served by the CSI driver cinder.csi.openstack.org.
  volumeID string #1 | The ID of the volume in Cinder.
  fsType? string #2 | The file system to mount, such as ext4 or xfs. Defaults to ext4.
  readOnly? bool #3 | Whether the volume is forced to be read-only in containers. Defaults to false.
  secretRef? *SecretReference #4 | The secret with the parameters to connect to OpenStack.
struct CinderVolumeSource | CinderVolumeSource mounts an OpenStack Cinder volume. Deprecated: served by the CSI driver cinder.csi.openstack.org.
  volumeID string #1 | The ID of the volume in Cinder.
  fsType? string #2 | The file system to mount, such as ext4 or xfs. Defaults to ext4.
  readOnly? bool #3 | Whether the volume is forced to be read-only in containers. Defaults to false.
  secretRef? *LocalObjectReference #4 | The secret with the parameters to connect to OpenStack, in the namespace of the pod.
struct ClientIPConfig | ClientIPConfig configures session affinity by the IP address of the client.
  timeoutSeconds? *int32 #1 | How many seconds an idle session sticks to its endpoint, from 1 to 86400. Defaults to 10800, which is 3 hours.
struct ClusterTrustBundleProjection | ClusterTrustBundleProjection writes the certificates of one or more ClusterTrustBundles to a file.
  name? *string #1 | The one ClusterTrustBundle to read. Cannot be combined with signerName or labelSelector.
  signerName? *string #2 | Read all bundles of this signer that labelSelector matches. Cannot be combined with name.
  labelSelector? *meta.LabelSelector #3 | Which bundles of the signer to read. Unset matches none and an empty selector matches all.
  optional? *bool #5 | Whether the pod may start when no bundle is found; the file is then empty. Defaults to false.
  path string #4 | The file to write, relative to the root of the volume.
struct ComponentCondition | ComponentCondition tells whether a component of the control plane is healthy.
  type ComponentConditionType #1 | What the condition is about. The only type is Healthy.
  status ConditionStatus #2 | True, False or Unknown.
  message? string #3 | Details about the health of the component, for people.
  error? string #4 | The error met when the health was checked.
kind ComponentStatus deprecated:1.19 | ComponentStatus shows the health of a component of the control plane. Deprecated: since 1.19, use the health endpoints of each component.
  conditions? []ComponentCondition #2 map:type merge:type | What was observed about the component.
struct ConfigMapEnvSource | ConfigMapEnvSource makes every entry of a ConfigMap an environment variable.
  name? string #1.1 default:"" in:LocalObjectReference | The name of the ConfigMap, in the namespace of the pod.
  optional? *bool #2 | Whether the ConfigMap may be missing.
struct ConfigMapKeySelector atomic | ConfigMapKeySelector points to one entry of a ConfigMap.
  name? string #1.1 default:"" in:LocalObjectReference | The name of the ConfigMap, in the namespace of the pod.
  key string #2 | The key of the entry in data.
  optional? *bool #3 | Whether the ConfigMap or the key may be missing.
struct ConfigMapNodeConfigSource | ConfigMapNodeConfigSource names a ConfigMap that configures a kubelet. Deprecated: dynamic kubelet configuration was removed in 1.24.
  namespace string #1 | The namespace of the ConfigMap.
  name string #2 | The name of the ConfigMap.
  uid? uid #3 | The uid of the ConfigMap. Required in the status of a node and forbidden in its spec.
  resourceVersion? string #4 | The version of the ConfigMap. Required in the status of a node and forbidden in its spec.
  kubeletConfigKey string #5 | The key whose value is the KubeletConfiguration.
struct ConfigMapProjection | ConfigMapProjection writes the entries of a ConfigMap as files into a projected volume.
  name? string #1.1 default:"" in:LocalObjectReference | The name of the ConfigMap, in the namespace of the pod.
  items? []KeyToPath #2 atomic | The entries to write and the path of each. When unset, every key becomes a file of the same name.
  optional? *bool #4 | Whether the ConfigMap or its listed keys may be missing.
struct ConfigMapVolumeSource | ConfigMapVolumeSource is a volume that holds the entries of a ConfigMap as files.
  name? string #1.1 default:"" in:LocalObjectReference | The name of the ConfigMap, in the namespace of the pod.
  items? []KeyToPath #2 atomic | The entries to write and the path of each. When unset, every key becomes a file of the same name.
  defaultMode? *int32 #3 | Permission bits of files that set none, from 0 to 0777. Defaults to 0644; JSON takes decimal numbers only.
  optional? *bool #4 | Whether the ConfigMap or its listed keys may be missing.
struct Container | Container is one program that a pod runs from an image.
  name string #1 | The name of the container, a DNS label that is unique in the pod. It cannot be changed.
  image? string #2 | The image to run. Workloads may leave it empty for later tools to fill in; in a pod it can be changed.
  command? []string #3 atomic | The program to run instead of the image's ENTRYPOINT, without a shell. $(NAME) is replaced by variables; $$(NAME) stays $(NAME).
  args? []string #4 atomic | The arguments of the program, instead of the image's CMD. $(NAME) is replaced by variables; $$(NAME) stays $(NAME).
  workingDir? string #5 | The directory to start in. Defaults to that of the image.
  ports? []ContainerPort #6 map:containerPort,protocol merge:containerPort | Ports that the container listens on. Leaving a port out does not close it.
  envFrom? []EnvFromSource #19 atomic | Sources whose keys all become environment variables. Later sources win over earlier ones, and env wins over all.
  env? []EnvVar #7 map:name merge:name | Variables for the environment of the container. They win over envFrom.
  resources? ResourceRequirements #8 | How much cpu, memory and other resources the container needs and may use. Running pods change it through the resize subresource.
  resizePolicy? []ContainerResizePolicy #23 atomic since:1.27 | Whether a change of each resource restarts the container. It cannot be changed.
  restartPolicy? *ContainerRestartPolicy #24 since:1.28 | Overrides the restart policy of the pod: Always, OnFailure or Never. Always turns an init container into a sidecar.
  restartPolicyRules? []ContainerRestartRule #25 atomic since:1.34 | Rules tried in order when the container exits; if none matches, restartPolicy applies. At most 20; they require restartPolicy.
  volumeMounts? []VolumeMount #9 map:mountPath merge:mountPath | Volumes to mount into the file system of the container.
  volumeDevices? []VolumeDevice #21 map:devicePath merge:devicePath | Raw block devices to make available in the container.
  livenessProbe? *Probe #10 | Checks whether the container still works. The container is restarted when it fails.
  readinessProbe? *Probe #11 | Checks whether the container can take requests. While it fails, services send the pod no traffic.
  startupProbe? *Probe #22 | Checks whether the container has started. Other probes wait until it succeeds; failure restarts the container.
  lifecycle? *Lifecycle #12 | What to do right after the container starts and before it stops.
  terminationMessagePath? string #13 | The file with the final message of the container, of at most 4096 bytes. Defaults to /dev/termination-log.
  terminationMessagePolicy? TerminationMessagePolicy #20 | File, or FallbackToLogsOnError to use the end of the log if the file is empty after an error. Defaults to File.
  imagePullPolicy? PullPolicy #14 | Always, IfNotPresent or Never. Defaults to Always if the image has the tag :latest or none, else to IfNotPresent.
  securityContext? *SecurityContext #15 | Security settings of this container. They override those of the pod.
  stdin? bool #16 | Whether the runtime keeps a buffer for standard input. Otherwise reads meet the end of file. Defaults to false.
  stdinOnce? bool #17 | Whether standard input closes for good once the first attached client leaves. Defaults to false.
  tty? bool #18 | Whether the container gets a terminal. It requires stdin. Defaults to false.
struct ContainerExtendedResourceRequest | ContainerExtendedResourceRequest maps an extended resource of a container to a request of a resource claim.
  containerName string #1 | The name of the container.
  resourceName string #2 | The extended resource that the container asks for and that DRA provides.
  requestName string #3 | The request in the generated resource claim that stands for it.
struct ContainerImage | ContainerImage is an image that is present on a node.
  names []string #1 optional atomic | The names by which the image is known, such as registry.example.com/app:v1.
  sizeBytes? int64 #2 | How many bytes the image takes up.
struct ContainerPort | ContainerPort is a network port of a container.
  name? string #1 | A name that services can refer to, of at most 15 characters and unique in the pod.
  hostPort? int32 #2 | The port of the node to expose, from 1 to 65535. With hostNetwork it equals containerPort. Most containers do not need it.
  containerPort int32 #3 | The port on the IP address of the pod, from 1 to 65535.
  protocol? Protocol #4 default:"TCP" | TCP, UDP or SCTP.
  hostIP? string #5 | The address of the node to which hostPort is bound.
struct ContainerResizePolicy | ContainerResizePolicy says whether a container restarts when one of its resources is resized.
  resourceName ResourceName #1 | The resource: cpu or memory.
  restartPolicy ResourceResizeRestartPolicy #2 | NotRequired to resize in place, or RestartContainer. NotRequired applies to resources that are not listed.
struct ContainerRestartRule | ContainerRestartRule says what to do when a container exits in a certain way.
  action? ContainerRestartRuleAction #1 required | Restart for this container alone, or RestartAllContainers for the whole pod in place.
  exitCodes? *ContainerRestartRuleOnExitCodes #2 | The exit codes to which the rule applies. The server requires it.
struct ContainerRestartRuleOnExitCodes | ContainerRestartRuleOnExitCodes is a condition on the exit code of a container.
  operator? ContainerRestartRuleOnExitCodesOperator #1 required | In or NotIn.
  values? []int32 #2 set | The exit codes to compare with, at most 255 of them.
struct ContainerState | ContainerState is what a container is doing. At most one field is set; with none, it is waiting.
  waiting? *ContainerStateWaiting #1 | Set while the container waits to start.
  running? *ContainerStateRunning #2 | Set while the container runs.
  terminated? *ContainerStateTerminated #3 | Set when the container has ended.
struct ContainerStateRunning | ContainerStateRunning tells of a container that runs.
  startedAt? time #1 | When the container was started or restarted last.
struct ContainerStateTerminated | ContainerStateTerminated tells how a container ended.
  exitCode int32 #1 | The exit code of the container.
  signal? int32 #2 | The number of the signal that ended the container.
  reason? string #3 | Why the container ended, in one word such as Completed, Error or OOMKilled.
  message? string #4 | The final message of the container.
  startedAt? time #5 | When this run began.
  finishedAt? time #6 | When this run ended.
  containerID? string #7 | The ID of the container in the form type://id.
struct ContainerStateWaiting | ContainerStateWaiting tells why a container does not run yet.
  reason? string #1 | Why it waits, in one word such as ContainerCreating or CrashLoopBackOff.
  message? string #2 | The same for people to read.
struct ContainerStatus | ContainerStatus reports how a container of a pod stands.
  name string #1 | The name of the container.
  state? ContainerState #2 | What the container is doing now.
  lastState? ContainerState #3 | How the previous run ended. Empty if there was none.
  ready bool #4 | Whether the container passes its readiness probe. Without such a probe, it is ready once started.
  restartCount int32 #5 | How often the container was restarted. The count may be lost when the node restarts.
  image string #6 | The image that runs, as the runtime resolved it. It may differ from the spec.
  imageID string #7 | The ID of the image that runs, as the runtime reports it.
  containerID? string #8 | The ID of the container in the form type://id, where the type is that of the runtime.
  started? *bool #9 | Whether the postStart hook has finished and the startup probe has succeeded. Starts as false after each restart.
  allocatedResources? ResourceList #10 since:1.27 | The requests that the node has set aside for the container, updated when it accepts a resize.
  resources? *ResourceRequirements #11 since:1.27 | The requests and limits in force for the running container.
  volumeMounts? []VolumeMountStatus #12 map:mountPath merge:mountPath since:1.30 | The volumes that are mounted in the container.
  user? *ContainerUser #13 since:1.31 | The user and groups with which the first process was started.
  allocatedResourcesStatus? []ResourceStatus #14 map:name merge:name since:1.31 | The health of the devices allocated to the container.
  stopSignal? *Signal #15 since:1.33 | The signal that stops the container.
struct ContainerUser | ContainerUser is the identity that the first process of a container was given.
  linux? *LinuxContainerUser #1 | The user and groups on Linux.
struct DaemonEndpoint | DaemonEndpoint is where a daemon of a node can be reached.
  Port int32 #1 | The port on which the daemon listens.
struct DownwardAPIProjection | DownwardAPIProjection writes facts about the pod as files into a projected volume.
  items? []DownwardAPIVolumeFile #1 atomic | The files to write.
struct DownwardAPIVolumeFile | DownwardAPIVolumeFile is one file with a fact about the pod. Exactly one source is set.
  path string #1 | The file to write, relative to the root of the volume. It must not contain '..'.
  fieldRef? *ObjectFieldSelector #2 | The field of the pod to write: name, namespace, uid, labels or annotations.
  resourceFieldRef? *ResourceFieldSelector #3 | The limit or request of a container to write.
  mode? *int32 #4 | Permission bits of the file, from 0 to 0777. Defaults to the mode of the volume.
struct DownwardAPIVolumeSource | DownwardAPIVolumeSource is a volume with facts about the pod as files.
  items? []DownwardAPIVolumeFile #1 atomic | The files to write.
  defaultMode? *int32 #2 | Permission bits of files that set none, from 0 to 0777. Defaults to 0644; JSON takes decimal numbers only.
struct EmptyDirVolumeSource | EmptyDirVolumeSource is a directory that starts empty and lives as long as the pod on its node.
  medium? StorageMedium #1 | Empty for the disk of the node, Memory for tmpfs, or HugePages with an optional page size. Defaults to the disk.
  sizeLimit? *quantity #2 | How much the volume may hold. With Memory, the memory limits of the containers also apply. Defaults to no limit.
struct EndpointAddress atomic | EndpointAddress is one IP address behind a service.
  ip string #1 | The IPv4 or IPv6 address. It may not be unspecified, loopback, link-local or link-local multicast.
  hostname? string #3 | The host name of the endpoint.
  nodeName? *string #4 | The node that hosts the endpoint.
  targetRef? *ObjectReference #2 | The object behind the address, usually a pod.
struct EndpointPort atomic | EndpointPort is one port behind a service.
  name? string #1 | The name of the port, as in the service. Optional only if there is a single port.
  port int32 #2 | The number of the port, from 1 to 65535.
  protocol? Protocol #3 | TCP, UDP or SCTP. Defaults to TCP.
  appProtocol? *string #4 | The application protocol, as an IANA service name or a prefixed name such as kubernetes.io/h2c.
struct EndpointSubset | EndpointSubset is a set of addresses that share the same ports. Each address goes with each port.
  addresses? []EndpointAddress #1 atomic | Addresses that are ready to take traffic.
  notReadyAddresses? []EndpointAddress #2 atomic | Addresses that are not ready, because they are starting or fail their checks.
  ports? []EndpointPort #3 atomic | The ports of all addresses.
kind Endpoints deprecated:1.33 use:discovery.k8s.io/v1/EndpointSlice | Endpoints lists the addresses behind a service. Deprecated: since 1.33, use EndpointSlice of discovery.k8s.io/v1.
  subsets? []EndpointSubset #2 atomic | The addresses, grouped by the ports that they share.
struct EnvFromSource | EnvFromSource turns all entries of a ConfigMap or a Secret into environment variables.
  prefix? string #1 | Put before the key to form each variable name. Any printable ASCII character except '=' may be used.
  configMapRef? *ConfigMapEnvSource #2 | The ConfigMap to read.
  secretRef? *SecretEnvSource #3 | The Secret to read.
struct EnvVar | EnvVar is one environment variable of a container.
  name string #1 | The name of the variable. Any printable ASCII character except '=' may be used.
  value? string #2 | The value. $(NAME) is replaced by earlier variables and $$(NAME) stays $(NAME). Defaults to empty.
  valueFrom? *EnvVarSource #3 | Where the value comes from. Cannot be used with a value that is not empty.
struct EnvVarSource | EnvVarSource is where the value of an environment variable comes from. Exactly one field is set.
  fieldRef? *ObjectFieldSelector #1 | A field of the pod, such as metadata.name, metadata.labels['key'], spec.nodeName or status.podIP.
  resourceFieldRef? *ResourceFieldSelector #2 | A limit or request of a container, such as limits.cpu.
  configMapKeyRef? *ConfigMapKeySelector #3 | An entry of a ConfigMap in the namespace of the pod.
  secretKeyRef? *SecretKeySelector #4 | An entry of a Secret in the namespace of the pod.
  fileKeyRef? *FileKeySelector #5 since:1.34 | A variable in an env file that an earlier container wrote to an emptyDir volume.
struct EphemeralContainer | EphemeralContainer is a container added to a running pod for debugging. It is never restarted and cannot be removed or changed.
  name string #1.1 in:EphemeralContainerCommon | The name of the container, unique among all containers of the pod.
  image? string #1.2 in:EphemeralContainerCommon | The image to run.
  command? []string #1.3 atomic in:EphemeralContainerCommon | The program to run instead of the image's ENTRYPOINT, without a shell. $(NAME) is replaced by variables; $$(NAME) stays $(NAME).
  args? []string #1.4 atomic in:EphemeralContainerCommon | The arguments of the program, instead of the image's CMD. $(NAME) is replaced by variables; $$(NAME) stays $(NAME).
  workingDir? string #1.5 in:EphemeralContainerCommon | The directory to start in. Defaults to that of the image.
  ports? []ContainerPort #1.6 map:containerPort,protocol merge:containerPort in:EphemeralContainerCommon | Must not be set on an ephemeral container.
  envFrom? []EnvFromSource #1.19 atomic in:EphemeralContainerCommon | Sources whose keys all become environment variables. Later sources win over earlier ones, and env wins over all.
  env? []EnvVar #1.7 map:name merge:name in:EphemeralContainerCommon | Variables for the environment of the container. They win over envFrom.
  resources? ResourceRequirements #1.8 in:EphemeralContainerCommon | Must not be set: an ephemeral container uses what the pod has to spare.
  resizePolicy? []ContainerResizePolicy #1.23 atomic since:1.27 in:EphemeralContainerCommon | Must not be set on an ephemeral container.
  restartPolicy? *ContainerRestartPolicy #1.24 since:1.28 in:EphemeralContainerCommon | Must not be set: an ephemeral container is never restarted.
  restartPolicyRules? []ContainerRestartRule #1.25 atomic since:1.34 in:EphemeralContainerCommon | Must not be set on an ephemeral container.
  volumeMounts? []VolumeMount #1.9 map:mountPath merge:mountPath in:EphemeralContainerCommon | Volumes of the pod to mount into the container. subPath and subPathExpr are not allowed.
  volumeDevices? []VolumeDevice #1.21 map:devicePath merge:devicePath in:EphemeralContainerCommon | Raw block devices to make available in the container.
  livenessProbe? *Probe #1.10 in:EphemeralContainerCommon | Must not be set on an ephemeral container.
  readinessProbe? *Probe #1.11 in:EphemeralContainerCommon | Must not be set on an ephemeral container.
  startupProbe? *Probe #1.22 in:EphemeralContainerCommon | Must not be set on an ephemeral container.
  lifecycle? *Lifecycle #1.12 in:EphemeralContainerCommon | Must not be set on an ephemeral container.
  terminationMessagePath? string #1.13 in:EphemeralContainerCommon | The file with the final message of the container, of at most 4096 bytes. Defaults to /dev/termination-log.
  terminationMessagePolicy? TerminationMessagePolicy #1.20 in:EphemeralContainerCommon | File, or FallbackToLogsOnError to use the end of the log if the file is empty after an error. Defaults to File.
  imagePullPolicy? PullPolicy #1.14 in:EphemeralContainerCommon | Always, IfNotPresent or Never. Defaults to Always if the image has the tag :latest or none, else to IfNotPresent.
  securityContext? *SecurityContext #1.15 in:EphemeralContainerCommon | Security settings of this container. They override those of the pod.
  stdin? bool #1.16 in:EphemeralContainerCommon | Whether the runtime keeps a buffer for standard input. Otherwise reads meet the end of file. Defaults to false.
  stdinOnce? bool #1.17 in:EphemeralContainerCommon | Whether standard input closes for good once the first attached client leaves. Defaults to false.
  tty? bool #1.18 in:EphemeralContainerCommon | Whether the container gets a terminal. It requires stdin. Defaults to false.
  targetContainerName? string #2 | The container whose namespaces, such as that of processes, are joined. Without it, those of the pod are used.
struct EphemeralVolumeSource | EphemeralVolumeSource is a volume from a claim that is created for the pod and deleted with it.
  volumeClaimTemplate? *PersistentVolumeClaimTemplate #1 | The claim to create, named after the pod and the volume with '-' between. Required, and it cannot be changed.
struct ExecAction | ExecAction runs a command in a container. It succeeds if the exit code is 0.
  command? []string #1 atomic | The program and its arguments, run in / without a shell.
struct FCVolumeSource | FCVolumeSource is a Fibre Channel disk. Either wwids, or targetWWNs with lun, must be set.
  targetWWNs? []string #1 atomic | The worldwide names of the targets.
  lun? *int32 #2 | The logical unit number on the target, from 0 to 255.
  fsType? string #3 | The file system to mount, such as ext4 or xfs. Defaults to ext4.
  readOnly? bool #4 | Whether the disk is forced to be read-only in containers. Defaults to false.
  wwids? []string #5 atomic | Worldwide identifiers of the disk, instead of targetWWNs and lun.
struct FileKeySelector atomic | FileKeySelector points to one variable in an env file of a volume.
  volumeName string #1 | The emptyDir volume of the pod that holds the file. The container need not mount it.
  path string #2 | The file, relative to the root of the volume. It must not contain '..'.
  key string #3 | The name of the variable in the file. Any printable ASCII character except '=' may be used.
  optional? *bool #4 default:false | Whether the file or the variable may be missing; the environment variable is then not set.
struct FlexPersistentVolumeSource | FlexPersistentVolumeSource is a volume that an exec plugin on the node provides. Deprecated: use a CSI driver.
  driver string #1 | The name of the plugin.
  fsType? string #2 | The file system to mount, such as ext4 or xfs. When unset, the plugin decides.
  secretRef? *SecretReference #3 | The secret whose entries are passed to the plugin.
  readOnly? bool #4 | Whether the volume is forced to be read-only in containers. Defaults to false.
  options? map[string]string #5 | Further settings that are passed to the plugin.
struct FlexVolumeSource | FlexVolumeSource is a volume that an exec plugin on the node provides. Deprecated: use a CSI driver.
  driver string #1 | The name of the plugin.
  fsType? string #2 | The file system to mount, such as ext4 or xfs. When unset, the plugin decides.
  secretRef? *LocalObjectReference #3 | The secret in the namespace of the pod whose entries are passed to the plugin.
  readOnly? bool #4 | Whether the volume is forced to be read-only in containers. Defaults to false.
  options? map[string]string #5 | Further settings that are passed to the plugin.
struct FlockerVolumeSource | FlockerVolumeSource mounts a Flocker dataset. Deprecated: kubelets no longer support it.
  datasetName? string #1 | The name of the dataset. Deprecated: use datasetUUID. Only one of the two may be set.
  datasetUUID? string #2 | The UUID of the dataset.
struct GCEPersistentDiskVolumeSource | GCEPersistentDiskVolumeSource mounts a disk of Google Compute Engine. Deprecated: served by the CSI driver pd.csi.storage.gke.io.
  pdName string #1 | The name of the disk in GCE.
  fsType? string #2 | The file system to mount, such as ext4 or xfs. Defaults to ext4.
  partition? int32 #3 | The number of the partition to mount; 0 or unset means the whole disk.
  readOnly? bool #4 | Whether the disk is forced to be read-only in containers. Defaults to false.
struct GRPCAction | GRPCAction calls the gRPC health checking service of a container.
  port int32 #1 | The port of the gRPC server, from 1 to 65535.
  service *string #2 optional default:"" | The service whose health is asked for. Empty asks for that of the whole server.
struct GitRepoVolumeSource | GitRepoVolumeSource is a clone of a git repository. Deprecated: kubelets no longer support it since 1.36; clone in an init container.
  repository string #1 | The URL of the repository.
  revision? string #2 | The hash of the commit to check out.
  directory? string #3 | The directory of the volume to clone into, without '..'. A single '.' means the root of the volume.
struct GlusterfsPersistentVolumeSource | GlusterfsPersistentVolumeSource mounts a GlusterFS volume. Deprecated: kubelets no longer support it.
  endpoints string #1 | The name of the Endpoints with the addresses of the GlusterFS servers.
  path string #2 | The name of the GlusterFS volume.
  readOnly? bool #3 | Whether the volume is forced to be read-only in containers. Defaults to false.
  endpointsNamespace? *string #4 | The namespace of the Endpoints. Defaults to that of the bound claim.
struct GlusterfsVolumeSource | GlusterfsVolumeSource mounts a GlusterFS volume. Deprecated: kubelets no longer support it.
  endpoints string #1 | The name of the Endpoints with the addresses of the GlusterFS servers.
  path string #2 | The name of the GlusterFS volume.
  readOnly? bool #3 | Whether the volume is forced to be read-only in containers. Defaults to false.
struct HTTPGetAction | HTTPGetAction sends an HTTP GET request. For probes, a status from 200 to 399 is a success.
  path? string #1 | The path to request. Defaults to /.
  port intorstring #2 | The number of the port, from 1 to 65535, or the name of a container port.
  host? string #3 | The host to connect to. Defaults to the IP address of the pod; to change only the Host header, use httpHeaders.
  scheme? URIScheme #4 | HTTP or HTTPS, which skips the check of the certificate. Defaults to HTTP.
  httpHeaders? []HTTPHeader #5 atomic | Headers to send. A name may be repeated.
struct HTTPHeader | HTTPHeader is one header of an HTTP request.
  name string #1 | The name of the header. Its case does not matter.
  value string #2 | The value of the header.
struct HostAlias | HostAlias is one line in the hosts file of a pod.
  ip string #1 | The IP address that the names lead to.
  hostnames? []string #2 atomic | The host names for the address.
struct HostIP | HostIP is one IP address of the node that runs a pod.
  ip string #1 | The IP address.
struct HostPathVolumeSource | HostPathVolumeSource mounts a file or directory of the node. Most pods should avoid it, as it can expose the whole node.
  path string #1 | The path on the node, without '..'. Symbolic links are followed.
  type? *HostPathType #2 | What must exist or is created at the path, such as Directory or FileOrCreate. Defaults to empty, which checks nothing.
struct ISCSIPersistentVolumeSource | ISCSIPersistentVolumeSource is an iSCSI disk for persistent volumes.
  targetPortal string #1 | The address of the target, with the port unless that is the default 3260.
  iqn string #2 | The qualified name of the target.
  lun int32 #3 | The logical unit number on the target, from 0 to 255.
  iscsiInterface? string #4 default:"default" | The transport of the iSCSI interface. The default stands for TCP.
  fsType? string #5 | The file system to mount, such as ext4 or xfs. Defaults to ext4.
  readOnly? bool #6 | Whether the disk is forced to be read-only in containers. Defaults to false.
  portals? []string #7 atomic | Further addresses of the target, used for multipath.
  chapAuthDiscovery? bool #8 | Whether discovery uses CHAP authentication. It requires secretRef.
  chapAuthSession? bool #11 | Whether sessions use CHAP authentication. It requires secretRef.
  secretRef? *SecretReference #10 | The secret with the user names and passwords for CHAP.
  initiatorName? *string #12 | The initiator name to use. When set, a separate iSCSI interface is created for the volume.
struct ISCSIVolumeSource | ISCSIVolumeSource is an iSCSI disk for pods.
  targetPortal string #1 | The address of the target, with the port unless that is the default 3260.
  iqn string #2 | The qualified name of the target.
  lun int32 #3 | The logical unit number on the target, from 0 to 255.
  iscsiInterface? string #4 default:"default" | The transport of the iSCSI interface. The default stands for TCP.
  fsType? string #5 | The file system to mount, such as ext4 or xfs. Defaults to ext4.
  readOnly? bool #6 | Whether the disk is forced to be read-only in containers. Defaults to false.
  portals? []string #7 atomic | Further addresses of the target, used for multipath.
  chapAuthDiscovery? bool #8 | Whether discovery uses CHAP authentication. It requires secretRef.
  chapAuthSession? bool #11 | Whether sessions use CHAP authentication. It requires secretRef.
  secretRef? *LocalObjectReference #10 | The secret with the user names and passwords for CHAP, in the namespace of the pod.
  initiatorName? *string #12 | The initiator name to use. When set, a separate iSCSI interface is created for the volume.
struct ImageVolumeSource | ImageVolumeSource mounts the content of an OCI image or artifact, read-only.
  reference? string #1 | The image or artifact, written like the image of a container. Pods require it; workloads may leave it empty.
  pullPolicy? PullPolicy #2 | Always, IfNotPresent or Never. Defaults to Always if the image has the tag :latest or none, else to IfNotPresent.
struct ImageVolumeStatus | ImageVolumeStatus reports which image an image volume uses.
  imageRef? string #1 required | The digest of the image in use, of at most 256 characters.
struct KeyToPath | KeyToPath says to which file an entry is written.
  key string #1 | The key of the entry.
  path string #2 | The file to write, relative to the root of the volume. It must not contain '..'.
  mode? *int32 #3 | Permission bits of the file, from 0 to 0777. Defaults to the mode of the volume.
struct Lifecycle | Lifecycle says what to do at certain points in the life of a container.
  postStart? *LifecycleHandler #1 | Run right after the container is created. If it fails, the container is stopped and handled by its restart policy.
  preStop? *LifecycleHandler #2 | Run before the container is stopped on purpose. Its time counts against the grace period. Not run if the container ends itself.
  stopSignal? *Signal #3 since:1.33 | The signal that stops the container. It requires spec.os.name of the pod. Defaults to that of the image, else SIGTERM.
struct LifecycleHandler | LifecycleHandler is the action of a lifecycle hook. Exactly one field is set.
  exec? *ExecAction #1 | Runs a command in the container.
  httpGet? *HTTPGetAction #2 | Sends an HTTP request.
  tcpSocket? *TCPSocketAction #3 | Deprecated: not supported for hooks. It is accepted but fails when it runs.
  sleep? *SleepAction #4 since:1.29 | Pauses for some time.
struct LinuxContainerUser | LinuxContainerUser is the user and the groups of a container's first process on Linux.
  uid int64 #1 | The user ID of the process.
  gid int64 #2 | The primary group ID of the process.
  supplementalGroups? []int64 #3 atomic | The further group IDs of the process.
struct LoadBalancerIngress | LoadBalancerIngress is one address at which a load balancer takes traffic.
  ip? string #1 | The IP address, for load balancers that have one.
  hostname? string #2 | The DNS name, for load balancers that have one.
  ipMode? *LoadBalancerIPMode #3 since:1.29 | VIP if traffic arrives with the address of the load balancer, Proxy if with that of the node or pod. Only allowed with ip.
  ports? []PortStatus #4 atomic | The state of the ports of the service.
struct LoadBalancerStatus | LoadBalancerStatus reports how a load balancer stands.
  ingress? []LoadBalancerIngress #1 atomic | The addresses at which the load balancer takes traffic.
struct LocalVolumeSource | LocalVolumeSource is a disk, partition or directory of one node. The volume needs node affinity.
  path string #1 | The path on the node to a directory or a block device, without '..'.
  fsType? *string #2 | The file system to mount if the path is a block device. When unset, it is chosen automatically.
struct ModifyVolumeStatus | ModifyVolumeStatus reports how a change to another VolumeAttributesClass proceeds.
  targetVolumeAttributesClassName? string #1 | The name of the VolumeAttributesClass that is being applied.
  status PersistentVolumeClaimModifyVolumeStatus #2 | Pending, InProgress, or Infeasible if the driver rejected the change. Others may come.
struct NFSVolumeSource | NFSVolumeSource mounts a directory of an NFS server.
  server string #1 | The host name or IP address of the server.
  path string #2 | The exported directory. It must be absolute.
  readOnly? bool #3 | Whether the directory is forced to be mounted read-only. Defaults to false.
kind Node | Node is a machine on which pods run.
  spec? NodeSpec #2 | How the node is set up.
  status? NodeStatus #3 | How the node stands. Mostly written by its kubelet.
struct NodeAddress | NodeAddress is one address of a node.
  type NodeAddressType #1 | Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.
  address string #2 | The address.
struct NodeAffinity | NodeAffinity guides a pod to nodes by their labels.
  requiredDuringSchedulingIgnoredDuringExecution? *NodeSelector #1 | What must hold for a node for the pod to be scheduled there. Later changes of the node do not evict the pod.
  preferredDuringSchedulingIgnoredDuringExecution? []PreferredSchedulingTerm #2 atomic | Preferences with weights. The scheduler favors nodes whose matching weights add up to more.
struct NodeAllocatableResourceClaimStatus | NodeAllocatableResourceClaimStatus reports node resources such as cpu that a pod was given through a resource claim.
  resourceClaimName string #1 | The name of the resource claim.
  containers? []string #2 set | The containers of the pod that use the claim.
  resources map[string]quantity #3 | How much of each node resource the claim was given in total.
struct NodeCondition | NodeCondition tells of one side of a node's state.
  type NodeConditionType #1 | What the condition is about: Ready, MemoryPressure, DiskPressure, PIDPressure, NetworkUnavailable or another type.
  status ConditionStatus #2 | True, False or Unknown.
  lastHeartbeatTime? time #3 | When the condition was reported last.
  lastTransitionTime? time #4 | When the status changed last.
  reason? string #5 | Why it changed, in one word.
  message? string #6 | The same for people to read.
struct NodeConfigSource | NodeConfigSource is where a kubelet's configuration comes from. Deprecated: dynamic kubelet configuration was removed in 1.24.
  configMap? *ConfigMapNodeConfigSource #2 | The ConfigMap with the configuration.
struct NodeConfigStatus | NodeConfigStatus reports the dynamic configuration of a kubelet. Deprecated: the feature was removed in 1.24.
  assigned? *NodeConfigSource #1 | The configuration that the node tries to use.
  active? *NodeConfigSource #2 | The configuration that the node uses.
  lastKnownGood? *NodeConfigSource #3 | The configuration that the node falls back to when the assigned one fails.
  error? string #4 | What went wrong with the assigned configuration. Empty if nothing did.
struct NodeDaemonEndpoints | NodeDaemonEndpoints lists the ports on which daemons of a node listen.
  kubeletEndpoint? DaemonEndpoint #1 | Where the kubelet listens.
struct NodeFeatures | NodeFeatures lists features that the container runtime of a node implements.
  supplementalGroupsPolicy? *bool #1 | Whether the runtime supports supplementalGroupsPolicy and the user in container statuses.
struct NodeRuntimeHandler | NodeRuntimeHandler is a runtime handler that pods on a node can use.
  name string #1 optional | The name of the handler. Empty stands for the default handler.
  features? *NodeRuntimeHandlerFeatures #2 | What the handler supports.
struct NodeRuntimeHandlerFeatures | NodeRuntimeHandlerFeatures lists what a runtime handler supports.
  recursiveReadOnlyMounts? *bool #1 | Whether mounts can be read-only with all their submounts.
  userNamespaces? *bool #2 since:1.31 | Whether pods can have user namespaces, volumes included.
struct NodeSelector atomic | NodeSelector picks nodes. A node matches if at least one of the terms does.
  nodeSelectorTerms []NodeSelectorTerm #1 atomic | The terms, of which one must match. At least one is required.
struct NodeSelectorRequirement | NodeSelectorRequirement asks something of one label or field of a node.
  key string #1 | The key of the label, or the name of the field.
  operator NodeSelectorOperator #2 | In, NotIn, Exists, DoesNotExist, Gt or Lt.
  values? []string #3 atomic | The values to compare with. Gt and Lt take a single integer; Exists and DoesNotExist take none.
struct NodeSelectorTerm atomic | NodeSelectorTerm is a set of requirements that must all hold. An empty term matches no node.
  matchExpressions? []NodeSelectorRequirement #1 atomic | Requirements on labels of the node.
  matchFields? []NodeSelectorRequirement #2 atomic | Requirements on fields of the node. Only metadata.name is supported, with In or NotIn and a single value.
struct NodeSpec | NodeSpec says how a node is set up.
  podCIDR? string #1 | The IP range for pods of the node. It equals the first of podCIDRs and cannot be changed once set.
  podCIDRs? []string #7 set merge | The IP ranges for pods of the node, at most one for IPv4 and one for IPv6. They cannot be changed once set.
  providerID? string #3 | The ID of the machine at its cloud provider, in the form provider://id. It cannot be changed once set.
  unschedulable? bool #4 | Whether new pods are kept off the node, as kubectl cordon does. Defaults to false.
  taints? []Taint #5 atomic | Marks that keep off pods which do not tolerate them.
  configSource? *NodeConfigSource #6 | Deprecated: dynamic kubelet configuration was removed in 1.24.
  externalID? string #2 | Deprecated: kept for objects of old kubelets and not used. It cannot be changed.
struct NodeStatus | NodeStatus reports how a node stands.
  capacity? ResourceList #1 | All resources of the node.
  allocatable? ResourceList #2 | The resources that pods may use. Defaults to the capacity.
  phase? NodePhase #3 | Deprecated: no longer set. See the conditions instead.
  conditions? []NodeCondition #4 map:type merge:type | What was observed about the node, such as whether it is ready.
  addresses? []NodeAddress #5 map:type merge:type | The addresses at which the node can be reached.
  daemonEndpoints? NodeDaemonEndpoints #6 | The ports on which daemons of the node listen.
  nodeInfo? NodeSystemInfo #7 | Versions and IDs of the node's hardware and software.
  images? []ContainerImage #8 atomic | Container images that are present on the node. The kubelet lists at most 50 by default.
  volumesInUse? []UniqueVolumeName #9 atomic | Attachable volumes that the node uses and that must not be detached yet.
  volumesAttached? []AttachedVolume #10 atomic | Volumes now attached, each with its device path.
  config? *NodeConfigStatus #11 | Deprecated: the state of dynamic kubelet configuration, which was removed in 1.24.
  runtimeHandlers? []NodeRuntimeHandler #12 atomic since:1.30 | The runtime handlers that pods on the node can use.
  features? *NodeFeatures #13 since:1.31 | Features that the container runtime implements.
  declaredFeatures? []string #14 atomic since:1.35 | Names of Kubernetes features that the node declares. They are considered when pods are scheduled or changed.
struct NodeSwapStatus | NodeSwapStatus describes the swap space of a node.
  capacity? *int64 #1 | The size of all swap space in bytes.
struct NodeSystemInfo | NodeSystemInfo identifies the hardware and software of a node.
  machineID string #1 | The machine ID of the node, as in /etc/machine-id. The preferred unique ID.
  systemUUID string #2 | The UUID of the hardware or virtual machine. To tell machines apart, prefer machineID.
  bootID string #3 | An ID that changes with every boot.
  kernelVersion string #4 | The version of the kernel, as uname -r shows it.
  osImage string #5 | The name of the operating system's release, as in /etc/os-release.
  containerRuntimeVersion string #6 | The container runtime and its version, such as containerd://2.1.0.
  kubeletVersion string #7 | The version of the kubelet.
  kubeProxyVersion string #8 | Deprecated: does not reliably tell the version of kube-proxy. Newer kubelets leave it empty.
  operatingSystem string #9 | The operating system: linux or windows.
  architecture string #10 | The processor architecture, such as amd64 or arm64.
  swap? *NodeSwapStatus #11 since:1.33 | The swap space of the node.
struct ObjectFieldSelector atomic | ObjectFieldSelector points to a field of the pod.
  apiVersion? string #1 | The API version in which the path is written. Defaults to v1.
  fieldPath string #2 | The path of the field, such as metadata.name.
kind PersistentVolume | PersistentVolume is a piece of storage that belongs to the cluster and can be claimed.
  spec? PersistentVolumeSpec #2 | Where the storage is and how it may be used.
  status? PersistentVolumeStatus #3 | How the volume stands. Written by controllers.
kind PersistentVolumeClaim | PersistentVolumeClaim asks for a persistent volume, which pods of the namespace then use.
  spec? PersistentVolumeClaimSpec #2 | What storage is asked for.
  status? PersistentVolumeClaimStatus #3 | How the claim stands. Written by controllers.
struct PersistentVolumeClaimCondition | PersistentVolumeClaimCondition tells of one side of a claim's state.
  type PersistentVolumeClaimConditionType #1 | What the condition is about, such as Resizing, FileSystemResizePending or ModifyingVolume.
  status ConditionStatus #2 | True, False or Unknown.
  lastProbeTime? time #3 | When the condition was last checked.
  lastTransitionTime? time #4 | When the status last changed.
  reason? string #5 | Short CamelCase word for why the condition holds.
  message? string #6 | Details of the last change, written for people.
struct PersistentVolumeClaimSpec | PersistentVolumeClaimSpec states what storage is wanted. After creation only the storage request and volumeAttributesClassName can change.
  accessModes? []PersistentVolumeAccessMode #1 atomic | How the volume must be mountable: ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod.
  selector? *meta.LabelSelector #4 | Labels that a volume must carry to be bound. A claim with a selector is not provisioned dynamically.
  resources? VolumeResourceRequirements #2 | How much storage is needed. The request can grow if the storage class allows expansion.
  volumeName? string #3 | Name of the PersistentVolume that backs the claim; set it to ask for one particular volume.
  storageClassName? *string #5 | StorageClass to use. Unset means the default class; an empty string means volumes without a class only.
  volumeMode? *PersistentVolumeMode #6 | Filesystem for a formatted volume, Block for a raw device. Defaults to Filesystem.
  dataSource? *TypedLocalObjectReference #7 | A VolumeSnapshot or claim of the same namespace to fill the volume from. Kept equal to dataSourceRef where possible.
  dataSourceRef? *TypedObjectReference #8 | Object to fill the volume from; any kind that a volume populator handles. Replaces dataSource.
  volumeAttributesClassName? *string #9 since:1.29 | VolumeAttributesClass whose parameters the CSI driver applies to the volume. May be changed after creation.
struct PersistentVolumeClaimStatus | PersistentVolumeClaimStatus is the observed state of a claim and of the volume behind it.
  phase? PersistentVolumeClaimPhase #1 | Pending, Bound, or Lost when the bound volume no longer exists.
  accessModes? []PersistentVolumeAccessMode #2 atomic | Access modes of the volume that is bound.
  capacity? ResourceList #3 | Actual size of the volume that is bound.
  conditions? []PersistentVolumeClaimCondition #4 map:type merge:type | What is going on with the claim at present, such as an expansion.
  allocatedResources? ResourceList #5 | Sizes set aside for the claim. During an expansion they can exceed capacity, and quota counts them.
  allocatedResourceStatuses? map[string]ClaimResourceStatus #7 since:1.28 | Progress of a resize for each resource, such as NodeResizePending. Empty when none is under way.
  currentVolumeAttributesClassName? *string #8 since:1.29 | VolumeAttributesClass now in effect for the volume, if any.
  modifyVolumeStatus? *ModifyVolumeStatus #9 since:1.29 | State of a switch to another VolumeAttributesClass. Unset when none is under way.
  resizeStatus? *runtime.RawExtension removed:1.28 | Deprecated: removed in 1.28 in favor of allocatedResourceStatuses.
struct PersistentVolumeClaimTemplate | PersistentVolumeClaimTemplate is the pattern from which the claim of an ephemeral volume is made.
  metadata? objectmeta #1 | Labels and annotations that are copied to the claim. Other metadata is rejected.
  spec PersistentVolumeClaimSpec #2 | Spec that is copied unchanged into the claim.
struct PersistentVolumeClaimVolumeSource | PersistentVolumeClaimVolumeSource mounts the volume that a claim of the pod's namespace is bound to.
  claimName string #1 | Name of the claim, in the namespace of the pod.
  readOnly? bool #2 | Makes every mount of this volume read-only. Defaults to false.
struct PersistentVolumeSpec | PersistentVolumeSpec describes a piece of storage. Exactly one volume source is set, and it cannot be changed later.
  capacity? ResourceList #1 | Size of the volume, under the key storage.
  gcePersistentDisk? *GCEPersistentDiskVolumeSource #2.1 in:PersistentVolumeSource | Google Compute Engine disk. Deprecated: use csi; handled by the pd.csi.storage.gke.io driver.
  awsElasticBlockStore? *AWSElasticBlockStoreVolumeSource #2.2 in:PersistentVolumeSource | AWS EBS volume. Deprecated: use csi; handled by the ebs.csi.aws.com driver.
  hostPath? *HostPathVolumeSource #2.3 in:PersistentVolumeSource | Directory on the node. For tests on a single node only; it does not work across nodes.
  glusterfs? *GlusterfsPersistentVolumeSource #2.4 in:PersistentVolumeSource | Glusterfs volume. Deprecated: no longer supported by the kubelet.
  nfs? *NFSVolumeSource #2.5 in:PersistentVolumeSource | NFS export, set up by an administrator.
  rbd? *RBDPersistentVolumeSource #2.6 in:PersistentVolumeSource | Ceph RBD image. Deprecated: no longer supported by the kubelet.
  iscsi? *ISCSIPersistentVolumeSource #2.7 in:PersistentVolumeSource | iSCSI disk, set up by an administrator.
  cinder? *CinderPersistentVolumeSource #2.8 in:PersistentVolumeSource | OpenStack Cinder volume. Deprecated: use csi; handled by the cinder.csi.openstack.org driver.
  cephfs? *CephFSPersistentVolumeSource #2.9 in:PersistentVolumeSource | CephFS volume. Deprecated: no longer supported by the kubelet.
  fc? *FCVolumeSource #2.10 in:PersistentVolumeSource | Fibre Channel disk.
  flocker? *FlockerVolumeSource #2.11 in:PersistentVolumeSource | Flocker volume. Deprecated: no longer supported by the kubelet.
  flexVolume? *FlexPersistentVolumeSource #2.12 in:PersistentVolumeSource | Volume handled by an executable plugin on the node. Deprecated: use a CSI driver.
  azureFile? *AzureFilePersistentVolumeSource #2.13 in:PersistentVolumeSource | Azure Files share. Deprecated: use csi; handled by the file.csi.azure.com driver.
  vsphereVolume? *VsphereVirtualDiskVolumeSource #2.14 in:PersistentVolumeSource | vSphere disk. Deprecated: use csi; handled by the csi.vsphere.vmware.com driver.
  quobyte? *QuobyteVolumeSource #2.15 in:PersistentVolumeSource | Quobyte volume. Deprecated: no longer supported by the kubelet.
  azureDisk? *AzureDiskVolumeSource #2.16 in:PersistentVolumeSource | Azure managed disk. Deprecated: use csi; handled by the disk.csi.azure.com driver.
  photonPersistentDisk? *PhotonPersistentDiskVolumeSource #2.17 in:PersistentVolumeSource | Photon Controller disk. Deprecated: no longer supported by the kubelet.
  portworxVolume? *PortworxVolumeSource #2.18 in:PersistentVolumeSource | Portworx volume. Deprecated: use csi; handled by the pxd.portworx.com driver.
  scaleIO? *ScaleIOPersistentVolumeSource #2.19 in:PersistentVolumeSource | ScaleIO volume. Deprecated: no longer supported by the kubelet.
  local? *LocalVolumeSource #2.20 in:PersistentVolumeSource | Disk or directory that is attached directly to one node. Needs nodeAffinity.
  storageos? *StorageOSPersistentVolumeSource #2.21 in:PersistentVolumeSource | StorageOS volume. Deprecated: no longer supported by the kubelet.
  csi? *CSIPersistentVolumeSource #2.22 in:PersistentVolumeSource | Volume handled by a CSI driver.
  accessModes? []PersistentVolumeAccessMode #3 atomic | All ways in which the volume can be mounted: ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod.
  claimRef? *ObjectReference #4 | Claim that the volume is bound to or reserved for. Normally set when the two are bound.
  persistentVolumeReclaimPolicy? PersistentVolumeReclaimPolicy #5 | What happens once the claim is gone: Retain (default), Delete, or the deprecated Recycle.
  storageClassName? string #6 | StorageClass the volume belongs to. Empty means that it belongs to none.
  mountOptions? []string #7 atomic | Options passed to mount, such as ro or soft. They are not validated; a bad one makes mounting fail.
  volumeMode? *PersistentVolumeMode #8 | Filesystem for a formatted volume, Block for a raw device. Defaults to Filesystem and cannot be changed.
  nodeAffinity? *VolumeNodeAffinity #9 | Nodes from which the volume can be reached. Once set it is fixed, unless MutablePVNodeAffinity is enabled.
  volumeAttributesClassName? *string #10 since:1.29 | VolumeAttributesClass the volume has. Updated after a modification succeeds; must not be empty when set.
struct PersistentVolumeStatus | PersistentVolumeStatus is the observed state of a volume.
  phase? PersistentVolumePhase #1 | Pending, Available, Bound, Released (its claim is gone) or Failed.
  message? string #2 | Explanation of the state, written for people.
  reason? string #3 | Short CamelCase word for why the volume is in this state, if it failed.
  lastPhaseTransitionTime? *time #4 since:1.28 | When the phase last changed.
struct PhotonPersistentDiskVolumeSource | PhotonPersistentDiskVolumeSource is a Photon Controller disk. Deprecated: no longer supported.
  pdID string #1 | ID of the disk.
  fsType? string #2 | File system to mount, such as ext4 or xfs. Treated as ext4 if empty.
kind Pod | Pod is a group of containers that run together on one node and share its network identity and volumes.
  spec? PodSpec #2 | How the pod should run. Most of it cannot be changed after creation.
  status? PodStatus #3 | The last observed state of the pod. Written by the kubelet and other parts of the system.
struct PodAffinity | PodAffinity places a pod close to other pods.
  requiredDuringSchedulingIgnoredDuringExecution? []PodAffinityTerm #1 atomic | Terms that must all hold when the pod is scheduled. Running pods are not evicted if that changes.
  preferredDuringSchedulingIgnoredDuringExecution? []WeightedPodAffinityTerm #2 atomic | Terms to satisfy if possible. Nodes whose fulfilled terms have the highest total weight are favored.
struct PodAffinityTerm | PodAffinityTerm selects pods by label and namespace, and says what counts as the same place.
  labelSelector? *meta.LabelSelector #1 | Pods that the term is about. If unset, it matches no pods.
  namespaces? []string #2 atomic | Namespaces in which to look, besides those of namespaceSelector. If both are unset, the pod's own.
  topologyKey string #3 | Node label that defines a place: nodes with the same value for it are together. Must not be empty.
  namespaceSelector? *meta.LabelSelector #4 | Namespaces in which to look, chosen by label. {} means all namespaces; unset adds none.
  matchLabelKeys? []string #5 atomic since:1.29 | Keys whose values are taken from the incoming pod and required of others. Needs labelSelector; a key may not be in both.
  mismatchLabelKeys? []string #6 atomic since:1.29 | Keys for which other pods must not have the incoming pod's value. Needs labelSelector; a key may not be in both.
struct PodAntiAffinity | PodAntiAffinity keeps a pod away from other pods.
  requiredDuringSchedulingIgnoredDuringExecution? []PodAffinityTerm #1 atomic | Terms whose pods must not be in the same place when the pod is scheduled. Running pods are not evicted.
  preferredDuringSchedulingIgnoredDuringExecution? []WeightedPodAffinityTerm #2 atomic | Terms to avoid if possible. The more weight a node's matching terms add up to, the less it is favored.
struct PodCertificateProjection | PodCertificateProjection writes a private key and an X.509 certificate for the pod into a projected volume.
  signerName? string #1 required | Signer to which the kubelet sends the certificate requests.
  keyType? string #2 required | Kind of key to generate: RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521 or ED25519.
  maxExpirationSeconds? *int32 #3 | Longest lifetime of the certificate, from 3600 (1 hour) to 7862400 (91 days). Defaults to 86400 (24 hours).
  credentialBundlePath? string #4 | File for key and certificate chain together in PEM, so that both can be read at once.
  keyPath? string #5 | File for the private key alone. Prefer credentialBundlePath, as key and chain may differ during rotation.
  certificateChainPath? string #6 | File for the certificate chain alone. Prefer credentialBundlePath, for the same reason as with keyPath.
  userAnnotations? map[string]string #7 since:1.35 | Extra data for the signer, copied into the request as unverifiedUserAnnotations. Keys need a domain prefix.
struct PodCondition | PodCondition reports one aspect of a pod's state.
  type PodConditionType #1 | Name of the condition, such as PodScheduled, Initialized, ContainersReady or Ready.
  observedGeneration? int64 #7 since:1.33 | The metadata.generation of the pod on which the condition is based.
  status ConditionStatus #2 | True, False or Unknown.
  lastProbeTime? time #3 | When the condition was last checked.
  lastTransitionTime? time #4 | When the status last changed.
  reason? string #5 | Short CamelCase word for why the status changed.
  message? string #6 | Details of the last change, written for people.
struct PodDNSConfig | PodDNSConfig adds DNS settings to those that follow from dnsPolicy.
  nameservers? []string #1 atomic | IP addresses of DNS servers, added to those of dnsPolicy. At most 3; needed if dnsPolicy is None.
  searches? []string #2 atomic | Search domains for host names, added to those of dnsPolicy. At most 32, with 2048 characters in all.
  options? []PodDNSConfigOption #3 atomic | Resolver options, merged with those of dnsPolicy. The ones given here win.
struct PodDNSConfigOption | PodDNSConfigOption is one resolver option, such as ndots.
  name? string #1 | Name of the option. Required.
  value? *string #2 | Value of the option, if it takes one.
struct PodExtendedResourceClaimStatus | PodExtendedResourceClaimStatus tells which ResourceClaim serves the pod's extended resources.
  requestMappings []ContainerExtendedResourceRequest #1 atomic | Which request of the claim serves which extended resource of which container.
  resourceClaimName string #2 | Name of the ResourceClaim that the scheduler made for the pod, in the pod's namespace.
struct PodIP | PodIP is one IP address of a pod.
  ip string #1 | The address, IPv4 or IPv6.
struct PodOS | PodOS names the operating system a pod is made for.
  name OSName #1 | Either linux or windows. The kubelet rejects the pod on a node with another operating system.
struct PodReadinessGate | PodReadinessGate adds a condition that must be true for a pod to be ready.
  conditionType PodConditionType #1 | Type of a condition in the status of the pod. If missing there, it counts as False.
struct PodResourceClaim | PodResourceClaim gives a pod access to a ResourceClaim. Containers use it through resources.claims.
  name string #1 | Name of this entry, unique within the pod. Must be a DNS label.
  resourceClaimName? *string #3 since:1.31 | Existing ResourceClaim of the same namespace. Set either this or resourceClaimTemplateName.
  resourceClaimTemplateName? *string #4 since:1.31 | Template from which a claim is made for this pod alone. The claim is deleted together with the pod.
  source? runtime.RawExtension removed:1.31 | Deprecated: removed in 1.31. Set resourceClaimName or resourceClaimTemplateName directly.
struct PodResourceClaimStatus | PodResourceClaimStatus tells which ResourceClaim was made for an entry of the pod's resourceClaims.
  name string #1 | Name of the entry in spec.resourceClaims.
  resourceClaimName? *string #2 | Name of the claim. Unset if none was needed.
struct PodSchedulingGate | PodSchedulingGate holds back the scheduling of a pod until it is removed.
  name string #1 | Name of the gate, unique within the pod.
struct PodSchedulingGroup | PodSchedulingGroup names the group that a pod is scheduled with. Exactly one field must be set.
  podGroupName? *string #1 | Name of the PodGroup, in the same namespace as the pod.
struct PodSecurityContext | PodSecurityContext holds security settings for a whole pod. A container's securityContext overrides what both define.
  seLinuxOptions? *SELinuxOptions #1 | SELinux label of all containers. If unset, the runtime picks one for each container. Not for Windows pods.
  windowsOptions? *WindowsSecurityContextOptions #8 | Windows settings for all containers. Not for Linux pods.
  runAsUser? *int64 #2 | User ID of the containers' processes. Defaults to the user set in the image. Not for Windows pods.
  runAsGroup? *int64 #6 | Primary group ID of the containers' processes. Defaults to what the runtime chooses. Not for Windows pods.
  runAsNonRoot? *bool #3 | If true, containers that would run as UID 0 are not started.
  supplementalGroups? []int64 #4 atomic | Extra group IDs of the first process in each container, besides the primary group and fsGroup.
  supplementalGroupsPolicy? *SupplementalGroupsPolicy #12 since:1.31 | Merge (default) adds the groups the image defines for the user; Strict leaves those out.
  fsGroup? *int64 #5 | Extra group ID for all containers. Volumes that support it are made owned and writable by this group.
  sysctls? []Sysctl #7 atomic | Namespaced kernel parameters to set for the pod. If the runtime does not know one, the pod may fail to start.
  fsGroupChangePolicy? *PodFSGroupChangePolicy #9 | When volume ownership is set for fsGroup: Always (default), or OnRootMismatch to skip volumes already right.
  seccompProfile? *SeccompProfile #10 | Seccomp profile of all containers. Not for Windows pods.
  appArmorProfile? *AppArmorProfile #11 since:1.30 | AppArmor profile of all containers. Not for Windows pods.
  seLinuxChangePolicy? *PodSELinuxChangePolicy #13 since:1.32 | How volumes get the pod's SELinux label: MountOption for the whole mount, or Recursive for file by file.
struct PodSpec | PodSpec describes how a pod should run. Few fields of it can be changed after creation.
  volumes? []Volume #1 map:name merge:name retain-keys | Volumes that the containers of the pod can mount.
  initContainers? []Container #20 map:name merge:name | Containers run one by one before the others. Those with restartPolicy Always keep running as sidecars.
  containers []Container #2 map:name merge:name | The main containers, at least one. Containers cannot be added or removed after creation.
  ephemeralContainers? []EphemeralContainer #34 map:name merge:name | Temporary containers for debugging. Added to a running pod through the ephemeralcontainers subresource only.
  restartPolicy? RestartPolicy #3 | When containers are restarted: Always (default), OnFailure or Never.
  terminationGracePeriodSeconds? *int64 #4 | Time for processes to end after the stop signal before they are killed. Defaults to 30; 0 kills them at once.
  activeDeadlineSeconds? *int64 #5 | How long the pod may be active on its node before it is stopped and marked failed. Must be positive.
  dnsPolicy? DNSPolicy #6 | Where DNS settings come from: ClusterFirst (default), ClusterFirstWithHostNet, Default (the node) or None.
  nodeSelector? map[string]string #7 atomic | Labels that a node must have for the pod to be scheduled there.
  serviceAccountName? string #8 | ServiceAccount the pod runs as. Filled in with 'default' if unset.
  serviceAccount? string #9 | Deprecated: use serviceAccountName.
  automountServiceAccountToken? *bool #21 | Whether a token of the service account is mounted. If unset, the ServiceAccount decides; otherwise it is mounted.
  nodeName? string #10 | Node the pod runs on. Set by the scheduler; setting it yourself bypasses scheduling.
  hostNetwork? bool #11 | Uses the network of the node. Host ports then equal container ports. Defaults to false.
  hostPID? bool #12 | Uses the process namespace of the node. Defaults to false.
  hostIPC? bool #13 | Uses the IPC namespace of the node. Defaults to false.
  shareProcessNamespace? *bool #27 | Lets containers see and signal each other's processes. Cannot be combined with hostPID. Defaults to false.
  securityContext? *PodSecurityContext #14 | Security settings for the whole pod. Containers can override some of them.
  imagePullSecrets? []LocalObjectReference #15 map:name merge:name | Secrets of the same namespace with the credentials for pulling images.
  hostname? string #16 | Host name of the pod. Defaults to the name of the pod.
  subdomain? string #17 | Makes the full host name <hostname>.<subdomain>.<namespace>.svc.<cluster domain>. Without it there is no domain.
  affinity? *Affinity #18 | Rules that draw the pod to nodes or other pods, or keep it away from other pods.
  schedulerName? string #19 | Scheduler that places the pod. Defaults to default-scheduler.
  tolerations? []Toleration #22 atomic | Taints the pod puts up with. After creation, entries can only be added.
  hostAliases? []HostAlias #23 map:ip merge:ip | Lines to add to the hosts file of the pod.
  priorityClassName? string #24 | PriorityClass that sets the priority. If unset, the default class is used, or priority 0 if there is none.
  priority? *int32 #25 | Numeric priority; higher is more important. Filled in from the PriorityClass; do not set it yourself.
  dnsConfig? *PodDNSConfig #26 | DNS settings in addition to those that dnsPolicy yields.
  readinessGates? []PodReadinessGate #28 atomic | Conditions that must be True, besides all containers being ready, for the pod to be ready.
  runtimeClassName? *string #29 | RuntimeClass to run the pod with. It must exist. If unset, the default runtime is used.
  enableServiceLinks? *bool #30 | Whether the services of the namespace are put into environment variables. Defaults to true.
  preemptionPolicy? *PreemptionPolicy #31 | PreemptLowerPriority (default) may evict less important pods to make room; Never does not.
  overhead? ResourceList #32 | Resources used by the runtime itself. Filled in from the RuntimeClass; must not differ from it.
  topologySpreadConstraints? []TopologySpreadConstraint #33 map:topologyKey,whenUnsatisfiable merge:topologyKey | How matching pods are spread over zones, nodes and the like. All of them apply.
  setHostnameAsFQDN? *bool #35 | Uses the fully qualified name as host name, not only its first part. Defaults to false.
  os? *PodOS #36 | Operating system the pod is made for. It determines which security settings are allowed.
  hostUsers? *bool #37 | If false, the pod gets a user namespace of its own, so that root inside is not root on the node. Defaults to true.
  schedulingGates? []PodSchedulingGate #38 map:name merge:name | Gates that keep the pod from being scheduled. Set at creation; afterwards they can only be removed.
  resourceClaims? []PodResourceClaim #39 map:name merge:name retain-keys | Resource claims that must be allocated before the pod starts. Cannot be changed after creation.
  resources? *ResourceRequirements #40 since:1.32 | Requests and limits of the pod as a whole, for cpu, memory and hugepages. Containers share them.
  hostnameOverride? *string #41 since:1.34 | Host name that overrides hostname and subdomain but not DNS, at most 64 characters. Not with hostNetwork.
  schedulingGroup? *PodSchedulingGroup #43 since:1.36 | Group the pod is scheduled with. Needs GenericWorkload; cannot be changed after creation.
  workloadRef? *runtime.RawExtension since:1.35 removed:1.36 | Deprecated: removed in 1.36. Use schedulingGroup.
struct PodStatus | PodStatus is the last known state of a pod. It can be out of date if the node is unreachable.
  observedGeneration? int64 #17 since:1.33 | The metadata.generation of the pod on which this status is based.
  phase? PodPhase #1 | Summary of the lifecycle: Pending, Running, Succeeded, Failed or Unknown.
  conditions? []PodCondition #2 map:type merge:type | Detailed aspects of the state, such as PodScheduled and Ready.
  message? string #3 | Why the pod is in this state, written for people.
  reason? string #4 | Why the pod is in this state, as a short CamelCase word such as Evicted.
  nominatedNodeName? string #11 | Node where the pod is expected to run, for example after preemption. The scheduler may still pick another.
  hostIP? string #5 | Main address of the node. Empty until the pod is scheduled; may remain after the node is gone.
  hostIPs? []HostIP #16 atomic merge:ip since:1.28 | All addresses of the node; the first one equals hostIP.
  podIP? string #6 | Address of the pod, reachable at least within the cluster. Empty until one is assigned.
  podIPs? []PodIP #12 map:ip merge:ip | All addresses of the pod, at most one for each IP family; the first one equals podIP.
  startTime? *time #7 | When the kubelet accepted the pod, before images were pulled.
  initContainerStatuses? []ContainerStatus #10 atomic | State of each init container, in the order of the spec.
  containerStatuses? []ContainerStatus #8 atomic | State of each main container.
  qosClass? PodQOSClass #9 | Quality of service that follows from requests and limits: Guaranteed, Burstable or BestEffort. Immutable.
  ephemeralContainerStatuses? []ContainerStatus #13 atomic | State of each ephemeral container.
  resize? PodResizeStatus #14 since:1.27 | Deprecated: see the conditions PodResizePending and PodResizeInProgress instead.
  resourceClaimStatuses? []PodResourceClaimStatus #15 map:name merge:name retain-keys since:1.28 | Which resource claims were made for the entries of spec.resourceClaims.
  extendedResourceClaimStatus? *PodExtendedResourceClaimStatus #18 since:1.34 | The resource claim behind the pod's extended resources, where devices provide them.
  allocatedResources? ResourceList #19 since:1.35 | Total requests the node has granted. Summed over containers if the pod sets none of its own.
  resources? *ResourceRequirements #20 since:1.35 | Requests and limits in effect for the pod as a whole, if spec.resources is set.
  nodeAllocatableResourceClaimStatuses? []NodeAllocatableResourceClaimStatus #21 atomic since:1.36 | CPU, memory and similar node resources that the pod got through resource claims.
kind PodTemplate | PodTemplate is a stored pattern from which pods can be made.
  template? PodTemplateSpec #2 | The pods to make.
struct PodTemplateSpec | PodTemplateSpec describes the pods that a controller makes.
  metadata? objectmeta #1 | Labels, annotations and the like for the pods.
  spec? PodSpec #2 | How the pods should run.
struct PortStatus | PortStatus is the state of one port of a load balancer.
  port int32 #1 | Number of the port.
  protocol Protocol #2 | TCP, UDP or SCTP.
  error? *string #3 | What is wrong with the port: a CamelCase word, with a domain prefix if the cloud provider defines it.
struct PortworxVolumeSource | PortworxVolumeSource is a Portworx volume. Deprecated: handled by the pxd.portworx.com CSI driver.
  volumeID string #1 | ID of the volume.
  fsType? string #2 | File system to mount, such as ext4 or xfs. Treated as ext4 if empty.
  readOnly? bool #3 | Mounts the volume read-only. Defaults to false.
struct PreferredSchedulingTerm | PreferredSchedulingTerm favors nodes that match a term. An empty term has no effect.
  weight int32 #1 | How much a match counts, from 1 to 100.
  preference NodeSelectorTerm #2 | What a node must match to count.
struct Probe | Probe checks a container regularly. Exactly one kind of check is set.
  exec? *ExecAction #1.1 in:ProbeHandler | Runs a command in the container; exit code 0 means success.
  httpGet? *HTTPGetAction #1.2 in:ProbeHandler | Sends an HTTP GET request; a status from 200 to 399 means success.
  tcpSocket? *TCPSocketAction #1.3 in:ProbeHandler | Opens a TCP connection; success if that works.
  grpc? *GRPCAction #1.4 in:ProbeHandler | Calls the gRPC health service; SERVING means success.
  initialDelaySeconds? int32 #2 | How long to wait after the container's start before the first check. Defaults to 0.
  timeoutSeconds? int32 #3 | How long one check may take. Defaults to 1; at least 1.
  periodSeconds? int32 #4 | How often to check. Defaults to 10; at least 1.
  successThreshold? int32 #5 | Successes in a row that end a failure. Defaults to 1, and must be 1 for liveness and startup probes.
  failureThreshold? int32 #6 | Failures in a row that count as a failure. Defaults to 3; at least 1.
  terminationGracePeriodSeconds? *int64 #7 | Grace period when this probe fails, in place of the pod's. At least 1; not for readiness probes.
struct ProjectedVolumeSource | ProjectedVolumeSource puts several sources into one directory.
  sources []VolumeProjection #1 optional atomic | What to put into the directory. Each entry sets exactly one source.
  defaultMode? *int32 #2 | Permissions of files that set none, 0 to 0777 in octal. JSON needs decimal. Defaults to 0644.
struct QuobyteVolumeSource | QuobyteVolumeSource is a Quobyte volume. Deprecated: no longer supported.
  registry string #1 | Quobyte registries as host:port, separated by commas.
  volume string #2 | Name of an existing Quobyte volume.
  readOnly? bool #3 | Mounts the volume read-only. Defaults to false.
  user? string #4 | User to access the volume as. Defaults to the one of the service account.
  group? string #5 | Group to access the volume as. Defaults to none.
  tenant? string #6 | Quobyte tenant that owns the volume; set by the provisioner.
struct RBDPersistentVolumeSource | RBDPersistentVolumeSource is a Ceph RBD image for a PersistentVolume. Deprecated: no longer supported.
  monitors []string #1 atomic | Addresses of the Ceph monitors.
  image string #2 | Name of the RBD image.
  fsType? string #3 | File system to mount, such as ext4 or xfs. Treated as ext4 if empty.
  pool? string #4 default:"rbd" | Ceph pool with the image. Defaults to rbd.
  user? string #5 default:"admin" | RADOS user. Defaults to admin.
  keyring? string #6 default:"/etc/ceph/keyring" | Keyring file of the user. Defaults to /etc/ceph/keyring.
  secretRef? *SecretReference #7 | Secret for authentication. Used in place of keyring if set.
  readOnly? bool #8 | Mounts the volume read-only. Defaults to false.
struct RBDVolumeSource | RBDVolumeSource is a Ceph RBD image for a pod. Deprecated: no longer supported.
  monitors []string #1 atomic | Addresses of the Ceph monitors.
  image string #2 | Name of the RBD image.
  fsType? string #3 | File system to mount, such as ext4 or xfs. Treated as ext4 if empty.
  pool? string #4 default:"rbd" | Ceph pool with the image. Defaults to rbd.
  user? string #5 default:"admin" | RADOS user. Defaults to admin.
  keyring? string #6 default:"/etc/ceph/keyring" | Keyring file of the user. Defaults to /etc/ceph/keyring.
  secretRef? *LocalObjectReference #7 | Secret of the same namespace for authentication. Used in place of keyring if set.
  readOnly? bool #8 | Mounts the volume read-only. Defaults to false.
kind ReplicationController | ReplicationController keeps a number of equal pods running. New workloads should use a Deployment.
  spec? ReplicationControllerSpec #2 | How many pods are wanted, and which.
  status? ReplicationControllerStatus #3 | How many pods there are. Written by the controller.
struct ReplicationControllerCondition | ReplicationControllerCondition reports one aspect of a controller's state.
  type ReplicationControllerConditionType #1 | Name of the condition, such as ReplicaFailure.
  status ConditionStatus #2 | True, False or Unknown.
  lastTransitionTime? time #3 | When the status last changed.
  reason? string #4 | Short CamelCase word for why the status changed.
  message? string #5 | Details of the last change, written for people.
struct ReplicationControllerSpec | ReplicationControllerSpec says how many pods are wanted, and which.
  replicas? *int32 #1 default:1 | Number of pods wanted. Defaults to 1.
  minReadySeconds? int32 #4 default:0 | How long a new pod must be ready, without a crash, before it counts as available. Defaults to 0.
  selector? map[string]string #2 atomic | Labels of the pods that belong to the controller. Defaults to those of the template, and must match them.
  template? *PodTemplateSpec #3 | Pattern for new pods. Their restartPolicy can only be Always.
struct ReplicationControllerStatus | ReplicationControllerStatus counts the pods of a controller.
  replicas int32 #1 | Number of pods at the last count.
  fullyLabeledReplicas? int32 #2 | Number of pods that have all labels of the template.
  readyReplicas? int32 #4 | Number of pods that are ready.
  availableReplicas? int32 #5 | Number of pods that have been ready for minReadySeconds.
  observedGeneration? int64 #3 | The metadata.generation that the controller acted on last.
  conditions? []ReplicationControllerCondition #6 map:type merge:type | Current conditions of the controller.
struct ResourceClaim | ResourceClaim makes an entry of the pod's resourceClaims available to a container.
  name string #1 | Name of the entry in spec.resourceClaims of the pod.
  request? string #2 since:1.31 | One request of the claim. If empty, everything in the claim is made available.
struct ResourceFieldSelector atomic | ResourceFieldSelector picks a request or limit of a container to output as a number.
  containerName? string #1 | Name of the container. Required in volumes; optional in environment variables.
  resource string #2 | What to output, such as limits.cpu or requests.memory.
  divisor? quantity #3 | Unit to output in, such as 1m or 1Mi. Defaults to 1.
struct ResourceHealth | ResourceHealth is the health of one device or other resource of a container.
  resourceID ResourceID #1 | Unique ID of the resource on its node.
  health? ResourceHealthStatus #2 | Healthy, Unhealthy or Unknown. Unhealthy may be temporary.
  message? *string #6 since:1.36 | More about the health, written for people, if the driver reports it.
struct ResourceRequirements | ResourceRequirements states how many resources are needed and how many may be used.
  limits? ResourceList #1 | The most that may be used of each resource.
  requests? ResourceList #2 | What is reserved of each resource. Defaults to the limit if there is one, and must not exceed it.
  claims? []ResourceClaim #3 map:name | Entries of the pod's resourceClaims that this container uses. For containers only; cannot be changed.
struct ResourceStatus | ResourceStatus reports on one resource of a container.
  name ResourceName #1 | Name of the resource. For a claim, it is claim:<claim name>/<request>.
  resources? []ResourceHealth #2 map:resourceID | Health of each single device or unit of the resource.
struct SELinuxOptions | SELinuxOptions are the parts of an SELinux label.
  user? string #1 | SELinux user part of the label.
  role? string #2 | SELinux role part of the label.
  type? string #3 | SELinux type part of the label.
  level? string #4 | SELinux level part of the label.
struct ScaleIOPersistentVolumeSource | ScaleIOPersistentVolumeSource is a ScaleIO volume for a PersistentVolume. Deprecated: no longer supported.
  gateway string #1 | Host at which the ScaleIO API is reached.
  system string #2 | Name of the storage system in ScaleIO.
  secretRef *SecretReference #3 | Secret with the ScaleIO user and password. Logging in fails without it.
  sslEnabled? bool #4 | Whether to use TLS with the gateway. Defaults to false.
  protectionDomain? string #5 | ScaleIO protection domain of the storage.
  storagePool? string #6 | ScaleIO storage pool in the protection domain.
  storageMode? string #7 default:"ThinProvisioned" | ThickProvisioned or ThinProvisioned. Defaults to ThinProvisioned.
  volumeName? string #8 | Name of an existing ScaleIO volume.
  fsType? string #9 default:"xfs" | File system to mount, such as ext4 or xfs. Defaults to xfs.
  readOnly? bool #10 | Mounts the volume read-only. Defaults to false.
struct ScaleIOVolumeSource | ScaleIOVolumeSource is a ScaleIO volume for a pod. Deprecated: no longer supported.
  gateway string #1 | Host at which the ScaleIO API is reached.
  system string #2 | Name of the storage system in ScaleIO.
  secretRef *LocalObjectReference #3 | Secret of the same namespace with the ScaleIO user and password. Logging in fails without it.
  sslEnabled? bool #4 | Whether to use TLS with the gateway. Defaults to false.
  protectionDomain? string #5 | ScaleIO protection domain of the storage.
  storagePool? string #6 | ScaleIO storage pool in the protection domain.
  storageMode? string #7 default:"ThinProvisioned" | ThickProvisioned or ThinProvisioned. Defaults to ThinProvisioned.
  volumeName? string #8 | Name of an existing ScaleIO volume.
  fsType? string #9 default:"xfs" | File system to mount, such as ext4 or xfs. Defaults to xfs.
  readOnly? bool #10 | Mounts the volume read-only. Defaults to false.
struct SeccompProfile | SeccompProfile selects a seccomp profile, which limits the system calls of containers.
  type SeccompProfileType #1 | RuntimeDefault, Unconfined, or Localhost for a file on the node.
  localhostProfile? *string #2 | Profile file, relative to the kubelet's seccomp directory. Required with Localhost, else forbidden.
struct SecretEnvSource | SecretEnvSource turns every entry of a Secret into an environment variable.
  name? string #1.1 default:"" in:LocalObjectReference | Name of the Secret, in the namespace of the pod.
  optional? *bool #2 | Whether the Secret may be missing. Defaults to false.
struct SecretKeySelector atomic | SecretKeySelector picks one key of a Secret.
  name? string #1.1 default:"" in:LocalObjectReference | Name of the Secret, in the namespace of the pod.
  key string #2 | Key whose value is read.
  optional? *bool #3 | Whether the Secret or the key may be missing. Defaults to false.
struct SecretProjection | SecretProjection puts the entries of a Secret into a projected volume.
  name? string #1.1 default:"" in:LocalObjectReference | Name of the Secret, in the namespace of the pod.
  items? []KeyToPath #2 atomic | Keys to project, and where. If empty, each key becomes a file of its name.
  optional? *bool #4 | Whether the Secret or the listed keys may be missing. Defaults to false.
struct SecretReference atomic | SecretReference names a Secret in any namespace.
  name? string #1 | Name of the Secret.
  namespace? string #2 | Namespace of the Secret.
struct SecretVolumeSource | SecretVolumeSource fills a volume with the entries of a Secret, held in memory on the node.
  secretName? string #1 | Name of the Secret, in the namespace of the pod.
  items? []KeyToPath #2 atomic | Keys to project, and where. If empty, each key becomes a file of its name.
  defaultMode? *int32 #3 | Permissions of files that set none, 0 to 0777 in octal. JSON needs decimal. Defaults to 0644.
  optional? *bool #4 | Whether the Secret or the listed keys may be missing. Defaults to false.
struct SecurityContext | SecurityContext holds security settings of one container. They override those of the pod.
  capabilities? *Capabilities #1 | Linux capabilities to add or drop. By default those the runtime grants. Not for Windows pods.
  privileged? *bool #2 | Runs the container with nearly all rights of root on the node. Defaults to false. Not for Windows pods.
  seLinuxOptions? *SELinuxOptions #3 | SELinux label of the container. If neither this nor the pod sets one, the runtime picks it.
  windowsOptions? *WindowsSecurityContextOptions #10 | Windows settings of the container. Not for Linux pods.
  runAsUser? *int64 #4 | User ID of the container's process. Defaults to that of the pod, then of the image. Not for Windows pods.
  runAsGroup? *int64 #8 | Primary group ID of the container's process. Defaults to that of the pod. Not for Windows pods.
  runAsNonRoot? *bool #5 | If true, the container is not started if it would run as UID 0.
  readOnlyRootFilesystem? *bool #6 | Makes the root file system of the container read-only. Defaults to false. Not for Windows pods.
  allowPrivilegeEscalation? *bool #7 | Whether a process can gain more rights than its parent. Always true if privileged or with CAP_SYS_ADMIN.
  procMount? *ProcMountType #9 | Default hides sensitive parts of /proc; Unmasked shows all of it and requires hostUsers false.
  seccompProfile? *SeccompProfile #11 | Seccomp profile of the container. Not for Windows pods.
  appArmorProfile? *AppArmorProfile #12 since:1.30 | AppArmor profile of the container. Not for Windows pods.
kind Service | Service gives a set of pods a stable name and address, and spreads traffic over them.
  spec? ServiceSpec #2 | How the service behaves.
  status? ServiceStatus #3 | The observed state, such as load balancer addresses. Written by the system.
struct ServiceAccountTokenProjection | ServiceAccountTokenProjection puts a token of the pod's service account into a projected volume.
  audience? string #1 | Who the token is meant for; others must reject it. Defaults to the API server.
  expirationSeconds? *int64 #2 | Wanted lifetime; the kubelet replaces the token in time. Defaults to 3600; at least 600.
  path string #3 | File for the token, relative to the mount point.
struct ServicePort | ServicePort is one port of a service.
  name? string #1 | Name of the port, unique within the service. Required if there are several ports.
  protocol? Protocol #2 default:"TCP" | TCP (default), UDP or SCTP.
  appProtocol? *string #6 | Application protocol, as a hint: an IANA service name, or a name with a domain prefix.
  port int32 #3 | Port on which the service is reached.
  targetPort? intorstring #4 | Port of the pods, by number or name. Defaults to port. Has no effect on headless services.
  nodePort? int32 #5 | Port on every node, for NodePort and LoadBalancer services. Usually allocated by the server.
struct ServiceSpec | ServiceSpec describes how a service behaves.
  ports? []ServicePort #1 map:port,protocol merge:port | Ports of the service. Required except for headless and ExternalName services.
  selector? map[string]string #2 atomic | Labels of the pods that traffic goes to. If empty, endpoints are managed by others. Not for ExternalName.
  clusterIP? string #3 | Virtual IP; usually allocated. None makes a headless service. Fixed unless type changes to or from ExternalName.
  clusterIPs? []string #18 atomic | Virtual IPs, at most one for each IP family. The first one equals clusterIP.
  type? ServiceType #4 | How the service is exposed: ClusterIP (default), NodePort, LoadBalancer or ExternalName.
  externalIPs? []string #5 atomic | Extra IPs on which nodes accept traffic; they must be routed to the nodes. Deprecated: may be ignored in some clusters.
  sessionAffinity? ServiceAffinity #7 | ClientIP keeps sending a client to the same pod; None (default) does not.
  loadBalancerIP? string #8 | IP to request for the load balancer. Deprecated: its meaning varies; use the provider's annotations.
  loadBalancerSourceRanges? []string #9 atomic | Client ranges, in CIDR notation, that the load balancer lets in, if the provider supports it.
  externalName? string #10 | Host name that DNS returns as a CNAME. Requires type ExternalName; nothing is proxied.
  externalTrafficPolicy? ServiceExternalTrafficPolicy #11 | Cluster (default) sends outside traffic to all endpoints; Local only to those on the same node, keeping the client IP.
  healthCheckNodePort? int32 #12 | Port for health checks of a LoadBalancer service with externalTrafficPolicy Local. Usually allocated; fixed once set.
  publishNotReadyAddresses? bool #13 | Publishes the addresses of pods even before they are ready. Meant for peer discovery. Defaults to false.
  sessionAffinityConfig? *SessionAffinityConfig #14 | Settings of the session affinity.
  ipFamilies? []IPFamily #19 atomic | IP families, IPv4 and IPv6, at most two. Usually assigned; the first one cannot be changed.
  ipFamilyPolicy? *IPFamilyPolicy #17 | SingleStack (default), PreferDualStack, or RequireDualStack, which fails without two families.
  allocateLoadBalancerNodePorts? *bool #20 | Whether a LoadBalancer service gets node ports. Defaults to true; for type LoadBalancer only.
  loadBalancerClass? *string #21 | Implementation that provides the load balancer. Unset means the default one. For LoadBalancer only; fixed once set.
  internalTrafficPolicy? *ServiceInternalTrafficPolicy #22 | Cluster (default) sends traffic from inside to all endpoints; Local only to those on the client's node.
  trafficDistribution? *string #23 since:1.30 | Which endpoints to prefer: PreferSameZone, PreferSameNode, or PreferClose (older name of PreferSameZone).
struct ServiceStatus | ServiceStatus is the observed state of a service.
  loadBalancer? LoadBalancerStatus #1 | State of the load balancer, if there is one.
  conditions? []meta.Condition #2 map:type merge:type | Current conditions of the service.
struct SessionAffinityConfig | SessionAffinityConfig holds the settings of session affinity.
  clientIP? *ClientIPConfig #1 | Settings for affinity by client IP.
struct SleepAction | SleepAction makes a lifecycle hook wait.
  seconds int64 #1 | How long to wait, from 0 up to the termination grace period.
struct StorageOSPersistentVolumeSource | StorageOSPersistentVolumeSource is a StorageOS volume for a PersistentVolume. Deprecated: no longer supported.
  volumeName? string #1 | Name of the volume, unique within its StorageOS namespace.
  volumeNamespace? string #2 | StorageOS namespace of the volume. Defaults to the namespace of the pod.
  fsType? string #3 | File system to mount, such as ext4 or xfs. Treated as ext4 if empty.
  readOnly? bool #4 | Mounts the volume read-only. Defaults to false.
  secretRef? *ObjectReference #5 | Secret with the StorageOS API credentials. If unset, defaults are tried.
struct StorageOSVolumeSource | StorageOSVolumeSource is a StorageOS volume for a pod. Deprecated: no longer supported.
  volumeName? string #1 | Name of the volume, unique within its StorageOS namespace.
  volumeNamespace? string #2 | StorageOS namespace of the volume. Defaults to the namespace of the pod.
  fsType? string #3 | File system to mount, such as ext4 or xfs. Treated as ext4 if empty.
  readOnly? bool #4 | Mounts the volume read-only. Defaults to false.
  secretRef? *LocalObjectReference #5 | Secret of the same namespace with the StorageOS API credentials. If unset, defaults are tried.
struct Sysctl | Sysctl sets one kernel parameter.
  name string #1 | Name of the parameter, such as net.core.somaxconn.
  value string #2 | Value to set.
struct TCPSocketAction | TCPSocketAction opens a TCP connection.
  port intorstring #1 | Port of the container, by number (1 to 65535) or name.
  host? string #2 | Host to connect to. Defaults to the IP of the pod.
struct Taint | Taint keeps pods that do not tolerate it off a node.
  key string #1 | Key of the taint.
  value? string #2 | Value of the taint.
  effect TaintEffect #3 | NoSchedule, PreferNoSchedule, or NoExecute, which also evicts running pods.
  timeAdded? *time #4 | When the taint was added.
struct Toleration | Toleration lets a pod run on nodes with taints that match it.
  key? string #1 | Key of the taint. If empty, operator must be Exists, and all taints match.
  operator? TolerationOperator #2 | How to compare: Equal (default) or Exists; Lt and Gt compare numbers and need TaintTolerationComparisonOperators.
  value? string #3 | Value to compare with. Must be empty with Exists.
  effect? TaintEffect #4 | Effect of the taint: NoSchedule, PreferNoSchedule or NoExecute. Empty matches all.
  tolerationSeconds? *int64 #5 | How long a NoExecute taint is tolerated before eviction. Unset means forever; 0 or less means not at all.
struct TopologySelectorLabelRequirement | TopologySelectorLabelRequirement allows certain values of a label.
  key string #1 | Key of the label.
  values []string #2 atomic | Allowed values; one of them must match.
struct TopologySelectorTerm atomic | TopologySelectorTerm limits where volumes are provisioned. An empty term matches nothing.
  matchLabelExpressions? []TopologySelectorLabelRequirement #1 atomic | Requirements on topology labels, all of which must hold.
struct TopologySpreadConstraint | TopologySpreadConstraint says how matching pods are spread over parts of the cluster.
  maxSkew int32 #1 | Largest difference in matching pods between a domain and the one with the fewest. Must be positive.
  topologyKey string #2 | Node label that defines the domains: nodes with the same value form one.
  whenUnsatisfiable UnsatisfiableConstraintAction #3 | DoNotSchedule leaves the pod pending; ScheduleAnyway only prefers domains that reduce the skew.
  labelSelector? *meta.LabelSelector #4 | Pods that are counted in each domain.
  minDomains? *int32 #5 | Fewest eligible domains; with less, the minimum counts as 0. Defaults to 1; needs DoNotSchedule.
  nodeAffinityPolicy? *NodeInclusionPolicy #6 | Honor (default) counts only nodes that match the pod's nodeSelector and nodeAffinity; Ignore counts all.
  nodeTaintsPolicy? *NodeInclusionPolicy #7 | Honor leaves out nodes with taints the pod does not tolerate; Ignore (default) counts all.
  matchLabelKeys? []string #8 atomic | Keys whose values the counted pods must share with the incoming pod. Needs labelSelector; a key may not be in both.
struct TypedLocalObjectReference atomic | TypedLocalObjectReference names an object of any kind in the same namespace.
  apiGroup *string #1 optional | API group of the object. Unset means the core group.
  kind string #2 | Kind of the object.
  name string #3 | Name of the object.
struct TypedObjectReference | TypedObjectReference names an object of any kind, possibly in another namespace.
  apiGroup *string #1 optional | API group of the object. Unset means the core group.
  kind string #2 | Kind of the object.
  name string #3 | Name of the object.
  namespace? *string #4 | Namespace of the object; another one must permit it with a ReferenceGrant. Needs CrossNamespaceVolumeDataSource.
struct Volume | Volume is a directory or device that the containers of a pod can use. Exactly one source is set.
  name string #1 | Name of the volume, unique within the pod. Must be a DNS label.
  hostPath? *HostPathVolumeSource #2.1 in:VolumeSource | File or directory of the node. Gives access to the node itself; avoid it where possible.
  emptyDir? *EmptyDirVolumeSource #2.2 in:VolumeSource | Empty directory that lasts as long as the pod.
  gcePersistentDisk? *GCEPersistentDiskVolumeSource #2.3 in:VolumeSource | Google Compute Engine disk. Deprecated: use csi; handled by the pd.csi.storage.gke.io driver.
  awsElasticBlockStore? *AWSElasticBlockStoreVolumeSource #2.4 in:VolumeSource | AWS EBS volume. Deprecated: use csi; handled by the ebs.csi.aws.com driver.
  gitRepo? *GitRepoVolumeSource #2.5 in:VolumeSource | Checkout of a Git repository. Deprecated: disabled; clone into an emptyDir with an init container.
  secret? *SecretVolumeSource #2.6 in:VolumeSource | Files from a Secret.
  nfs? *NFSVolumeSource #2.7 in:VolumeSource | NFS export.
  iscsi? *ISCSIVolumeSource #2.8 in:VolumeSource | iSCSI disk.
  glusterfs? *GlusterfsVolumeSource #2.9 in:VolumeSource | Glusterfs volume. Deprecated: no longer supported by the kubelet.
  persistentVolumeClaim? *PersistentVolumeClaimVolumeSource #2.10 in:VolumeSource | Volume of a PersistentVolumeClaim in the same namespace.
  rbd? *RBDVolumeSource #2.11 in:VolumeSource | Ceph RBD image. Deprecated: no longer supported by the kubelet.
  flexVolume? *FlexVolumeSource #2.12 in:VolumeSource | Volume handled by an executable plugin on the node. Deprecated: use a CSI driver.
  cinder? *CinderVolumeSource #2.13 in:VolumeSource | OpenStack Cinder volume. Deprecated: use csi; handled by the cinder.csi.openstack.org driver.
  cephfs? *CephFSVolumeSource #2.14 in:VolumeSource | CephFS volume. Deprecated: no longer supported by the kubelet.
  flocker? *FlockerVolumeSource #2.15 in:VolumeSource | Flocker volume. Deprecated: no longer supported by the kubelet.
  downwardAPI? *DownwardAPIVolumeSource #2.16 in:VolumeSource | Files with fields of the pod itself.
  fc? *FCVolumeSource #2.17 in:VolumeSource | Fibre Channel disk.
  azureFile? *AzureFileVolumeSource #2.18 in:VolumeSource | Azure Files share. Deprecated: use csi; handled by the file.csi.azure.com driver.
  configMap? *ConfigMapVolumeSource #2.19 in:VolumeSource | Files from a ConfigMap.
  vsphereVolume? *VsphereVirtualDiskVolumeSource #2.20 in:VolumeSource | vSphere disk. Deprecated: use csi; handled by the csi.vsphere.vmware.com driver.
  quobyte? *QuobyteVolumeSource #2.21 in:VolumeSource | Quobyte volume. Deprecated: no longer supported by the kubelet.
  azureDisk? *AzureDiskVolumeSource #2.22 in:VolumeSource | Azure managed disk. Deprecated: use csi; handled by the disk.csi.azure.com driver.
  photonPersistentDisk? *PhotonPersistentDiskVolumeSource #2.23 in:VolumeSource | Photon Controller disk. Deprecated: no longer supported by the kubelet.
  projected? *ProjectedVolumeSource #2.26 in:VolumeSource | Secrets, config maps, tokens and the like combined in one directory.
  portworxVolume? *PortworxVolumeSource #2.24 in:VolumeSource | Portworx volume. Deprecated: use csi; handled by the pxd.portworx.com driver.
  scaleIO? *ScaleIOVolumeSource #2.25 in:VolumeSource | ScaleIO volume. Deprecated: no longer supported by the kubelet.
  storageos? *StorageOSVolumeSource #2.27 in:VolumeSource | StorageOS volume. Deprecated: no longer supported by the kubelet.
  csi? *CSIVolumeSource #2.28 in:VolumeSource | Short-lived volume that a CSI driver provides inline for this pod.
  ephemeral? *EphemeralVolumeSource #2.29 in:VolumeSource | Volume provisioned through a claim that is created and deleted together with the pod.
  image? *ImageVolumeSource #2.30 since:1.31 in:VolumeSource | Contents of a container image or other OCI artifact, mounted read-only.
struct VolumeDevice | VolumeDevice maps a raw block volume to a device in a container.
  name string #1 | Name of a volume of the pod that comes from a PersistentVolumeClaim.
  devicePath string #2 | Path of the device in the container.
struct VolumeMount | VolumeMount mounts a volume in a container.
  name string #1 | Name of the volume, as in spec.volumes.
  readOnly? bool #2 | Mounts the volume read-only. Defaults to false.
  recursiveReadOnly? *RecursiveReadOnlyMode #7 since:1.30 | Whether nested mounts are read-only too: Disabled (default), IfPossible or Enabled. Needs readOnly.
  mountPath string #3 | Path in the container. Must not contain ':'.
  subPath? string #4 | Path in the volume to mount. Defaults to its root.
  mountPropagation? *MountPropagationMode #5 | How later mounts are shared with the node: None (default), HostToContainer or Bidirectional.
  subPathExpr? string #6 | Like subPath, with $(VAR) replaced by environment variables. Not together with subPath.
struct VolumeMountStatus | VolumeMountStatus reports how a volume is mounted in a container.
  name string #1 | Name of the volume.
  mountPath string #2 | Path in the container, as in the volume mount.
  readOnly? bool #3 | Whether the mount is read-only, as in the volume mount.
  recursiveReadOnly? *RecursiveReadOnlyMode #4 | Disabled or Enabled. IfPossible is resolved to what was achieved.
  volumeStatus? *VolumeStatus #5 since:1.36 | More about the volume, depending on its type.
struct VolumeNodeAffinity | VolumeNodeAffinity limits the nodes from which a volume can be used.
  required? *NodeSelector #1 | Nodes that can use the volume.
struct VolumeProjection | VolumeProjection is one source of a projected volume. Exactly one field is set.
  secret? *SecretProjection #1 | Entries of a Secret.
  downwardAPI? *DownwardAPIProjection #2 | Fields of the pod itself.
  configMap? *ConfigMapProjection #3 | Entries of a ConfigMap.
  serviceAccountToken? *ServiceAccountTokenProjection #4 | Token of the pod's service account.
  clusterTrustBundle? *ClusterTrustBundleProjection #5 since:1.29 | Certificates of ClusterTrustBundles, kept up to date.
  podCertificate? *PodCertificateProjection #6 since:1.34 | Private key and certificate for the pod, renewed in time.
struct VolumeResourceRequirements | VolumeResourceRequirements states how much storage is needed.
  limits? ResourceList #1 | The most storage the volume may have.
  requests? ResourceList #2 | The least storage the volume must have. Defaults to the limit if there is one, and must not exceed it.
struct VolumeStatus | VolumeStatus is the state of a mounted volume that depends on its type.
  image? *ImageVolumeStatus #1 | State of an image volume.
struct VsphereVirtualDiskVolumeSource | VsphereVirtualDiskVolumeSource is a vSphere disk. Deprecated: handled by the csi.vsphere.vmware.com CSI driver.
  volumePath string #1 | Path of the vmdk file of the disk.
  fsType? string #2 | File system to mount, such as ext4 or xfs. Treated as ext4 if empty.
  storagePolicyName? string #3 | Name of the storage policy in vSphere.
  storagePolicyID? string #4 | ID of the storage policy named by storagePolicyName.
struct WeightedPodAffinityTerm | WeightedPodAffinityTerm is a pod affinity term with a weight.
  weight int32 #1 | How much the term counts, from 1 to 100.
  podAffinityTerm PodAffinityTerm #2 | The pods the term is about, and what counts as the same place.
struct WindowsSecurityContextOptions | WindowsSecurityContextOptions are security settings for Windows containers.
  gmsaCredentialSpecName? *string #1 | GMSA credential spec to use, by its name.
  gmsaCredentialSpec? *string #2 | The GMSA credential spec itself, normally filled in by the GMSA admission webhook.
  runAsUserName? *string #3 | Windows user of the container's process. Defaults to the user set in the image.
  hostProcess? *bool #4 | Runs as a HostProcess container. The same for all containers of a pod; requires hostNetwork.
)";
#pragma clang diagnostic pop
// clang-format on

}  // namespace strake::kinds::types
