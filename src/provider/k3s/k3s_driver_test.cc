#include "provider/k3s/k3s_driver.h"

#include <gtest/gtest.h>

#include "base/replacement_file.h"
#include "base/subprocess.h"

namespace strake::provider::k3s {
namespace {

Outcome<Driver> made(Settings settings) {
  return make_driver(nullptr,
                     {.id = {},
                      .name = "edge",
                      .workspace_id = {},
                      .driver = "k3s",
                      .settings = std::move(settings)},
                     {});
}

TEST(K3sDriver, IsNotThereWhenSettingsDisableIt) {
  const auto got = made({{"disabled", "true"}});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message(), "k3s provider disabled by settings");
  EXPECT_TRUE(made({{"disabled", "false"}}));
}

TEST(K3sDriver, NamesItselfAndItsWorkspace) {
  const auto got = made({});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->id, "k3s");
  EXPECT_EQ(got->workspace_name, "(nil)");
  EXPECT_EQ(got->provider_name, "edge");
}

TEST(K3sDriver, ReadsTheKubeconfigThatSettingsName) {
  const auto scratch = ScratchFolder::make("strake-k3s-").value();
  const auto write = [&](const std::string& name) {
    auto file = ReplacementFile::unique(scratch.path() + name);
    ASSERT_TRUE(file && file->replace(name, 0600));
  };
  write("/of-provider");
  write("/of-cluster");
  const auto driver = made({{"K3S_KUBECONFIG", scratch.path() + "/of-provider"}});
  Cluster cluster;
  cluster.name = "one";
  EXPECT_EQ(driver->clusters->kubeconfig({}, cluster)->reveal(), "/of-provider");
  cluster.settings["K3S_KUBECONFIG"] = scratch.path() + "/of-cluster";
  EXPECT_EQ(driver->clusters->kubeconfig({}, cluster)->reveal(), "/of-cluster");
  cluster.settings["K3S_KUBECONFIG"] = scratch.path() + "/gone";
  const auto got = driver->clusters->kubeconfig({}, cluster);
  EXPECT_EQ(got.error().error_class(), FailureClass::kNotFound);
  EXPECT_EQ(got.error().message(),
            "cannot read the kubeconfig " + scratch.path() +
                "/gone of cluster \"one\" (setting K3S_KUBECONFIG): No such file or directory");
  EXPECT_FALSE(driver->clusters->status({}, cluster)->provisioned);
  EXPECT_EQ(made({{"K3S_KUBECONFIG", "k3s.yaml"}}).error().error_class(),
            FailureClass::kValidation);
}

TEST(K3sDriver, SaysWhatItLacksInItsOwnWords) {
  const auto driver = made({});
  Cluster cluster;
  App app;
  AppVolume volume;
  const VolumeOf of{.cluster = cluster, .app = app, .volume = volume};
  EXPECT_EQ(driver->clusters->provision({}, cluster, {}).error().message(),
            "ClusterProvision is not implemented for k3s provider");
  EXPECT_EQ(driver->clusters->deprovision({}, cluster, {}).error().message(),
            "ClusterDeprovision is not implemented for k3s provider");
  EXPECT_EQ(driver->volumes->create_snapshot({}, of, "", "", {}).error().message(),
            "VolumeSnapshotCreate is not implemented for k3s provider");
  const auto pools = driver->node_pools->list({}, cluster, "");
  EXPECT_EQ(pools.error().message(), "operation not supported");
  EXPECT_EQ(pools.error().error_class(), FailureClass::kNotImplemented);
}

TEST(K3sDriver, MapsDisksToTheProvisionerThatEveryK3sHas) {
  const auto driver = made({});
  Cluster cluster;
  App app;
  AppVolume volume;
  const VolumeOf of{.cluster = cluster, .app = app, .volume = volume};
  const auto disk = driver->volumes->volume_class(of);
  EXPECT_EQ(disk->csi_driver, "rancher.io/local-path");
  EXPECT_EQ(disk->storage_class_name, "local-path");
  EXPECT_EQ(disk->access_modes, (std::vector<std::string>{"ReadWriteOnce"}));
  volume.type = VolumeType::kFiles;
  EXPECT_EQ(driver->volumes->volume_class(of).value(), VolumeClass());
}

}  // namespace
}  // namespace strake::provider::k3s
