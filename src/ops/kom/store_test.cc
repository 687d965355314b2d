#include "ops/kom/store.h"

#include <gtest/gtest.h>

namespace strake::ops {
namespace {

using provider::FailureClass;

Store example() {
  Store out;
  out.add(provider::Workspace{.id = "/ws/w", .name = "w"});
  out.add(provider::ProviderEntity{.id = "/ws/w/prv/p", .name = "p", .workspace_id = "/ws/w"});
  for (const std::string name : {"a", "b"}) {
    const std::string cluster = "/ws/w/prv/p/cls/" + name;
    out.add(provider::Cluster{.id = cluster, .name = name, .provider_id = "/ws/w/prv/p"});
    out.add(provider::App{.id = cluster + "/app/shop", .name = "shop", .cluster_id = cluster});
    out.add(provider::Box{
        .id = cluster + "/app/shop/box/x", .name = "x", .app_id = cluster + "/app/shop"});
  }
  return out;
}

TEST(Store, FindsByNameAndByIdOnceThereIsASlash) {
  const Store store = example();
  EXPECT_EQ((*store.find_cluster("a"))->id, "/ws/w/prv/p/cls/a");
  EXPECT_EQ((*store.find_cluster("/ws/w/prv/p/cls/b"))->name, "b");
  EXPECT_EQ((*store.find_app("/ws/w/prv/p/cls/b/app/shop"))->cluster_id, "/ws/w/prv/p/cls/b");
  EXPECT_EQ((*store.find_workspace("w"))->id, "/ws/w");
  EXPECT_EQ((*store.find_provider("p"))->id, "/ws/w/prv/p");
  EXPECT_EQ((*store.find_box("/ws/w/prv/p/cls/a/app/shop/box/x"))->name, "x");
}

TEST(Store, SaysWhatIsNotThere) {
  const Store store = example();
  const auto by_name = store.find_cluster("c");
  ASSERT_FALSE(by_name);
  EXPECT_EQ(by_name.error().message(), "cluster \"c\" not found");
  EXPECT_EQ(by_name.error().error_class(), FailureClass::kNotFound);
  const auto by_id = store.find_app("/ws/w");
  ASSERT_FALSE(by_id);
  EXPECT_EQ(by_id.error().message(), "app \"/ws/w\" not found");
  EXPECT_EQ(store.find_workspace("x").error().message(), "workspace \"x\" not found");
  EXPECT_EQ(store.find_provider("x").error().message(), "provider \"x\" not found");
  EXPECT_EQ(store.find_box("y").error().message(), "box \"y\" not found");
}

TEST(Store, RefusesANameThatSeveralHave) {
  const Store store = example();
  const auto app = store.find_app("shop");
  ASSERT_FALSE(app);
  EXPECT_EQ(app.error().message(),
            "multiple apps found with name \"shop\": /ws/w/prv/p/cls/a/app/shop, "
            "/ws/w/prv/p/cls/b/app/shop");
  EXPECT_EQ(app.error().error_class(), FailureClass::kInvalid);
  EXPECT_TRUE(
      store.find_box("x").error().message().starts_with("multiple boxes found with name \"x\": "));
}

TEST(Store, KnowsWhatBelongsToWhom) {
  const Store store = example();
  const provider::Cluster* cluster = store.cluster_by_id("/ws/w/prv/p/cls/a");
  ASSERT_NE(cluster, nullptr);
  const auto apps = store.apps_of(*cluster);
  ASSERT_EQ(apps.size(), 1U);
  EXPECT_EQ(apps[0]->id, "/ws/w/prv/p/cls/a/app/shop");
  EXPECT_EQ(store.boxes_of(*apps[0]).size(), 1U);
  EXPECT_EQ(store.provider_by_id(cluster->provider_id)->workspace_id, "/ws/w");
  EXPECT_EQ(store.provider_by_id("p"), nullptr);
}

}  // namespace
}  // namespace strake::ops
