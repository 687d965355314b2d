#include "cli/operate/operate_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::cli {
namespace {

using provider::NodePool;
using ::testing::HasSubstr;

constexpr std::string_view kWhole = R"(
name: big
providerName: vm-1
mode: user
labels: {tier: front}
zones: [japaneast-1]
instanceType: large
osDiskType: Managed
osDiskSizeGiB: 64
priority: spot
autoscaling: {enabled: true, min: 1, max: 5, desired: 2}
status: {currentNodeCount: 7}
extensions: {a: 1, b: x, c: true, d: 0.5}
)";

std::string printed(const NodePool& pool) {
  OrderedJson out;
  write_node_pool(pool, out);
  return out.done();
}

TEST(NodePoolFile, HasEveryField) {
  const auto pool = read_node_pool(kWhole, "pool.yml");
  ASSERT_TRUE(pool.has_value()) << pool.error().message();
  EXPECT_EQ(pool->name, "big");
  EXPECT_EQ(pool->labels->at("tier"), "front");
  EXPECT_EQ(pool->os_disk_size_gib, 64);
  EXPECT_EQ(pool->autoscaling->desired, 2);
  EXPECT_FALSE(pool->status.has_value());
  EXPECT_EQ(pool->extensions.size(), 4u);
  EXPECT_EQ(
      printed(*pool),
      "{\n  \"name\": \"big\",\n  \"providerName\": \"vm-1\",\n  \"mode\": \"user\",\n"
      "  \"labels\": {\n    \"tier\": \"front\"\n  },\n  \"zones\": [\n    \"japaneast-1\"\n  ],"
      "\n  \"instanceType\": \"large\",\n  \"osDiskType\": \"Managed\",\n  \"osDiskSizeGiB\": "
      "64,\n  \"priority\": \"spot\",\n  \"autoscaling\": {\n    \"enabled\": true,\n"
      "    \"min\": 1,\n    \"max\": 5,\n    \"desired\": 2\n  },\n  \"extensions\": {\n"
      "    \"a\": 1,\n    \"b\": \"x\",\n    \"c\": true,\n    \"d\": 0.5\n  }\n}\n");
}

TEST(NodePoolFile, ReadsWhatIsPrinted) {
  const auto pool = read_node_pool(kWhole, "pool.yml");
  ASSERT_TRUE(pool.has_value());
  const auto again = read_node_pool(printed(*pool), "pool.json");
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_EQ(*again, *pool);
}

TEST(NodePoolFile, KeepsWhatIsAbsentApartFromWhatIsEmpty) {
  const auto absent = read_node_pool("{name: a}", "f");
  const auto empty = read_node_pool("{name: a, labels: {}, zones: []}", "f");
  ASSERT_TRUE(absent.has_value() && empty.has_value());
  EXPECT_FALSE(absent->labels || absent->zones || absent->autoscaling);
  EXPECT_TRUE(empty->labels && empty->labels->empty());
  EXPECT_TRUE(empty->zones && empty->zones->empty());
}

TEST(NodePoolFile, NamesWhatIsWrong) {
  for (const auto& [text, want] : std::initializer_list<std::pair<const char*, const char*>>{
           {"{}", "f: name is required"},
           {"{name: ''}", "f: name is required"},
           {"[1]", "f: must be an object, got array"},
           {"{name: 1}", "f: name: must be a text, got integer"},
           {"{name: a, zones: x}", "f: zones: must be a list of texts, got string"},
           {"{name: a, zones: [1]}", "f: zones: must be a list of texts, got integer"},
           {"{name: a, labels: {b: 1}}", "f: labels: must be an object of texts, got integer"},
           {"{name: a, osDiskSizeGiB: 1.5}",
            "f: osDiskSizeGiB: must be a whole number, got number"},
           {"{name: a, nodes: 3}", "f: unknown field \"nodes\""},
           {"{name: a, autoscaling: {enabled: 'yes'}}",
            "f: autoscaling.enabled: must be true or false, got string"},
           {"{name: a, autoscaling: {low: 1}}", "f: autoscaling: unknown field \"low\""},
           {"{name: a, autoscaling: 3}", "f: autoscaling: must be an object, got integer"},
           {"{name: a, extensions: {b: [1]}}",
            "f: extensions: [\"b\"] must be a text, a number or a boolean, got array"},
       }) {
    const auto read = read_node_pool(text, "f");
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_EQ(read.error().message(), want);
    EXPECT_EQ(read.error().error_class(), provider::FailureClass::kValidation);
  }
  EXPECT_THAT(read_node_pool("a: [", "f").error().message(), HasSubstr("f:"));
}

TEST(DiskOptions, AreAnObjectOfScalars) {
  const auto options = read_options(R"({"sku": "Premium", "iops": 3000, "x": true})");
  ASSERT_TRUE(options.has_value());
  EXPECT_EQ(std::get<std::int64_t>(options->at("iops")), 3000);
  EXPECT_TRUE(read_options("")->empty());
  EXPECT_EQ(read_options("[]").error().message(), "--options: must be an object, got array");
  EXPECT_EQ(read_options(R"({"a": []})").error().message(),
            "--options: [\"a\"] must be a text, a number or a boolean, got array");
  EXPECT_THAT(read_options("{").error().message(), HasSubstr("--options: "));
}

TEST(PrintedDisk, HasItsKeysInOrder) {
  OrderedJson out;
  write_disk({.name = "d", .volume_name = "v", .assigned = true, .size = 5, .handle = "h"}, out);
  EXPECT_EQ(out.line(),
            "{\"name\":\"d\",\"volumeName\":\"v\",\"assigned\":true,\"size\":5,\"zone\":\"\","
            "\"options\":{},\"handle\":\"h\",\"createdAt\":\"1970-01-01T00:00:00Z\",\"updatedAt\":"
            "\"1970-01-01T00:00:00Z\"}\n");
}

TEST(PrintedSnapshot, HasItsKeysInOrder) {
  OrderedJson out;
  write_snapshot({.name = "s", .volume_name = "v", .size = 5, .handle = "h"}, out);
  EXPECT_EQ(out.line(),
            "{\"name\":\"s\",\"volumeName\":\"v\",\"size\":5,\"handle\":\"h\",\"createdAt\":"
            "\"1970-01-01T00:00:00Z\",\"updatedAt\":\"1970-01-01T00:00:00Z\"}\n");
}

}  // namespace
}  // namespace strake::cli
