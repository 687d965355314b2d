#include "ops/kom/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/kom/map_files.h"

namespace strake::ops {
namespace {

using provider::FailureClass;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

MapKomFiles example() {
  return MapKomFiles({{"/site/shop/.kompox/config.yml", "version: 1\n"},
                      {"/site/shop/src/deep/a", ""},
                      {"/other/.kompox/kom/a.yml", ""},
                      {"/other/conf/a", ""},
                      {"/plain", ""}});
}

TEST(RunEnvironment, IsTheNearestFolderThatHoldsKompox) {
  const MapKomFiles files = example();
  const auto found = find_environment(files, {.working_folder = "/site/shop/src/deep"});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->root, "/site/shop");
  EXPECT_EQ(found->dir, "/site/shop/.kompox");
}

TEST(RunEnvironment, SaysWhereItLookedForKompox) {
  const MapKomFiles files = example();
  const auto found = find_environment(files, {.working_folder = "/other/conf/x"});
  EXPECT_TRUE(found) << "the folder itself need not be there";
  const auto lost = find_environment(MapKomFiles({{"/a/b", ""}}), {.working_folder = "/a"});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().message(),
            "KOMPOX_ROOT not specified and .kompox directory not found in ancestors of \"/a\"");
}

TEST(RunEnvironment, PrefersFlagsToVariablesToSearch) {
  const MapKomFiles files = example();
  RunRequest request{.variables = {{"KOMPOX_ROOT", "/other"}}, .working_folder = "/site/shop"};
  EXPECT_EQ(find_environment(files, request)->dir, "/other/.kompox");
  request.variables.emplace("KOMPOX_DIR", "/other/conf");
  EXPECT_EQ(find_environment(files, request)->dir, "/other/conf");
  request.root = ".";
  EXPECT_EQ(find_environment(files, request)->root, "/site/shop");
  EXPECT_EQ(find_environment(files, request)->dir, "/other/conf");
  request.dir = "src";
  EXPECT_EQ(find_environment(files, request)->dir, "/site/shop/src");
}

TEST(RunEnvironment, RefusesWhatIsNoFolder) {
  const MapKomFiles files = example();
  const auto missing = find_environment(files, {.root = "/none", .working_folder = "/"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message(), "KOMPOX_ROOT \"/none\" does not exist");
  EXPECT_EQ(missing.error().error_class(), FailureClass::kNotFound);
  const auto file = find_environment(files, {.root = "/plain", .working_folder = "/"});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message(), "KOMPOX_ROOT \"/plain\" is not a directory");
  const auto dir = find_environment(files, {.root = "/other", .dir = "x", .working_folder = "/"});
  ASSERT_FALSE(dir);
  EXPECT_EQ(dir.error().message(), "KOMPOX_DIR \"/x\" does not exist");
}

TEST(RunEnvironment, ReplacesItsTwoVariablesAndNothingElse) {
  const RunEnvironment environment{.root = "/r", .dir = "/d", .config = {}};
  EXPECT_EQ(environment.expand("$KOMPOX_ROOT/a:$KOMPOX_DIR/$HOME"), "/r/a:/d/$HOME");
  EXPECT_EQ(environment.expand("a"), "a");
}

TEST(RunConfig, IsReadWithEveryField) {
  const auto config =
      read_run_config("/c.yml",
                      "version: 1\nstore: {type: rdb}\nkomPath: [a, $KOMPOX_ROOT/b]\n"
                      "logging: {dir: logs, format: human, level: debug, retentionDays: 3}\n");
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->store_type, "rdb");
  EXPECT_THAT(config->kom_path, ElementsAre("a", "$KOMPOX_ROOT/b"));
  EXPECT_EQ(config->log_dir, "logs");
  EXPECT_EQ(config->log_format, "human");
  EXPECT_EQ(config->log_level, "debug");
  EXPECT_EQ(config->log_retention_days, 3);
  const auto empty = read_run_config("/c.yml", "# nothing\n");
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->store_type, "local");
  EXPECT_EQ(empty->log_retention_days, std::nullopt);
}

TEST(RunConfig, TellsFaultsWithTheirPlaces) {
  const auto config =
      read_run_config("/c.yml", "version: 2\nstore: {type: disk}\nlogging:\n  formt: json\n");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().error_class(), FailureClass::kValidation);
  const std::string& message = config.error().message();
  EXPECT_THAT(message, HasSubstr("/c.yml:1:10: version: Unsupported value: 2"));
  EXPECT_THAT(message, HasSubstr("/c.yml:2:15: store.type: Unsupported value: \"disk\""));
  EXPECT_THAT(message, HasSubstr("/c.yml:4:3: unknown field \"logging.formt\", did you mean "
                                 "\"format\"?"));
  EXPECT_FALSE(read_run_config("/c.yml", "a: [\n"));
  EXPECT_FALSE(read_run_config("/c.yml", "[]\n"));
}

TEST(RunConfig, IsFoundInTheFolder) {
  const MapKomFiles files({{"/r/.kompox/config.yml", "komPath: [x]\n"}});
  const auto found = find_environment(files, {.root = "/r", .working_folder = "/"});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->config.kom_path, ElementsAre("x"));
  const MapKomFiles broken({{"/r/.kompox/config.yml", "version: x\n"}});
  const auto refused = find_environment(broken, {.root = "/r", .working_folder = "/"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("/r/.kompox/config.yml:1:10: version: "));
}

}  // namespace
}  // namespace strake::ops
