// The documents of examples/operate, read from the disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "ops/kom/configuration.h"

namespace strake::ops {
namespace {

namespace fs = std::filesystem;

TEST(OperateExample, IsAConfigurationWithADefaultApp) {
  const fs::path folder =
      fs::canonical(fs::path(STRAKE_TESTDATA_DIR) / "../../../examples/operate");
  const DiskKomFiles files;
  const RunRequest request{.working_folder = folder.string()};
  const auto environment = find_environment(files, request);
  ASSERT_TRUE(environment) << environment.error().message();
  const auto loaded = load_configuration(files, request, *environment);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->store.workspaces().size(), 1U);
  EXPECT_EQ(loaded->store.providers().at(0).driver, "local");
  EXPECT_EQ(loaded->store.clusters().size(), 2U);
  EXPECT_EQ(loaded->store.boxes().at(0).component, "shell");
  const auto app = choose_app(*loaded, "", "");
  ASSERT_TRUE(app) << app.error().message();
  EXPECT_EQ((*app)->name, "store");
  EXPECT_EQ((*choose_cluster(*loaded, "", ""))->name, "blue");
  EXPECT_EQ((*app)->compose, "file:compose.yml");
  EXPECT_EQ((*app)->ref_base, "file://" + folder.string() + "/");
  EXPECT_TRUE(files.read((folder / "compose.yml").string(), 1 << 20));
}

}  // namespace
}  // namespace strake::ops
