// What clients get from the whole API, where kube-apiserver 1.36 surprises.
#include <gtest/gtest.h>

#include "api/cache/object_scan.h"
#include "api/test_server.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kWidgetCrd = R"({
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "widgets.example.com", "finalizers": ["example.com/wait"]},
  "spec": {"group": "example.com", "scope": "Namespaced",
    "names": {"plural": "widgets", "kind": "Widget"},
    "versions": [{"name": "v1", "served": true, "storage": true,
      "schema": {"openAPIV3Schema": {"type": "object"}}}]}})";

std::string config_map(std::string_view namespace_name) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":")" +
         std::string(namespace_name) + R"("},"data":{"kind":"x"}})";
}

std::string message_of(const TestServer::Got& got) {
  const auto document = value::read_json(got.body).value();
  const value::Value* message = document.root().find("message");
  return message != nullptr ? std::string(message->as_string()) : std::string();
}

TEST(Writes, MustNameTheNamespaceOfTheirUrl) {
  TestServer server;
  constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
  constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";
  constexpr std::string_view kProvided =
      "the namespace of the provided object does not match the namespace sent on the request";
  EXPECT_EQ(message_of(server.call("POST", kMaps, config_map("other"))), kProvided);
  ASSERT_EQ(server.call("POST", kMaps, config_map("default")).code, 201);
  const auto put = server.call("PUT", kMap, config_map("other"));
  EXPECT_EQ(put.code, 400);
  EXPECT_EQ(message_of(put), kProvided);
  // A patch is told in other words.
  const auto patched = server.call("PATCH", kMap, R"({"metadata":{"namespace":"other"}})",
                                   {{"Content-Type", "application/merge-patch+json"}});
  EXPECT_EQ(patched.code, 400);
  EXPECT_EQ(message_of(patched),
            "the namespace of the object (other) does not match the namespace on the URL "
            "(default)");
}

TEST(Writes, OutsideOfNamespacesLoseTheNamespaceTheyName) {
  TestServer server;
  const auto made = server.call(
      "POST", "/api/v1/namespaces",
      R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n","namespace":"x"}})");
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_FALSE(made.body.contains(R"("namespace")")) << made.body;
  const auto put = server.call(
      "PUT", "/api/v1/namespaces/n",
      R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n","namespace":"x"}})");
  EXPECT_EQ(put.code, 200) << put.body;
}

TEST(Deletion, OfADefinitionLeavesItsGenerationAndSetsNoGracePeriod) {
  TestServer server;
  ASSERT_EQ(server.call("POST", kCrds, kWidgetCrd).code, 201);
  const auto deleted = server.call("DELETE", std::string(kCrds) + "/widgets.example.com");
  ASSERT_EQ(deleted.code, 200) << deleted.body;
  EXPECT_TRUE(deleted.body.contains(R"("deletionTimestamp":)")) << deleted.body;
  EXPECT_TRUE(deleted.body.contains(R"("generation":1,)")) << deleted.body;
  EXPECT_FALSE(deleted.body.contains("deletionGracePeriodSeconds")) << deleted.body;
}

TEST(Lists, OfBuiltinKindsSayOnceWhatTheirItemsAre) {
  TestServer server;
  ASSERT_EQ(
      server.call("POST", "/api/v1/namespaces/default/configmaps", config_map("default")).code,
      201);
  for (const std::string_view accept : {"application/json", "application/json;pretty=1"}) {
    const auto got = server.call("GET", "/api/v1/namespaces/default/configmaps", {},
                                 {{"Accept", std::string(accept)}});
    const auto document = value::read_json(got.body).value();
    EXPECT_EQ(document.root().find("kind")->as_string(), "ConfigMapList");
    bool found = false;
    for (const value::Value& item : document.root().find("items")->items()) {
      EXPECT_EQ(item.find("kind"), nullptr);
      EXPECT_EQ(item.find("apiVersion"), nullptr);
      const value::Value* data = item.find("data");
      found = found || (data != nullptr && data->find("kind") != nullptr);
    }
    EXPECT_TRUE(found) << got.body;
  }
  // One object says it itself, and so do the objects of a watch and of a custom resource's list.
  EXPECT_TRUE(server.call("GET", "/api/v1/namespaces/default/configmaps/a")
                  .body.contains(R"("kind":"ConfigMap")"));
  ASSERT_EQ(server.call("POST", kCrds, kWidgetCrd).code, 201);
  constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
  ASSERT_EQ(server
                .call("POST", kWidgets,
                      R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}})")
                .code,
            201);
  EXPECT_TRUE(server.call("GET", kWidgets).body.contains(R"("kind":"Widget",)"));
  auto watching = server.call("GET", "/api/v1/namespaces/default/configmaps?watch=1");
  ASSERT_NE(watching.stream, nullptr);
  EXPECT_TRUE(server.next(*watching.stream).contains(R"("kind":"ConfigMap")"));
  server.end(std::move(watching.stream));
}

TEST(PartsWithoutType, LeaveOutApiVersionAndKindAlone) {
  const auto rest = [](std::string_view text) {
    const auto parts = parts_without_type(text);
    std::string out;
    if (!parts) return std::string("none");
    for (const std::string_view part : *parts) out += part;
    return out;
  };
  EXPECT_EQ(rest(R"({"apiVersion":"v1","data":{"kind":"{"},"kind":"A","metadata":{}})"),
            R"({"data":{"kind":"{"},"metadata":{}})");
  EXPECT_EQ(rest(R"({"kind":"A","apiVersion":"v1","metadata":{}})"), R"({"metadata":{}})");
  EXPECT_EQ(rest(R"({"metadata":{},"apiVersion":"v1","kind":"A"})"), "none");
  EXPECT_EQ(rest(R"({"metadata":{}})"), "none");
  EXPECT_EQ(rest("[]"), "none");
}

}  // namespace
}  // namespace strake::api::testing
