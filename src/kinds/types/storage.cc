#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kStorageV1 = R"(
package io.k8s.api.storage.v1 group storage.k8s.io version v1
string FSGroupPolicy
string VolumeBindingMode
string VolumeLifecycleMode
kind CSIDriver
  spec CSIDriverSpec
struct CSIDriverSpec
  attachRequired? *bool
  podInfoOnMount? *bool
  volumeLifecycleModes? []VolumeLifecycleMode set
  storageCapacity? *bool
  fsGroupPolicy? *FSGroupPolicy
  tokenRequests? []TokenRequest atomic
  requiresRepublish? *bool
  seLinuxMount? *bool
  nodeAllocatableUpdatePeriodSeconds? *int64 since:1.33
  serviceAccountTokenInSecrets? *bool since:1.35
  preventPodSchedulingIfMissing? *bool since:1.36
kind CSINode
  spec CSINodeSpec
struct CSINodeDriver
  name string
  nodeID string
  topologyKeys []string optional atomic
  allocatable? *VolumeNodeResources
struct CSINodeSpec
  drivers []CSINodeDriver map:name merge:name
kind CSIStorageCapacity
  nodeTopology? *meta.LabelSelector
  storageClassName string
  capacity? *quantity
  maximumVolumeSize? *quantity
kind StorageClass
  provisioner string
  parameters? map[string]string
  reclaimPolicy? *core.PersistentVolumeReclaimPolicy
  mountOptions? []string atomic
  allowVolumeExpansion? *bool
  volumeBindingMode? *VolumeBindingMode
  allowedTopologies? []core.TopologySelectorTerm atomic
struct TokenRequest
  audience string
  expirationSeconds? *int64
kind VolumeAttachment
  spec VolumeAttachmentSpec
  status? VolumeAttachmentStatus
struct VolumeAttachmentSource
  persistentVolumeName? *string
  inlineVolumeSpec? *core.PersistentVolumeSpec
struct VolumeAttachmentSpec
  attacher string
  source VolumeAttachmentSource
  nodeName string
struct VolumeAttachmentStatus
  attached bool
  attachmentMetadata? map[string]string
  attachError? *VolumeError
  detachError? *VolumeError
kind VolumeAttributesClass since:1.34
  driverName string
  parameters? map[string]string
struct VolumeError
  time? time
  message? string
  errorCode? *int32 since:1.33
struct VolumeNodeResources
  count? *int32
)";

constinit const std::string_view kStorageV1beta1 = R"(
package io.k8s.api.storage.v1beta1 group storage.k8s.io version v1beta1
kind VolumeAttributesClass since:1.31 deprecated:1.34 removed:1.37 use:storage.k8s.io/v1/VolumeAttributesClass
  driverName string
  parameters? map[string]string
)";
// clang-format on

}  // namespace strake::kinds::types
