// Replacing objects: which version is replaced, what stays whatever is sent, and what counts as a
// change.
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
constexpr std::string_view kWidget = "/apis/example.com/v1/namespaces/default/widgets/w";
constexpr std::string_view kLeases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

class Update : public ::testing::Test {
 protected:
  Update() {
    server.create(kCrds, widgets_crd());
    widget = server.create(kWidgets, widget_json("w", R"({"color":"red","fixed":"x"})"));
    map = server.create(kMaps, config_map_json("a", R"({"k":"v"})"));
  }
  // The widget with another spec and further metadata, in the version that it had at first.
  std::string changed(std::string_view spec, std::string_view metadata = "") {
    return widget_json("w", spec,
                       fmt::format(R"("resourceVersion":"{}"{}{})", widget.version(),
                                   metadata.empty() ? "" : ",", metadata));
  }
  TestServer server;
  Answered widget;
  Answered map;
};

TEST_F(Update, ReplacesTheObject) {
  server.advance(std::chrono::seconds(5));
  const Answered put = server.put(kWidget, changed(R"({"fixed":"x","size":3})"));
  expect_ok(put);
  EXPECT_EQ(put.at("spec"), R"({"fixed":"x","size":3})");
  EXPECT_NE(put.version(), widget.version());
  EXPECT_EQ(put.at("metadata.managedFields.0.time"), R"("2024-01-01T00:00:05Z")");
  EXPECT_EQ(server.get(kWidget).at(""), put.at(""));
}

TEST_F(Update, NeedsAVersionWhereTheKindDoes) {
  const Answered refused = server.put(kWidget, widget_json("w", R"({"fixed":"x"})"));
  expect_status(refused, 422, "Invalid",
                "widgets.example.com \"w\" is invalid: metadata.resourceVersion: Invalid value: 0: "
                "must be specified for an update");
  EXPECT_EQ(refused.at("details.kind"), R"("widgets")");
  const Answered zero =
      server.put(kWidget, widget_json("w", R"({"fixed":"x"})", R"("resourceVersion":"0")"));
  EXPECT_EQ(zero.code, 422);
  // A ConfigMap is replaced whatever it is.
  const Answered free = server.put(kMap, config_map_json("a", R"({"k":"w"})"));
  expect_ok(free);
  EXPECT_EQ(free.at("data"), R"({"k":"w"})");
}

TEST_F(Update, ConflictsWithAChangeSince) {
  expect_ok(server.merge(kWidget, R"({"spec":{"size":2}})"));
  const Answered conflict = server.put(kWidget, changed(R"({"fixed":"x","size":3})"));
  expect_status(conflict, 409, "Conflict",
                "Operation cannot be fulfilled on widgets.example.com \"w\": the object has been "
                "modified; please apply your changes to the latest version and try again");
  EXPECT_EQ(conflict.at("details"), R"({"group":"example.com","kind":"widgets","name":"w"})");
  EXPECT_EQ(server.get(kWidget).at("spec.size"), "2");
  expect_status(
      server.put(kMap, config_map_json("a", "{}", R"("resourceVersion":"1")")), 409, "Conflict",
      "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please "
      "apply your changes to the latest version and try again");
}

TEST_F(Update, RefusesAVersionThatIsNoNumber) {
  const Answered refused =
      server.put(kMap, config_map_json("a", "{}", R"("resourceVersion":"old")"));
  EXPECT_GE(refused.code, 400);
  EXPECT_TRUE(refused.text("message").contains(R"(parsing "old": invalid syntax)")) << refused.body;
}

TEST_F(Update, HoldsAUidThatIsSentAgainstTheOneThatIsThere) {
  const Answered refused = server.put(kWidget, changed(R"({"fixed":"x"})", R"("uid":"other")"));
  expect_status(
      refused, 409, "Conflict",
      fmt::format(
          "Operation cannot be fulfilled on widgets.example.com \"w\": StorageError: invalid "
          "object, Code: 4, Key: /registry/example.com/widgets/default/w, ResourceVersion: "
          "0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in "
          "object meta: {}",
          widget.uid()));
  expect_ok(
      server.put(kWidget, changed(R"({"fixed":"x"})", fmt::format(R"("uid":"{}")", widget.uid()))));
}

TEST_F(Update, ThatChangesNothingKeepsTheVersion) {
  server.advance(std::chrono::hours(1));
  const Answered same = server.put(kWidget, widget.body);
  expect_ok(same);
  EXPECT_EQ(same.version(), widget.version());
  EXPECT_EQ(same.at("metadata.managedFields"), widget.at("metadata.managedFields"));
  EXPECT_EQ(server.put(kMap, map.body).version(), map.version());
  // Defaults that were filled in may be left out.
  EXPECT_EQ(server.put(kWidget, changed(R"({"color":"red","fixed":"x"})")).version(),
            widget.version());
}

TEST_F(Update, CountsGenerationsForChangesOutsideOfMetadata) {
  const auto generation_after = [&](std::string_view patch) {
    const Answered changed = server.merge(kWidget, patch);
    EXPECT_EQ(changed.code, 200) << changed.body;
    return changed.at("metadata.generation");
  };
  EXPECT_EQ(generation_after(R"({"metadata":{"labels":{"a":"b"}}})"), "1");
  EXPECT_EQ(generation_after(R"({"spec":{"size":2}})"), "2");
  EXPECT_EQ(generation_after(R"({"status":{"phase":"Ready"}})"), "2");
  EXPECT_EQ(generation_after(R"({"metadata":{"generation":9}})"), "2");
  EXPECT_EQ(generation_after(R"({"spec":{"size":3},"metadata":{"annotations":{"a":"b"}}})"), "3");
}

TEST_F(Update, CarriesOverWhatIsTheServersOwn) {
  server.advance(std::chrono::hours(1));
  const Answered put =
      server.put(kWidget, changed(R"({"fixed":"x"})",
                                  R"("creationTimestamp":"2001-01-01T00:00:00Z","generation":50,)"
                                  R"("deletionTimestamp":"2001-01-01T00:00:00Z","selfLink":"/x")"));
  expect_ok(put);
  EXPECT_EQ(put.at("metadata.creationTimestamp"), widget.at("metadata.creationTimestamp"));
  EXPECT_EQ(put.uid(), widget.uid());
  EXPECT_EQ(put.at("metadata.namespace"), R"("default")");
  EXPECT_EQ(put.at("metadata.deletionTimestamp"), "");
  EXPECT_EQ(put.at("metadata.selfLink"), "");
  EXPECT_EQ(put.at("metadata.generation"), "2");
}

TEST_F(Update, LeavesTheStatusAlone) {
  expect_ok(server.merge(fmt::format("{}/status", kWidget), R"({"status":{"phase":"Ready"}})"));
  const std::string now = server.get(kWidget).version();
  const Answered put = server.put(
      kWidget,
      fmt::format(
          R"({{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"w","resourceVersion":"{}"}},)"
          R"("spec":{{"fixed":"x","size":4}},"status":{{"phase":"Lost"}}}})",
          now));
  expect_ok(put);
  EXPECT_EQ(put.at("status"), R"({"phase":"Ready"})");
}

TEST_F(Update, RefusesToChangeWhatMustStay) {
  expect_status(server.put(kWidget, changed(R"({"fixed":"y"})")), 422, "Invalid",
                "Widget.example.com \"w\" is invalid: spec.fixed: Invalid value: \"y\": must stay "
                "as it is");
  constexpr std::string_view kSecrets = "/api/v1/namespaces/default/secrets";
  server.create(kSecrets, R"({"metadata":{"name":"s"},"type":"Opaque"})");
  const Answered secret =
      server.put(fmt::format("{}/s", kSecrets), R"({"metadata":{"name":"s"},"type":"other"})");
  expect_status(secret, 422, "Invalid",
                "Secret \"s\" is invalid: type: Invalid value: \"other\": field is immutable");
  server.create(kMaps, R"({"metadata":{"name":"im"},"immutable":true,"data":{"k":"v"}})");
  const Answered fixed =
      server.put(fmt::format("{}/im", kMaps),
                 R"({"metadata":{"name":"im"},"immutable":true,"data":{"k":"w"}})");
  expect_status(fixed, 422, "Invalid",
                "ConfigMap \"im\" is invalid: data: Forbidden: field is immutable when `immutable` "
                "is set");
  const Answered thawed =
      server.put(fmt::format("{}/im", kMaps), R"({"metadata":{"name":"im"},"data":{"k":"v"}})");
  EXPECT_EQ(thawed.code, 422);
}

TEST_F(Update, RefusesWhatIsNotThere) {
  expect_status(server.put(fmt::format("{}/none", kWidgets),
                           widget_json("none", "{}", R"("resourceVersion":"1")")),
                404, "NotFound", "widgets.example.com \"none\" not found");
  expect_status(server.put(fmt::format("{}/none", kMaps), config_map_json("none")), 404, "NotFound",
                "configmaps \"none\" not found");
}

TEST_F(Update, CreatesWhereTheKindAllows) {
  const std::string lease = fmt::format("{}/l", kLeases);
  const Answered made = server.put(
      lease, R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l"}})");
  expect_ok(made, 201);
  EXPECT_NE(made.uid(), "");
  const Answered changed = server.put(
      lease,
      fmt::format(
          R"({{"apiVersion":"coordination.k8s.io/v1","kind":"Lease",)"
          R"("metadata":{{"name":"l","resourceVersion":"{}"}},"spec":{{"holderIdentity":"me"}}}})",
          made.version()));
  expect_ok(changed, 200);
  EXPECT_EQ(changed.uid(), made.uid());
  const Answered tried = server.put(
      fmt::format("{}/m?dryRun=All", kLeases),
      R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"m"}})");
  expect_ok(tried, 201);
  EXPECT_EQ(server.get(fmt::format("{}/m", kLeases)).code, 404);
}

TEST_F(Update, AgreesWithThePathAboutTheName) {
  expect_status(server.put(kMap, config_map_json("b")), 400, "BadRequest",
                "the name of the object (b) does not match the name on the URL (a)");
  expect_status(
      server.put(kMap, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{}})"), 400,
      "BadRequest",
      "the name of the object (a based on URL) was undeterminable: name must be provided");
  expect_status(server.put(kMap, config_map_json("a", "{}", R"("namespace":"other")")), 400,
                "BadRequest",
                "the namespace of the provided object does not match the namespace sent on the "
                "request");
  EXPECT_EQ(server.put(kMaps, config_map_json("a")).code, 405);
}

TEST_F(Update, ReadsTheBodyBeforeItLooksForTheObject) {
  const Answered refused = server.put(fmt::format("{}/none", kMaps), "{");
  EXPECT_EQ(refused.code, 400) << refused.body;
}

TEST_F(Update, OnTrialShowsWhatWouldBe) {
  const Answered tried =
      server.put(fmt::format("{}?dryRun=All", kWidget), changed(R"({"fixed":"x","size":9})"));
  expect_ok(tried);
  EXPECT_EQ(tried.at("spec.size"), "9");
  EXPECT_EQ(tried.at("metadata.generation"), "2");
  EXPECT_EQ(tried.version(), widget.version());
  EXPECT_EQ(server.get(kWidget).at("spec.size"), "1");
  EXPECT_EQ(server.put(fmt::format("{}?dryRun=All", kWidget), changed(R"({"fixed":"z"})")).code,
            422);
}

TEST_F(Update, TakesAwayTheLastFinalizerAndTheObjectWithIt) {
  const Answered held =
      server.create(kWidgets, widget_json("h", "{}", R"("finalizers":["example.com/hold"])"));
  const std::string path = fmt::format("{}/h", kWidgets);
  const Answered marked = server.remove(path);
  const Answered freed = server.put(
      path, widget_json("h", "{}", fmt::format(R"("resourceVersion":"{}")", marked.version())));
  expect_ok(freed);
  EXPECT_EQ(freed.uid(), held.uid());
  EXPECT_EQ(freed.at("metadata.finalizers"), "");
  EXPECT_EQ(server.get(path).code, 404);
}

TEST_F(Update, AddsNoFinalizersToWhatIsBeingDeleted) {
  server.create(kMaps, config_map_json("h", "{}", R"("finalizers":["example.com/hold"])"));
  const std::string path = fmt::format("{}/h", kMaps);
  expect_ok(server.remove(path));
  const Answered refused = server.put(
      path, config_map_json("h", "{}", R"("finalizers":["example.com/hold","example.com/new"])"));
  EXPECT_EQ(refused.code, 422);
  EXPECT_TRUE(refused.text("message").contains(
      "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being "
      "deleted, found new finalizers []string{\"example.com/new\"}"))
      << refused.body;
  // Other changes are taken.
  const Answered changed = server.put(
      path, config_map_json("h", R"({"k":"v"})", R"("finalizers":["example.com/hold"])"));
  expect_ok(changed);
  EXPECT_NE(changed.at("metadata.deletionTimestamp"), "");
}

TEST_F(Update, KeepsOwnersOfFieldsApart) {
  server.advance(std::chrono::seconds(1));
  const Answered put = server.put(fmt::format("{}?fieldManager=second", kWidget),
                                  changed(R"({"color":"red","fixed":"x","size":5})"));
  expect_ok(put);
  EXPECT_EQ(put.at("metadata.managedFields.0.manager"), R"("test")");
  EXPECT_EQ(put.at("metadata.managedFields.1.manager"), R"("second")");
  EXPECT_EQ(put.at("metadata.managedFields.1.fieldsV1"), R"({"f:spec":{"f:size":{}}})");
  EXPECT_EQ(put.at("metadata.managedFields.0.time"), R"("2024-01-01T00:00:00Z")");
  EXPECT_EQ(put.at("metadata.managedFields.1.time"), R"("2024-01-01T00:00:01Z")");
}

TEST_F(Update, ForgetsOwnersWhenItIsToldTo) {
  const Answered put =
      server.put(kWidget, changed(R"({"color":"red","fixed":"x"})", R"("managedFields":[{}])"));
  expect_ok(put);
  EXPECT_EQ(put.at("metadata.managedFields"), "");
}

}  // namespace
}  // namespace strake::api::testing
