#include "kinds/storage/resources.h"

#include "kinds/declare_resource.h"
#include "kinds/storage/strategies.h"

namespace strake::kinds {
namespace {

void add_volumes(std::vector<ResourcePtr>& out) {
  constexpr std::string_view kVolume = "io.k8s.api.core.v1.PersistentVolume";
  constexpr std::string_view kClaim = "io.k8s.api.core.v1.PersistentVolumeClaim";
  out.push_back(
      make_resource({.type = kVolume,
                     .plural = "persistentvolumes",
                     .strategy = &persistent_volume_strategy(),
                     .namespaced = false,
                     .short_names = {"pv"},
                     .unconditional_update = true,
                     .returns_deleted = true,
                     .subresources = {status_subresource(described_type(kVolume), {"spec"})}}));
  out.push_back(
      make_resource({.type = kClaim,
                     .plural = "persistentvolumeclaims",
                     .strategy = &persistent_volume_claim_strategy(),
                     .short_names = {"pvc"},
                     .unconditional_update = true,
                     .returns_deleted = true,
                     .subresources = {status_subresource(described_type(kClaim), {"spec"})}}));
}

void add_classes(std::vector<ResourcePtr>& out) {
  out.push_back(make_resource({.type = "io.k8s.api.storage.v1.StorageClass",
                               .plural = "storageclasses",
                               .strategy = &storage_class_strategy(),
                               .namespaced = false,
                               .short_names = {"sc"},
                               .unconditional_update = true,
                               .returns_deleted = true}));
  out.push_back(make_resource({.type = "io.k8s.api.storage.v1.VolumeAttributesClass",
                               .plural = "volumeattributesclasses",
                               .strategy = &volume_attributes_class_strategy(),
                               .namespaced = false,
                               .short_names = {"vac"},
                               .unconditional_update = true,
                               .returns_deleted = true}));
}

void add_drivers(std::vector<ResourcePtr>& out) {
  constexpr std::string_view kAttachment = "io.k8s.api.storage.v1.VolumeAttachment";
  out.push_back(make_resource(
      {.type = kAttachment,
       .plural = "volumeattachments",
       .strategy = &volume_attachment_strategy(),
       .namespaced = false,
       .returns_deleted = true,
       .subresources = {status_subresource(described_type(kAttachment), {"metadata", "spec"})}}));
  out.push_back(make_resource({.type = "io.k8s.api.storage.v1.CSIDriver",
                               .plural = "csidrivers",
                               .strategy = &csi_driver_strategy(),
                               .namespaced = false,
                               .returns_deleted = true}));
  out.push_back(make_resource({.type = "io.k8s.api.storage.v1.CSINode",
                               .plural = "csinodes",
                               .strategy = &csi_node_strategy(),
                               .namespaced = false,
                               .returns_deleted = true}));
  out.push_back(make_resource({.type = "io.k8s.api.storage.v1.CSIStorageCapacity",
                               .plural = "csistoragecapacities",
                               .strategy = &csi_storage_capacity_strategy()}));
}

}  // namespace

void add_storage_resources(std::vector<ResourcePtr>& out) {
  add_volumes(out);
  add_classes(out);
  add_drivers(out);
}

}  // namespace strake::kinds
