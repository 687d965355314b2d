#include "provider/local/pool_record.h"

#include "provider/local/test_site.h"
#include "value/fields.h"

namespace strake::provider::local {
namespace {

NodePool full_pool() {
  NodePool out;
  out.name = "np1";
  out.provider_name = "np1";
  out.mode = "user";
  out.labels = {
      {"tier", "web"}, {"kompox.dev/node-pool", "np1"}, {"kompox.dev/node-zone", "here-1"}};
  out.zones = {{"here-1", "here-2"}};
  out.instance_type = "small";
  out.os_disk_type = "Managed";
  out.os_disk_size_gib = 64;
  out.priority = "regular";
  out.autoscaling = Autoscaling{.enabled = true, .min = 1, .max = 5, .desired = 3};
  out.extensions = {{"a", true}, {"b", std::int64_t{2}}, {"c", std::string("x")}, {"d", 1.5}};
  return out;
}

TEST(PoolRecords, AreReadAsTheyWereWritten) {
  EXPECT_EQ(read_pool(to_json(full_pool())).value(), full_pool());
  NodePool bare;
  bare.name = "np2";
  EXPECT_EQ(read_pool(to_json(bare)).value(), bare);
  for (const std::string_view bad : {"", "[]", "{}", "{\"name\":1}"}) EXPECT_FALSE(read_pool(bad));
}

TEST(PoolRecords, SayHowManyNodesThereAreToBe) {
  const auto count = [](std::optional<Autoscaling> scaling) {
    NodePool pool;
    pool.autoscaling = scaling;
    return wanted_nodes(pool);
  };
  EXPECT_EQ(count(std::nullopt), 1);
  EXPECT_EQ(count(Autoscaling{.enabled = true, .min = 2, .max = 5, .desired = {}}), 2);
  EXPECT_EQ(count(Autoscaling{.enabled = true, .min = 2, .max = 5, .desired = 4}), 4);
  EXPECT_EQ(count(Autoscaling{.enabled = true, .min = 2, .max = 5, .desired = 9}), 5);
  EXPECT_EQ(count(Autoscaling{.enabled = false, .min = 0, .max = 0, .desired = 9}), 9);
  EXPECT_EQ(count(Autoscaling{.enabled = true, .min = 0, .max = 3, .desired = {}}), 0);
}

TEST(PoolRecords, SpreadNodesOverZones) {
  const Tags tags = {{"managed-by", "kompox"}};
  const auto zone_of = [&](const NodePool& pool, std::int64_t index) {
    const auto node = node_object(pool, index, tags);
    return std::string(
        value::text_of(node.root().get("metadata").get("labels"), "kompox.dev/node-zone"));
  };
  NodePool pool = full_pool();
  EXPECT_EQ(zone_of(pool, 0), "here-1");
  EXPECT_EQ(zone_of(pool, 1), "here-2");
  EXPECT_EQ(zone_of(pool, 2), "here-1");
  (*pool.labels)["kompox.dev/node-zone"] = "mine";
  EXPECT_EQ(zone_of(pool, 1), "mine");
}

TEST(PoolRecords, KeepALabelThatChoosesAnotherPool) {
  NodePool pool = full_pool();
  (*pool.labels)["kompox.dev/node-pool"] = "user";
  const auto node = node_object(pool, 0, {});
  const value::Value& labels = node.root().get("metadata").get("labels");
  EXPECT_EQ(value::text_of(labels, "kompox.dev/node-pool"), "user");
  EXPECT_EQ(value::text_of(labels, kPoolLabel), "np1");
}

}  // namespace
}  // namespace strake::provider::local
