#include "provider/names/node_pool_checks.h"

#include <gtest/gtest.h>

#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider {
namespace {

using value::text_of;
using value::Value;

std::optional<std::string> text_in(const Value& object, std::string_view key) {
  if (!object.get(key).is_string()) return std::nullopt;
  return std::string(text_of(object, key));
}

std::optional<std::int64_t> number_in(const Value& object, std::string_view key) {
  if (!object.get(key).is_number()) return std::nullopt;
  return object.get(key).as_int();
}

std::map<std::string, std::string, std::less<>> labels_in(const Value& object) {
  std::map<std::string, std::string, std::less<>> out;
  for (const auto& [key, text] : object.members()) out.emplace(key, text_of(text));
  return out;
}

NodePool pool_in(const Value& object) {
  NodePool out;
  out.name = text_in(object, "name");
  out.provider_name = text_in(object, "providerName");
  out.mode = text_in(object, "mode");
  out.instance_type = text_in(object, "instanceType");
  out.os_disk_type = text_in(object, "osDiskType");
  out.os_disk_size_gib = number_in(object, "osDiskSizeGiB");
  out.priority = text_in(object, "priority");
  if (object.find("labels") != nullptr) out.labels = labels_in(object.get("labels"));
  if (object.find("zones") != nullptr) {
    out.zones.emplace();
    for (const Value& zone : object.get("zones").items()) out.zones->emplace_back(text_of(zone));
  }
  if (const Value* scaling = object.find("autoscaling")) {
    out.autoscaling = Autoscaling{.enabled = value::flag_of(*scaling, "enabled"),
                                  .min = number_in(*scaling, "min").value_or(0),
                                  .max = number_in(*scaling, "max").value_or(0),
                                  .desired = number_in(*scaling, "desired")};
  }
  return out;
}

NodePool named(std::string name) {
  NodePool out;
  out.name = std::move(name);
  return out;
}

TEST(NodePools, AreProtectedAgainstChangesAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "nodepool.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  // The same pool in neutral words.
  const Value& recorded = data->root().get("fromAgentPool").items()[0];
  ASSERT_TRUE(value::equal(recorded.get("agentPool"), data->root().get("existingForUpdate")));
  const NodePool current = pool_in(recorded.get("expect"));
  std::size_t cases = 0;
  for (const Value& one : data->root().get("immutability").items()) {
    const NodePool update = pool_in(one.get("update"));
    const auto checked = check_node_pool_update(current, update);
    const std::string_view wanted = text_of(one, "error");
    EXPECT_EQ(checked.has_value(), wanted.empty()) << wanted;
    if (!checked) {
      EXPECT_NE(checked.error().message().find(wanted), std::string::npos)
          << checked.error().message();
      EXPECT_TRUE(checked.error().message().starts_with(
          "validation error: cannot modify immutable fields: "));
      EXPECT_EQ(checked.error().error_class(), FailureClass::kValidation);
    } else {
      // What may be asked for again changes nothing but labels.
      NodePool merged = merge_node_pool(current, update);
      merged.labels = current.labels;
      EXPECT_EQ(merged, current);
    }
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 11U, 6U));
}

TEST(NodePools, GetTheRecordedSchedulingLabels) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "nodepool.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("toAgentPool").items()) {
    NodePool pool = pool_in(one.get("pool"));
    const auto checked = check_new_node_pool(pool);
    EXPECT_TRUE(checked) << checked.error().message();
    add_scheduling_labels(pool);
    EXPECT_EQ(*pool.labels, labels_in(one.get("body").get("properties").get("nodeLabels")));
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 3U, 2U));
}

TEST(NodePools, KeepLabelsThatOthersSelectBy) {
  NodePool pool = named("np1");
  pool.zones = {"japaneast-1"};
  pool.labels = {{std::string(kNodePoolLabel), "user"}, {std::string(kNodeZoneLabel), "1"}};
  const NodePool before = pool;
  add_scheduling_labels(pool);
  EXPECT_EQ(pool, before);
}

TEST(NodePools, AreRefusedWhenAFieldIsWrong) {
  const auto with = [](auto change) {
    NodePool out = named("np1");
    change(out);
    return out;
  };
  const auto scaled = [&](Autoscaling scaling) {
    return with([&](NodePool& p) { p.autoscaling = scaling; });
  };
  const std::pair<NodePool, std::string_view> cases[] = {
      {NodePool(), "validation error: pool.Name is required"},
      {named(""), "validation error: pool.Name is required"},
      {named("a b"), "validation error: invalid pool.Name \"a b\": "},
      {named(std::string(64, 'a')), "validation error: invalid pool.Name "},
      {with([](NodePool& p) { p.mode = "gpu"; }),
       "validation error: pool.Mode must be \"system\" or \"user\", got \"gpu\""},
      {with([](NodePool& p) { p.priority = ""; }),
       "validation error: pool.Priority must be \"regular\" or \"spot\", got \"\""},
      {with([](NodePool& p) { p.instance_type = ""; }),
       "validation error: pool.InstanceType must not be empty"},
      {with([](NodePool& p) { p.os_disk_type = ""; }),
       "validation error: pool.OSDiskType must not be empty"},
      {with([](NodePool& p) { p.os_disk_size_gib = 0; }),
       "validation error: pool.OSDiskSizeGiB must be at least 1, got 0"},
      {with([](NodePool& p) { p.zones = {"1", ""}; }),
       "validation error: pool.Zones: zone must not be empty"},
      {with([](NodePool& p) { p.zones = {"1", "japaneast-1"}; }),
       "validation error: pool.Zones: \"japaneast-1\" stands there twice"},
      {with([](NodePool& p) { p.labels.emplace()["a b"] = ""; }),
       "validation error: pool.Labels: invalid key \"a b\": "},
      {with([](NodePool& p) { p.labels.emplace()["a"] = "b c"; }),
       "validation error: pool.Labels: invalid value \"b c\" of a: "},
      {scaled({.enabled = true, .min = -1, .max = 1, .desired = {}}),
       "validation error: pool.Autoscaling.Min must be at least 0, got -1"},
      {scaled({.enabled = true, .min = 0, .max = 0, .desired = {}}),
       "validation error: pool.Autoscaling.Max must be at least 1, got 0"},
      {scaled({.enabled = true, .min = 3, .max = 2, .desired = {}}),
       "validation error: pool.Autoscaling.Min must be at most Max, got 3 and 2"},
      {scaled({.enabled = false, .min = 0, .max = 0, .desired = -1}),
       "validation error: pool.Autoscaling.Desired must be at least 0, got -1"},
  };
  for (const auto& [pool, wanted] : cases) {
    const auto checked = check_new_node_pool(pool);
    ASSERT_FALSE(checked) << wanted;
    EXPECT_TRUE(checked.error().message().starts_with(wanted)) << checked.error().message();
    EXPECT_EQ(checked.error().error_class(), FailureClass::kValidation);
    if (!pool.name || pool.name != "np1") continue;
    EXPECT_EQ(check_node_pool_update(named("np1"), pool).error().message(),
              checked.error().message());
  }
  EXPECT_TRUE(check_new_node_pool(scaled({.enabled = true, .min = 0, .max = 1, .desired = {}})));
  EXPECT_TRUE(check_new_node_pool(scaled({.enabled = false, .min = 0, .max = 0, .desired = 0})));
}

TEST(NodePools, HaveDefaultsThatMayBeSaid) {
  NodePool update = named("np1");
  update.mode = "User";
  update.priority = "Regular";
  update.zones.emplace();
  EXPECT_TRUE(check_node_pool_update(named("np1"), update));
  update.instance_type = "large";
  EXPECT_EQ(check_node_pool_update(named("np1"), update).error().message(),
            "validation error: cannot modify immutable fields: InstanceType is immutable");
  EXPECT_EQ(immutable_changes(named("np1"), named("np2")),
            std::vector<std::string>{"Name is immutable"});
}

TEST(NodePools, TakeFromAnUpdateOnlyWhatItSets) {
  NodePool current = named("np1");
  current.mode = "user";
  current.zones = {"1"};
  current.labels = {{"kept", "1"}, {"changed", "1"}};
  current.autoscaling = {.enabled = true, .min = 1, .max = 3, .desired = {}};
  current.status =
      NodePoolStatus{.provisioning_state = "Succeeded", .current_node_count = 2, .extensions = {}};
  current.extensions = {{"a", std::int64_t{1}}, {"b", true}};

  EXPECT_EQ(merge_node_pool(current, NodePool()), current);

  NodePool update;
  update.mode = "USER";
  update.zones = {"japaneast-1"};
  update.labels = {{"changed", "2"}, {"added", "3"}};
  update.autoscaling = {.enabled = false, .min = 0, .max = 0, .desired = 5};
  update.status = NodePoolStatus{};
  update.extensions = {{"b", false}};
  NodePool wanted = current;
  wanted.labels = {{"kept", "1"}, {"changed", "2"}, {"added", "3"}};
  wanted.autoscaling = update.autoscaling;
  wanted.extensions = {{"a", std::int64_t{1}}, {"b", false}};
  ASSERT_TRUE(check_node_pool_update(current, update));
  EXPECT_EQ(merge_node_pool(current, update), wanted);
  EXPECT_EQ(merge_node_pool(wanted, update), wanted);  // a second time changes nothing

  update = NodePool();
  update.labels.emplace();  // none is not the same as remove all
  EXPECT_EQ(merge_node_pool(current, update), current);
}

}  // namespace
}  // namespace strake::provider
