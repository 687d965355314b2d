#include "provider/names/tags.h"

#include <gtest/gtest.h>

namespace strake::provider {
namespace {

const OwnerNames kOwner = {.workspace = "aks-e2e-gitea-20250925-060355",
                           .provider = "aks1",
                           .cluster = "cluster1",
                           .app = "app1"};

TEST(Tags, OfAClusterNameItAndItsHash) {
  EXPECT_EQ(cluster_tags(kOwner), (Tags{{"kompox-workspace-name", "aks-e2e-gitea-20250925-060355"},
                                        {"kompox-provider-name", "aks1"},
                                        {"kompox-cluster-name", "cluster1"},
                                        {"kompox-cluster-hash", "62mpgv"},
                                        {"managed-by", "kompox"}}));
}

TEST(Tags, OfADiskSurviveAMoveToAnotherCluster) {
  OwnerNames moved = kOwner;
  moved.cluster = "cluster2";
  const Tags tags = disk_tags(kOwner, "default", "0t4mrd528u3s", true);
  EXPECT_EQ(tags, disk_tags(moved, "default", "0t4mrd528u3s", true));
  EXPECT_EQ(tags, (Tags{{"kompox-workspace-name", "aks-e2e-gitea-20250925-060355"},
                        {"kompox-provider-name", "aks1"},
                        {"kompox-app-name", "app1"},
                        {"kompox-app-id-hash", "13o40q"},
                        {"kompox-volume", "default"},
                        {"kompox-volume-id", "kompox-default-13o40q"},
                        {"kompox-disk-name", "0t4mrd528u3s"},
                        {"kompox-disk-assigned", "true"},
                        {"managed-by", "kompox"}}));
  EXPECT_EQ(disk_tags(kOwner, "v", "d", false).at("kompox-disk-assigned"), "false");
}

TEST(Tags, OfASnapshotNameItAndNoDisk) {
  const Tags tags = snapshot_tags(kOwner, "default", "daily");
  EXPECT_EQ(tags.at("kompox-snapshot-name"), "daily");
  EXPECT_FALSE(tags.contains("kompox-disk-name"));
  EXPECT_TRUE(has_tags(tags, volume_tags(kOwner, "default")));
  EXPECT_FALSE(has_tags(tags, volume_tags(kOwner, "other")));
  EXPECT_FALSE(has_tags(tags, cluster_tags(kOwner)));
  EXPECT_TRUE(has_tags(tags, {}));
}

TEST(Tags, OfTheLongestNamesFitEveryProvider) {
  const std::string name(63, 'n');
  const OwnerNames owner = {.workspace = name, .provider = name, .cluster = name, .app = name};
  const Tags all[] = {cluster_tags(owner),
                      disk_tags(owner, std::string(16, 'v'), std::string(24, 'd'), false),
                      snapshot_tags(owner, std::string(16, 'v'), std::string(24, 's'))};
  for (const Tags& tags : all) {
    for (const TagLimits& limits :
         {kAzureTagLimits, kAwsTagLimits, kGcpLabelLimits, kOciTagLimits}) {
      const auto checked = check_tags(tags, limits);
      EXPECT_TRUE(checked) << checked.error().message();
    }
  }
}

TEST(Tags, AreRefusedAtTheEdgeOfTheLimits) {
  constexpr TagLimits kLimits = {.count = 2, .key = 3, .value = 4};
  EXPECT_TRUE(check_tags({{"key", "1234"}, {"k", ""}}, kLimits));
  const std::pair<Tags, std::string_view> cases[] = {
      {{{"a", ""}, {"b", ""}, {"c", ""}}, "must be at most 2 tags, got 3"},
      {{{"", "v"}}, "the name of a tag must not be empty"},
      {{{"keys", "v"}}, "the name of tag \"keys\" must be at most 3 bytes, got 4"},
      {{{"key", "12345"}}, "tag \"key\" must be at most 4 bytes, got 5"}};
  for (const auto& [tags, wanted] : cases) {
    const auto checked = check_tags(tags, kLimits);
    ASSERT_FALSE(checked) << wanted;
    EXPECT_EQ(checked.error().message(), wanted);
    EXPECT_EQ(checked.error().error_class(), FailureClass::kValidation);
  }
}

}  // namespace
}  // namespace strake::provider
