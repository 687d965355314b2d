// The status of objects: what its subresource keeps and changes.
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
constexpr std::string_view kWidget = "/apis/example.com/v1/namespaces/default/widgets/w";
constexpr std::string_view kStatus = "/apis/example.com/v1/namespaces/default/widgets/w/status";

class StatusOf : public ::testing::Test {
 protected:
  StatusOf() {
    server.create(kCrds, widgets_crd());
    widget =
        server.create(kWidgets, widget_json("w", R"({"color":"red"})", R"("labels":{"l":"1"})"));
  }
  std::string with_status(std::string_view status, std::string_view metadata = "") {
    return fmt::format(
        R"({{"apiVersion":"example.com/v1","kind":"Widget",)"
        R"("metadata":{{"name":"w","resourceVersion":"{}"{}}},"spec":{{"color":"blue"}},"status":{}}})",
        server.get(kWidget).version(), metadata, status);
  }
  TestServer server;
  Answered widget;
};

TEST_F(StatusOf, IsReadAsTheWholeObject) { EXPECT_EQ(server.get(kStatus).at(""), widget.at("")); }

TEST_F(StatusOf, IsReplacedAndNothingElse) {
  server.advance(std::chrono::minutes(1));
  const Answered put = server.put(
      kStatus,
      with_status(R"({"phase":"Up"})",
                  R"(,"labels":{"l":"2"},"annotations":{"a":"b"},"finalizers":["x.y/z"])"));
  expect_ok(put);
  EXPECT_EQ(put.at("status"), R"({"phase":"Up"})");
  EXPECT_EQ(put.at("spec"), widget.at("spec"));
  EXPECT_EQ(put.at("metadata.labels"), R"({"l":"1"})");
  EXPECT_EQ(put.at("metadata.annotations"), "");
  EXPECT_EQ(put.at("metadata.finalizers"), "");
  EXPECT_EQ(put.at("metadata.generation"), "1");
  EXPECT_NE(put.version(), widget.version());
  EXPECT_EQ(put.at("metadata.managedFields.1"),
            R"({"apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:status":)"
            R"({".":{},"f:phase":{}}},"manager":"test","operation":"Update",)"
            R"("subresource":"status","time":"2024-01-01T00:01:00Z"})");
}

TEST_F(StatusOf, IsPatched) {
  expect_ok(server.merge(kStatus, R"({"status":{"phase":"Up","replicas":2}})"));
  const Answered merged =
      server.merge(kStatus, R"({"status":{"phase":null},"spec":{"color":"blue"}})");
  EXPECT_EQ(merged.at("status"), R"({"replicas":2})");
  EXPECT_EQ(merged.at("spec.color"), R"("red")");
  const Answered by_path =
      server.ask("PATCH", kStatus, R"([{"op":"add","path":"/status/phase","value":"Down"}])");
  EXPECT_EQ(by_path.at("status"), R"({"phase":"Down","replicas":2})");
  EXPECT_EQ(by_path.at("metadata.generation"), "1");
}

TEST_F(StatusOf, MayBeTakenAway) {
  expect_ok(server.merge(kStatus, R"({"status":{"phase":"Up"}})"));
  EXPECT_EQ(server.merge(kStatus, R"({"status":null})").at("status"), "");
}

TEST_F(StatusOf, ThatStaysTheSameKeepsTheVersion) {
  const Answered put = server.put(kStatus, with_status(R"({"phase":"Up"})"));
  server.advance(std::chrono::minutes(1));
  EXPECT_EQ(server.put(kStatus, with_status(R"({"phase":"Up"})")).version(), put.version());
  EXPECT_EQ(server.merge(kStatus, R"({"spec":{"color":"blue"}})").version(), put.version());
}

TEST_F(StatusOf, IsJudgedBySchema) {
  const Answered refused = server.merge(kStatus, R"({"status":{"phase":7}})");
  EXPECT_EQ(refused.code, 422);
  EXPECT_EQ(refused.text("details.causes.0.field"), "status.phase");
  const Answered unknown =
      server.put(fmt::format("{}?fieldValidation=Strict", kStatus), with_status(R"({"bogus":1})"));
  EXPECT_EQ(unknown.code, 400) << unknown.body;
}

TEST_F(StatusOf, ConflictsAsTheObjectDoes) {
  const std::string old = with_status(R"({"phase":"Up"})");
  expect_ok(server.merge(kWidget, R"({"spec":{"size":4}})"));
  EXPECT_EQ(server.put(kStatus, old).code, 409);
  EXPECT_EQ(server
                .put(kStatus,
                     R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}})")
                .code,
            422);
}

TEST_F(StatusOf, HasNoOtherVerbs) {
  expect_status(server.remove(kStatus), 405, "MethodNotAllowed",
                "delete is not supported on resources of kind \"widgets.example.com\"");
  expect_status(server.post(kStatus, widget_json("w")), 405, "MethodNotAllowed",
                "create is not supported on resources of kind \"widgets.example.com\"");
}

TEST_F(StatusOf, OfWhatIsNotThereIsRefused) {
  expect_status(server.get(fmt::format("{}/none/status", kWidgets)), 404, "NotFound",
                "widgets.example.com \"none\" not found");
  expect_status(server.merge(fmt::format("{}/none/status", kWidgets), "{}"), 404, "NotFound",
                "widgets.example.com \"none\" not found");
}

TEST_F(StatusOf, IsPartOfTheObjectWithoutTheSubresource) {
  server.create(kCrds, things({{"v1", R"("a":{"type":"string"})"}}));
  constexpr std::string_view kThing = "/apis/a.example/v1/namespaces/default/things/t";
  server.create("/apis/a.example/v1/namespaces/default/things",
                R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"t"}})");
  expect_status(server.get(fmt::format("{}/status", kThing)), 404, "NotFound",
                "things.a.example \"t\" not found");
}

TEST_F(StatusOf, OfANamespaceKeepsItsPhase) {
  server.create_namespace("n");
  const Answered got = server.merge(
      "/api/v1/namespaces/n/status",
      R"({"status":{"conditions":[{"type":"A","status":"True"}]},"spec":{"finalizers":[]}})");
  expect_ok(got);
  EXPECT_EQ(got.at("status.phase"), R"("Active")");
  EXPECT_EQ(got.at("status.conditions.0.type"), R"("A")");
  EXPECT_EQ(got.at("spec.finalizers"), R"(["kubernetes"])");
}

TEST_F(StatusOf, OfADefinitionMayChangeItsFinalizers) {
  const std::string status = fmt::format("{}/widgets.example.com/status", kCrds);
  const Answered got = server.merge(status, R"({"metadata":{"finalizers":["example.com/hold"]}})");
  expect_ok(got);
  EXPECT_EQ(got.at("metadata.finalizers"), R"(["example.com/hold"])");
  EXPECT_EQ(got.at("spec.names.plural"), R"("widgets")");
}

TEST_F(StatusOf, IsAPermissionOfItsOwn) {
  TestServer guarded({.may = [](const User& user, const RequestInfo& request) {
    return user.name != "jane" || request.subresource == "status";
  }});
  guarded.create(kCrds, widgets_crd());
  guarded.create(kWidgets, widget_json("w"));
  const auto as_jane = [&](std::string_view target) {
    return guarded.ask({.method = "PATCH",
                        .target = target,
                        .body = R"({"status":{"phase":"Up"}})",
                        .type = "application/merge-patch+json",
                        .user = "jane"});
  };
  EXPECT_EQ(as_jane(kStatus).code, 200);
  EXPECT_EQ(as_jane(kWidget).code, 403);
}

}  // namespace
}  // namespace strake::api::testing
