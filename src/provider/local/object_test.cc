#include "provider/local/object.h"

#include <gtest/gtest.h>

#include "provider/local/test_site.h"

namespace strake::provider::local {
namespace {

TEST(LocalObjects, AreReadAsTheyWereWritten) {
  const ClusterObject cluster{.tags = {{"a", "b\"<"}, {"c", ""}}, .address = "127.0.0.1:6443"};
  EXPECT_EQ(read_cluster_object(to_json(cluster)).value(), cluster);
  VolumeObject disk;
  disk.tags = {{"kompox-volume", "data"}};
  disk.format = Format::kFolder;
  disk.size = std::int64_t{1} << 40;
  disk.zone = "z-1";
  disk.options = {{"a", true}, {"b", std::int64_t{7}}, {"c", 0.5}, {"d", std::string("text")}};
  disk.created_at = WallTime(std::chrono::nanoseconds(1'700'000'000'123'456'789));
  disk.updated_at = disk.created_at + std::chrono::seconds(5);
  const auto got = read_volume_object(to_json(disk));
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->tags, disk.tags);
  EXPECT_EQ(got->format, disk.format);
  EXPECT_EQ(got->size, disk.size);
  EXPECT_EQ(got->zone, disk.zone);
  EXPECT_EQ(got->options, disk.options);
  EXPECT_EQ(got->created_at, disk.created_at);
  EXPECT_EQ(got->updated_at, disk.updated_at);
}

TEST(LocalObjects, AreRefusedWhenOthersHaveChangedThem) {
  for (const std::string_view text : {"", "[]", "{}", R"({"tags":1})"})
    EXPECT_EQ(read_cluster_object(text).error().error_class(), FailureClass::kValidation) << text;
  const std::string good = to_json(VolumeObject{});
  ASSERT_TRUE(read_volume_object(good));
  for (const auto& [from, to] :
       {std::pair("\"image\"", "\"tape\""), std::pair("\"size\": 0", "\"size\": -1"),
        std::pair("\"size\": 0", "\"size\": \"1\""), std::pair("1970", "x")}) {
    std::string bad = good;
    const std::size_t at = bad.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bad.replace(at, std::string_view(from).size(), to);
    EXPECT_FALSE(read_volume_object(bad)) << bad;
  }
}

}  // namespace
}  // namespace strake::provider::local
