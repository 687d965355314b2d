#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kStorageV1 = R"(
package io.k8s.api.storage.v1 group storage.k8s.io version v1
string FSGroupPolicy
string VolumeBindingMode
string VolumeLifecycleMode
kind CSIDriver | CSIDriver tells the cluster about a CSI volume driver. Its name is that of the driver.
  spec CSIDriverSpec #2 | What the driver needs and can do.
struct CSIDriverSpec | CSIDriverSpec describes a CSI volume driver.
  attachRequired? *bool #1 | Whether volumes must be attached to a node before they are mounted. Default true. Cannot be changed.
  podInfoOnMount? *bool #2 | Whether the driver is given the pod's name, namespace, UID and service account on mount. Default false.
  volumeLifecycleModes? []VolumeLifecycleMode #3 set | Persistent, Ephemeral for volumes inline in pods, or both. Default Persistent. Cannot be changed.
  storageCapacity? *bool #4 | Whether the scheduler considers the free capacity that the driver publishes as CSIStorageCapacity. Default false.
  fsGroupPolicy? *FSGroupPolicy #5 | Whether volume ownership follows a pod's fsGroup: ReadWriteOnceWithFSType, the default, File or None.
  tokenRequests? []TokenRequest #6 atomic | Service account tokens of the pod that the driver is given on mount. Each audience only once.
  requiresRepublish? *bool #7 | Whether the kubelet repeats the mount call from time to time so that the driver can refresh contents. Default false.
  seLinuxMount? *bool #8 | Whether the driver supports mounting each volume with an SELinux label of its own. Default false.
  nodeAllocatableUpdatePeriodSeconds? *int64 #9 since:1.33 | Seconds between refreshes of the nodes' volume limits, at least 10. No periodic refresh unless set.
  serviceAccountTokenInSecrets? *bool #10 since:1.35 | Whether tokens are passed in the secrets field rather than the volume context. Needs tokenRequests. Default false.
  preventPodSchedulingIfMissing? *bool #11 since:1.36 | Whether pods with its volumes stay off nodes without the driver. Needs the VolumeLimitScaling feature. Default false.
kind CSINode | CSINode lists the CSI drivers installed on a node. It has the node's name and is kept by the kubelet.
  spec CSINodeSpec #2 | The drivers.
struct CSINodeDriver | CSINodeDriver describes a CSI driver on a node. Mostly immutable: only allocatable.count can be updated later.
  name string #1 | The name of the driver, the same as that of its CSIDriver.
  nodeID string #2 | The driver's own name for the node, at most 256 bytes.
  topologyKeys []string #3 optional atomic | Node labels that the driver describes the node's place by, such as zone or rack.
  allocatable? *VolumeNodeResources #4 | How many volumes the driver can handle on the node.
struct CSINodeSpec | CSINodeSpec lists the CSI drivers of a node.
  drivers []CSINodeDriver #1 map:name merge:name | The drivers. Empty when none is installed.
kind CSIStorageCapacity | CSIStorageCapacity reports how much space a StorageClass has left in one part of the cluster.
  nodeTopology? *meta.LabelSelector #2 | The nodes that can reach the space. No nodes if unset, all nodes if empty. Cannot be changed.
  storageClassName string #3 | The StorageClass. Cannot be changed.
  capacity? *quantity #4 | The free space, as far as the driver knows it.
  maximumVolumeSize? *quantity #5 | The largest volume that can be created at present.
kind StorageClass | StorageClass describes one kind of storage that volumes can be provisioned from.
  provisioner string #2 | The driver that creates the volumes. Cannot be changed.
  parameters? map[string]string #3 | Settings for the driver, at most 512. Cannot be changed.
  reclaimPolicy? *core.PersistentVolumeReclaimPolicy #4 | What happens to a volume once its claim is deleted: Delete, the default, or Retain. Cannot be changed.
  mountOptions? []string #5 atomic | Mount options of the volumes, such as ro. Not checked: a wrong one makes mounting fail.
  allowVolumeExpansion? *bool #6 | Whether claims can ask for more space later.
  volumeBindingMode? *VolumeBindingMode #7 | Immediate, the default, or WaitForFirstConsumer, which waits for a pod that uses the claim. Cannot be changed.
  allowedTopologies? []core.TopologySelectorTerm #8 atomic | Where in the cluster volumes may be created. Anywhere if empty.
struct TokenRequest | TokenRequest describes a service account token for a CSI driver.
  audience string #1 | Who the token is meant for. Empty means the API server.
  expirationSeconds? *int64 #2 | How many seconds the token is valid, from 600 to 2^32. Default 3600.
kind VolumeAttachment | VolumeAttachment asks for a volume to be attached to a node, and reports how that went.
  spec VolumeAttachmentSpec #2 | Which volume, to which node. Cannot be changed.
  status? VolumeAttachmentStatus #3 | Whether the volume is attached. Set by the driver.
struct VolumeAttachmentSource | VolumeAttachmentSource is the volume to attach. Exactly one field is set.
  persistentVolumeName? *string #1 | The PersistentVolume to attach.
  inlineVolumeSpec? *core.PersistentVolumeSpec #2 | A volume spelled out in place, used for volumes of in-tree plugins that were migrated to CSI.
struct VolumeAttachmentSpec | VolumeAttachmentSpec says which volume is attached to which node, and by which driver.
  attacher string #1 | The name of the driver that does it.
  source VolumeAttachmentSource #2 | The volume.
  nodeName string #3 | The node.
struct VolumeAttachmentStatus | VolumeAttachmentStatus reports whether a volume is attached.
  attached bool #1 | Whether the volume is attached to the node.
  attachmentMetadata? map[string]string #2 | What the driver returned on attaching, and needs again for mounting.
  attachError? *VolumeError #3 | The last error on attaching, if any.
  detachError? *VolumeError #4 | The last error on detaching, if any.
kind VolumeAttributesClass since:1.34 | VolumeAttributesClass is a set of volume properties, such as speed, that a claim can switch to while in use.
  driverName string #2 | The CSI driver that it is for. Cannot be changed.
  parameters? map[string]string #3 | Properties for the driver, 1 to 512 of them. Cannot be changed.
struct VolumeError | VolumeError is an error that occurred while a volume was attached or detached.
  time? time #1 | When it occurred.
  message? string #2 | What went wrong. It should hold no secrets.
  errorCode? *int32 #3 since:1.33 | The gRPC error code of the driver.
struct VolumeNodeResources | VolumeNodeResources tells how many volumes a driver can handle on a node.
  count? *int32 #1 | The most volumes of the driver that the node can have. No limit unless set.
)";

constinit const std::string_view kStorageV1beta1 = R"(
package io.k8s.api.storage.v1beta1 group storage.k8s.io version v1beta1
kind VolumeAttributesClass since:1.31 deprecated:1.34 removed:1.37 use:storage.k8s.io/v1/VolumeAttributesClass | VolumeAttributesClass is a set of volume properties, such as speed, that a claim can switch to while in use.
  driverName string #2 | The CSI driver that it is for. Cannot be changed.
  parameters? map[string]string #3 | Properties for the driver, 1 to 512 of them. Cannot be changed.
)";
// clang-format on

}  // namespace strake::kinds::types
