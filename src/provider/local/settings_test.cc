#include "provider/local/settings.h"

#include <gtest/gtest.h>

#include "provider/local/test_site.h"

namespace strake::provider::local {
namespace {

Outcome<ProviderSettings> of_provider(Settings settings, DriverEnvironment from = {}) {
  return read_settings(ProviderEntity{.id = {},
                                      .name = "here",
                                      .workspace_id = {},
                                      .driver = "local",
                                      .settings = std::move(settings)},
                       from);
}

Outcome<ClusterSettings> of_cluster(Settings settings) {
  Cluster cluster;
  cluster.settings = std::move(settings);
  return read_settings(cluster);
}

TEST(LocalProviderSettings, ComeFromTheProgramWhenTheyAreNotGiven) {
  DriverEnvironment from;
  from.program = "/usr/bin/strake";
  from.data_folder = "/var/lib/strake/";
  const auto got = of_provider({}, from);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->root, "/var/lib/strake");
  EXPECT_EQ(got->program, "/usr/bin/strake");
  EXPECT_EQ(got->most_disk_bytes, std::int64_t{16} << 40);
}

TEST(LocalProviderSettings, TellAllThatIsMissing) {
  EXPECT_EQ(why(of_provider({})),
            "validation: missing required local settings: LOCAL_PROGRAM, LOCAL_ROOT");
}

TEST(LocalProviderSettings, RefuseWhatMakesNoSense) {
  const Settings good = {{"LOCAL_ROOT", "/r"}, {"LOCAL_PROGRAM", "/p"}};
  for (const auto& [key, value] : Settings{
           {"LOCAL_ROOT", "here"}, {"LOCAL_PROGRAM", "strake"}, {"LOCAL_MAX_DISK_SIZE", "0"}}) {
    Settings settings = good;
    settings[key] = value;
    EXPECT_TRUE(why(of_provider(settings)).starts_with("validation: setting " + key)) << key;
  }
}

TEST(LocalClusterSettings, HaveDefaults) {
  const auto got = of_cluster({});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->host, "127.0.0.1");
  EXPECT_EQ(got->port, 0);
  EXPECT_EQ(got->start, std::chrono::seconds(60));
  EXPECT_TRUE(got->zones.empty());
  EXPECT_EQ(got->name_server, "localhost.");
  EXPECT_EQ(got->ingress_ip, "127.0.0.1");
}

TEST(LocalClusterSettings, ListZonesOnceEach) {
  const auto got = of_cluster({{"LOCAL_DNS_ZONES", "Example.com., a.example.com\nexample.com"}});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->zones, (std::vector<std::string>{"example.com", "a.example.com"}));
}

TEST(LocalClusterSettings, RefuseWhatMakesNoSense) {
  const std::pair<std::string, std::string> cases[] = {
      {"LOCAL_LISTEN", "127.0.0.1"},    {"LOCAL_LISTEN", "127.0.0.1:70000"},
      {"LOCAL_LISTEN", ":80"},          {"LOCAL_LISTEN", "a b:80"},
      {"LOCAL_START_SECONDS", "0"},     {"LOCAL_START_SECONDS", "soon"},
      {"LOCAL_STOP_SECONDS", "100000"}, {"LOCAL_INGRESS_IP", "here"},
      {"LOCAL_DNS_ZONES", "../etc"},    {"LOCAL_DNS_NAMESERVER", "not one"},
  };
  for (const auto& [key, value] : cases)
    EXPECT_TRUE(why(of_cluster({{key, value}})).starts_with("validation: setting " + key)) << value;
}

}  // namespace
}  // namespace strake::provider::local
