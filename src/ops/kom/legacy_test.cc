#include "ops/kom/legacy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace strake::ops {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

provider::Outcome<LegacyFile> read_file(std::string_view text) {
  int next = 0;
  return read_legacy_text("/site/kompoxops.yml", text, [&] { return fmt::format("id{}", next++); });
}

std::string with_app(std::string_view app) {
  return fmt::format(
      "version: v1\nworkspace: {{name: w}}\nprovider: {{name: p, driver: k3s}}\n"
      "cluster: {{name: c}}\napp: {}\n",
      app);
}

std::string fault_of(std::string_view app) {
  const auto read = read_file(with_app(app));
  return read ? "" : read.error().message();
}

TEST(LegacyFile, BecomesTheSameModelsAsDocuments) {
  const auto read = read_file(
      "version: v1\n"
      "workspace:\n  name: ops\n"
      "provider:\n  name: aks1\n  driver: aks\n  settings: {A: b, K: 1}\n"
      "cluster:\n  name: cluster1\n  existing: true\n  ingress: {domain: d.example}\n"
      "  settings: {K: v}\n"
      "app:\n  name: app1\n  compose:\n    services: {web: {image: nginx}}\n"
      "  ingress: {rules: [{name: main, port: 8080, hosts: [h]}]}\n"
      "  volumes: [{name: data, size: 1Gi}]\n  deployment: {pool: user}\n"
      "  resources: {cpu: 1}\n  settings: {S: t}\n");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->version, "v1");
  EXPECT_EQ(read->workspace.name, "ops");
  EXPECT_EQ(read->workspace.id, "id0");
  EXPECT_EQ(read->provider.workspace_id, "id0");
  EXPECT_EQ(read->provider.driver, "aks");
  EXPECT_THAT(read->provider.settings, ElementsAre(Pair("A", "b"), Pair("K", "1")));
  EXPECT_EQ(read->cluster.provider_id, read->provider.id);
  EXPECT_TRUE(read->cluster.existing);
  EXPECT_EQ(read->cluster.ingress->domain, "d.example");
  EXPECT_THAT(read->cluster.settings, ElementsAre(Pair("K", "v")));
  EXPECT_EQ(read->app.cluster_id, read->cluster.id);
  EXPECT_EQ(read->app.name, "app1");
  EXPECT_EQ(read->app.compose, "services:\n  web:\n    image: nginx\n");
  EXPECT_EQ(read->app.ref_base, "file:///site/");
  EXPECT_EQ(read->app.ingress.rules.at(0).port, 8080);
  EXPECT_EQ(read->app.volumes.at(0).size, 1073741824);
  EXPECT_EQ(read->app.deployment.pool, "user");
  EXPECT_THAT(read->app.settings, ElementsAre(Pair("S", "t")));
}

TEST(LegacyFile, TellsFaultsByPart) {
  EXPECT_EQ(fault_of("{name: a, volumes: [{name: A_b, size: 1}]}").substr(0, 73),
            "/site/kompoxops.yml:5:33: app: volumes[0].name: invalid volume name: a lo");
  EXPECT_EQ(fault_of("{name: a, volumes: [{name: d, size: 1}, {name: d, size: 1}]}"),
            "/site/kompoxops.yml:5:53: app: volumes[1].name: duplicate volume name \"d\"");
  EXPECT_EQ(
      fault_of("{name: a, volumes: [{name: d, size: 1, type: nfs}]}"),
      "/site/kompoxops.yml:5:51: app: volumes[0].type: invalid type \"nfs\", must be \"disk\" "
      "or \"files\"");
  EXPECT_EQ(fault_of("{name: a, deployment: {zone: a, zones: [b]}}"),
            "/site/kompoxops.yml:5:28: app: deployment.zone and deployment.zones cannot be "
            "specified together");
  EXPECT_EQ(fault_of("{name: a, volumes: [{name: d, size: 10000Pi}]}"),
            "/site/kompoxops.yml:5:42: app: volumes[0].size: invalid size \"10000Pi\": too "
            "large");
  EXPECT_EQ(fault_of("{name: a, settigs: {}}"),
            "/site/kompoxops.yml:5:16: app: unknown field \"settigs\", did you mean \"settings\"?");
}

TEST(LegacyFile, KnowsNothingOfWhatCameWithDocuments) {
  EXPECT_THAT(fault_of("{name: a, networkPolicy: {}}"),
              HasSubstr("5:16: app: unknown field \"networkPolicy\""));
  const auto read = read_file(
      "version: v1\nworkspace: {name: w}\nprovider: {name: p, driver: k3s}\n"
      "cluster: {name: c, protection: {}}\napp: {name: a}\nbox: {}\n");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message(), "/site/kompoxops.yml:6:1: unknown field \"box\"");
  EXPECT_EQ(read.error().error_class(), provider::FailureClass::kValidation);
}

TEST(LegacyFile, NeedsAllOfItsParts) {
  const auto read = read_file("version: v1\nworkspace: {name: w}\ncluster: []\n");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), HasSubstr("provider: is required"));
  EXPECT_THAT(read.error().message(), HasSubstr("cluster: must be a mapping"));
  EXPECT_THAT(read.error().message(), HasSubstr("app: is required"));
  EXPECT_FALSE(read_file("[]\n"));
  EXPECT_FALSE(read_file("a: [\n"));
  EXPECT_THAT(fault_of("{compose: ''}"), HasSubstr("app: name: Required value"));
}

TEST(LegacyFile, GetsIdsThatDiffer) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) {
    const std::string id = random_id();
    EXPECT_EQ(id.size(), 16U);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 100U);
}

}  // namespace
}  // namespace strake::ops
