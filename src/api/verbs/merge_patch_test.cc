// Merge patches (RFC 7386) and strategic ones through the whole API.
#include <gtest/gtest.h>

#include <thread>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
constexpr std::string_view kWidget = "/apis/example.com/v1/namespaces/default/widgets/w";
constexpr std::string_view kStrategic = "application/strategic-merge-patch+json";

class MergePatch : public ::testing::Test {
 protected:
  MergePatch() {
    server.create(kCrds, widgets_crd());
    widget = server.create(kWidgets,
                           widget_json("w", R"({"color":"red","parts":[{"name":"p","value":"1"}]})",
                                       R"("labels":{"x":"1"})"));
    server.create(kMaps, config_map_json("a", R"({"k":"v"})"));
  }
  TestServer server;
  Answered widget;
};

TEST_F(MergePatch, SetsReplacesAndRemoves) {
  const Answered got = server.merge(
      kWidget,
      R"({"metadata":{"labels":{"x":null,"y":"2"}},"spec":{"color":"blue","parts":[{"name":"q"}]}})");
  expect_ok(got);
  EXPECT_EQ(got.at("metadata.labels"), R"({"y":"2"})");
  EXPECT_EQ(got.at("spec.color"), R"("blue")");
  // Lists are replaced, whatever their keys.
  EXPECT_EQ(got.at("spec.parts"), R"([{"name":"q"}])");
}

TEST_F(MergePatch, ThatRemovesADefaultFindsItAgain) {
  expect_ok(server.merge(kWidget, R"({"spec":{"size":5}})"));
  EXPECT_EQ(server.merge(kWidget, R"({"spec":{"size":null}})").at("spec.size"), "1");
}

TEST_F(MergePatch, ThatChangesNothingKeepsTheVersion) {
  server.advance(std::chrono::minutes(1));
  for (const std::string_view nothing : {"{}", R"({"spec":{"color":"red"}})"}) {
    const Answered got = server.merge(kWidget, nothing);
    expect_ok(got);
    EXPECT_EQ(got.version(), widget.version()) << nothing;
  }
}

TEST_F(MergePatch, IsRefusedInTheServersWords) {
  struct Case {
    std::string_view body;
    int code;
    std::string_view message;
  };
  const Case cases[] = {
      {"{x", 400,
       "error decoding patch: invalid character 'x' looking for beginning of object key string"},
      {"[]", 400,
       "error decoding patch: json: cannot unmarshal array into Go value of type "
       "map[string]interface {}"},
      {R"({"metadata":{"resourceVersion":"1"}})", 409,
       "Operation cannot be fulfilled on widgets.example.com \"w\": the object has been modified; "
       "please apply your changes to the latest version and try again"},
      {R"({"metadata":{"name":"b"}})", 400,
       "the name of the object (b) does not match the name on the URL (w)"},
      {R"({"metadata":{"uid":"x"}})", 422,
       "Widget.example.com \"w\" is invalid: metadata.uid: Invalid value: \"x\": field is "
       "immutable"},
  };
  for (const Case& one : cases) {
    const Answered refused = server.merge(kWidget, one.body);
    EXPECT_EQ(refused.code, one.code) << refused.body;
    EXPECT_TRUE(refused.text("message").starts_with(one.message.substr(0, one.message.size())))
        << refused.text("message");
  }
}

TEST_F(MergePatch, OfAnotherTypeIsNotTaken) {
  for (const std::string_view type : {"text/plain", "", "application/json"}) {
    const Answered refused = server.patch(kWidget, type, "{}");
    expect_status(
        refused, 415, "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json-patch+json, application/merge-patch+json, "
        "application/apply-patch+yaml");
  }
  // Parameters and case do not matter.
  expect_ok(server.patch(kWidget, "Application/Merge-Patch+JSON; charset=utf-8", "{}"));
}

TEST_F(MergePatch, TakesNoForce) {
  expect_status(server.merge(fmt::format("{}?force=true", kWidget), "{}"), 422, "Invalid",
                "PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may not be specified "
                "for non-apply patch");
}

TEST_F(MergePatch, OnTrialShowsWhatWouldBe) {
  const Answered tried =
      server.merge(fmt::format("{}?dryRun=All", kWidget), R"({"spec":{"size":9}})");
  expect_ok(tried);
  EXPECT_EQ(tried.at("spec.size"), "9");
  EXPECT_EQ(tried.version(), widget.version());
  EXPECT_EQ(server.get(kWidget).at("spec.size"), "1");
}

TEST_F(MergePatch, TreatsUnknownFieldsAsItIsTold) {
  const auto patched = [&](std::string_view how) {
    return server.merge(fmt::format("{}?dryRun=All&fieldValidation={}", kWidget, how),
                        R"({"spec":{"bogus":1}})");
  };
  EXPECT_TRUE(patched("Ignore").warnings.empty());
  EXPECT_EQ(patched("Warn").warnings,
            (std::vector<std::string>{R"(299 - "unknown field \"spec.bogus\"")"}));
  const Answered strict = patched("Strict");
  EXPECT_EQ(strict.code, 422) << strict.body;
  EXPECT_TRUE(
      strict.text("message").ends_with("strict decoding error: unknown field \"spec.bogus\""))
      << strict.text("message");
}

TEST_F(MergePatch, OfManyClientsAllArrive) {
  std::vector<std::thread> clients;
  for (int client = 0; client < 4; ++client) {
    clients.emplace_back([this, client] {
      for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(server.merge(kMap, fmt::format(R"({{"data":{{"c{}-{}":"x"}}}})", client, i)).code,
                  200);
      }
    });
  }
  for (std::thread& one : clients) one.join();
  EXPECT_EQ(server.get(kMap).json().find("data")->members().size(), 41u);
}

TEST_F(MergePatch, OfABuiltinKindMergesMetadataByKeyWhenItIsStrategic) {
  server.create(kMaps, config_map_json("o", "{}", R"("finalizers":["example.com/a"])"));
  const std::string path = fmt::format("{}/o", kMaps);
  const Answered added =
      server.patch(path, kStrategic, R"({"metadata":{"finalizers":["example.com/b"]}})");
  expect_ok(added);
  EXPECT_EQ(added.json().get("metadata").get("finalizers").size(), 2u);
  const Answered removed = server.patch(
      path, kStrategic,
      R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["example.com/a"]},"data":{"k":"v"}})");
  expect_ok(removed);
  EXPECT_EQ(removed.at("metadata.finalizers"), R"(["example.com/b"])");
  const Answered replaced =
      server.patch(path, kStrategic, R"({"data":{"$patch":"replace","only":"this"}})");
  EXPECT_EQ(replaced.at("data"), R"({"only":"this"})");
  const Answered merged = server.merge(path, R"({"metadata":{"finalizers":["example.com/c"]}})");
  EXPECT_EQ(merged.at("metadata.finalizers"), R"(["example.com/c"])");
}

TEST_F(MergePatch, IsAPermissionOfItsOwn) {
  TestServer guarded({.may = [](const User& user, const RequestInfo& request) {
    return user.name != "jane" || request.verb == "update";
  }});
  const Answered refused = guarded.ask({.method = "PATCH",
                                        .target = kMap,
                                        .body = "{}",
                                        .type = "application/merge-patch+json",
                                        .user = "jane"});
  expect_status(refused, 403, "Forbidden",
                "configmaps \"a\" is forbidden: User \"jane\" cannot patch resource \"configmaps\" "
                "in API group \"\" in the namespace \"default\"");
}

}  // namespace
}  // namespace strake::api::testing
