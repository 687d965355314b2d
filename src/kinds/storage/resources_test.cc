#include "kinds/storage/resources.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace strake::kinds {
namespace {

// What discovery says, and what PUT and DELETE do.
TEST(StorageResources, AreServedAsByKubeApiserver) {
  std::vector<ResourcePtr> resources;
  add_storage_resources(resources);
  std::vector<std::string> got;
  for (const ResourcePtr& one : resources) {
    got.push_back(fmt::format(
        "{} {} [{}]{}{}{}{}{}", one->group_resource().to_string(), one->singular,
        fmt::join(one->short_names, ","), one->namespaced ? " namespaced" : "",
        one->versions.front().has_status() ? " status" : "",
        one->unconditional_update ? " unconditional" : "", one->create_on_update ? " creates" : "",
        one->returns_deleted ? " returned" : ""));
    EXPECT_EQ(one->verbs.size(), 8u);
    EXPECT_FALSE(one->keeps_generation);
    EXPECT_EQ(one->storage_prefix, fmt::format("/registry/{}/", one->plural));
  }
  EXPECT_EQ(got, (std::vector<std::string>{
                     "persistentvolumes persistentvolume [pv] status unconditional returned",
                     "persistentvolumeclaims persistentvolumeclaim [pvc] namespaced status "
                     "unconditional returned",
                     "storageclasses.storage.k8s.io storageclass [sc] unconditional returned",
                     "volumeattributesclasses.storage.k8s.io volumeattributesclass [vac] "
                     "unconditional returned",
                     "volumeattachments.storage.k8s.io volumeattachment [] status returned",
                     "csidrivers.storage.k8s.io csidriver [] returned",
                     "csinodes.storage.k8s.io csinode [] returned",
                     "csistoragecapacities.storage.k8s.io csistoragecapacity [] namespaced"}));
}

}  // namespace
}  // namespace strake::kinds
