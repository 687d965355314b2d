#include "cli/validate/config_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(Config, HasEveryDocumentedKey) {
  const auto config = parse_config(
      "validate:\n  schemas: [/crds]\n  exclude: [vendor, 'a/**']\n  skip: [Secret]\n"
      "  kubernetesVersion: '1.30'\n  baseline: /b.yaml\n  unknown: prune\n  duplicates: error\n"
      "  strict: false\n  ignoreMissingSchemas: true\n  trustSchemas: true\n",
      "/repo/strake.yaml");
  ASSERT_TRUE(config) << config.error().to_string();
  EXPECT_EQ(config->folder, "/repo");
  EXPECT_THAT(config->validate.schemas, Optional(ElementsAre("/crds")));
  EXPECT_THAT(config->validate.exclude, Optional(ElementsAre("vendor", "a/**")));
  EXPECT_THAT(config->validate.skip, Optional(ElementsAre("Secret")));
  EXPECT_THAT(config->validate.kubernetes_version, Optional(std::string("1.30")));
  EXPECT_THAT(config->validate.baseline, Optional(std::string("/b.yaml")));
  EXPECT_THAT(config->validate.unknown, Optional(std::string("prune")));
  EXPECT_THAT(config->validate.duplicates, Optional(std::string("error")));
  EXPECT_THAT(config->validate.strict, Optional(false));
  EXPECT_THAT(config->validate.ignore_missing_schemas, Optional(true));
  EXPECT_THAT(config->validate.trust_schemas, Optional(true));
  EXPECT_TRUE(parse_config("", "/repo/strake.yaml"));
}

TEST(Config, MeansFilesFromItsOwnFolder) {
  const auto config =
      parse_config("validate: {schemas: [crds], baseline: base.yaml}\n", "sub/strake.yaml");
  ASSERT_TRUE(config);
  EXPECT_THAT(config->validate.schemas, Optional(ElementsAre("sub/crds")));
  EXPECT_THAT(config->validate.baseline, Optional(std::string("sub/base.yaml")));
}

TEST(Config, IsReadStrictly) {
  struct {
    std::string_view text;
    std::string_view message;
  } constexpr kCases[] = {
      {"validat: {}\n", "s.yaml:1:1: unknown key \"validat\": did you mean \"validate\"?"},
      {"validate:\n  exclud: []\n",
       "s.yaml:2:3: unknown key \"exclud\": did you mean \"exclude\"?"},
      {"validate:\n  exclude: a\n", "s.yaml:2:12: exclude must be a list of strings"},
      {"validate:\n  skip: [1]\n", "s.yaml:2:10: skip must be a list of strings"},
      {"validate:\n  kubernetesVersion: 1.30\n",
       "s.yaml:2:22: kubernetesVersion must be a string: put it in quotes"},
      {"validate:\n  strict: 1\n", "s.yaml:2:11: strict must be true or false"},
      {"- a\n", "s.yaml:1:1: an object was expected here"},
  };
  for (const auto& one : kCases) {
    const auto config = parse_config(one.text, "s.yaml");
    ASSERT_FALSE(config) << one.text;
    EXPECT_EQ(config.error().to_string(), one.message);
  }
}

TEST(Config, IsFoundUpwardAsFarAsTheRepositoryGoes) {
  const TemporaryFolder folder;
  folder.write("strake.yaml", "");
  folder.write("repo/.git/HEAD", "");
  folder.write("repo/a/b/x.yaml", "");
  EXPECT_EQ(find_config(folder.path() / "repo/a/b"), std::nullopt);
  folder.write("repo/strake.yaml", "");
  EXPECT_EQ(find_config(folder.path() / "repo/a/b"), folder.path() / "repo/strake.yaml");
  folder.write("repo/a/strake.yaml", "");
  EXPECT_EQ(find_config(folder.path() / "repo/a/b"), folder.path() / "repo/a/strake.yaml");
}

}  // namespace
}  // namespace strake::cli
