// The text of a list: a frame and what stands in it.
#include "api/verbs/list_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

TEST(ListTexts, AreFramesAroundTheirObjects) {
  TestServer server;
  Call call;
  call.endpoint = server.core().registry.find("", "configmaps");
  call.version = call.resource().served_version("v1");
  call.now = server.clock().now();
  const auto text = ListText::of(call, {.revision = 5, .continue_token = "t", .remaining = 2});
  ASSERT_TRUE(text);
  EXPECT_EQ(text->head(), R"({"apiVersion":"v1","items":[)");
  EXPECT_EQ(
      text->tail(),
      R"(],"kind":"ConfigMapList","metadata":{"continue":"t","remainingItemCount":2,"resourceVersion":"5"}})"
      "\n");
  EXPECT_EQ(text->without_objects(), text->head() + text->tail());
  EXPECT_EQ(text->media_type(), "application/json");
  EXPECT_FALSE(must_be_made(call));
  const ObjectPtr one =
      Object::from_stored("/registry/configmaps/d/a",
                          R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})", 3, 3)
          .value();
  const ObjectPtr list[] = {one, one};
  EXPECT_EQ(
      text->part(list, true).value(),
      R"({"metadata":{"name":"a","resourceVersion":"3"}},{"metadata":{"name":"a","resourceVersion":"3"}})");
  EXPECT_TRUE(text->part(list, false).value().starts_with(","));
  call.wanted.encoding = Encoding::kYaml;
  const auto yaml = ListText::of(call, {.revision = 5});
  EXPECT_EQ(yaml->head(), "apiVersion: v1\nitems:\n");
  EXPECT_EQ(yaml->tail(), "kind: ConfigMapList\nmetadata:\n  resourceVersion: \"5\"\n");
  EXPECT_EQ(
      yaml->without_objects(),
      "apiVersion: v1\nitems: []\nkind: ConfigMapList\nmetadata:\n  resourceVersion: \"5\"\n");
  EXPECT_EQ(yaml->media_type(), "application/yaml");
  EXPECT_TRUE(must_be_made(call));
}

TEST(ListTexts, AreGivenUpWithTheirClient) {
  TestServer server;
  server.create("/api/v1/namespaces/default/configmaps", config_map_json("a"));
  Call call;
  call.endpoint = server.core().registry.find("", "configmaps");
  call.version = call.resource().served_version("v1");
  CancelSource gone;
  call.request.cancel = gone.token();
  const auto listed = call.endpoint->cache().list("/registry/configmaps/");
  EXPECT_TRUE(list_response(call, listed.objects, {.revision = 5}));
  gone.cancel();
  const auto refused = list_response(call, listed.objects, {.revision = 5});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, 503);
}

}  // namespace
}  // namespace strake::api::testing
