// The scale of custom resources: one number of the object under a name of its own.
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
constexpr std::string_view kWidget = "/apis/example.com/v1/namespaces/default/widgets/w";
constexpr std::string_view kScale = "/apis/example.com/v1/namespaces/default/widgets/w/scale";

class ScaleOf : public ::testing::Test {
 protected:
  ScaleOf() {
    server.create(kCrds, widgets_crd());
    server.create(kWidgets, widget_json("w", R"({"color":"red","replicas":2})"));
    widget = server.merge(fmt::format("{}/status", kWidget),
                          R"({"status":{"replicas":1,"selector":"app=w"}})");
  }
  static std::string scale(std::string_view spec, std::string_view metadata = "") {
    return fmt::format(
        R"({{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{{"name":"w","namespace":"default"{}}},"spec":{}}})",
        metadata, spec);
  }
  TestServer server;
  Answered widget;
};

TEST_F(ScaleOf, ShowsWhatThePathsOfTheDefinitionName) {
  const Answered got = server.get(kScale);
  expect_ok(got);
  EXPECT_EQ(got.at(""),
            fmt::format(
                R"({{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":)"
                R"({{"creationTimestamp":"2024-01-01T00:00:00Z","name":"w","namespace":"default",)"
                R"("resourceVersion":"{}","uid":"{}"}},"spec":{{"replicas":2}},)"
                R"("status":{{"replicas":1,"selector":"app=w"}}}})",
                widget.version(), widget.uid()));
}

TEST_F(ScaleOf, CountsNoReplicasAsNone) {
  server.create(kWidgets, widget_json("x", R"({"replicas":0})"));
  const Answered got = server.get(fmt::format("{}/x/scale", kWidgets));
  EXPECT_EQ(got.at("spec"), "{}");  // where the number may be left out, zero is
  EXPECT_EQ(got.at("status"), R"({"replicas":0})");
}

TEST_F(ScaleOf, NeedsTheNumberItIsAbout) {
  server.create(kWidgets, widget_json("x"));
  const Answered got = server.get(fmt::format("{}/x/scale", kWidgets));
  EXPECT_EQ(got.code, 500);
  EXPECT_EQ(got.text("message"),
            "Internal error occurred: the spec replicas field \".spec.replicas\" does not exist");
}

TEST_F(ScaleOf, SetsTheNumberWhereThereWasNone) {
  server.create(kWidgets, widget_json("x"));
  const std::string path = fmt::format("{}/x/scale", kWidgets);
  expect_status(server.merge(path, R"({"metadata":{"labels":{"a":"b"}}})"), 400, "BadRequest",
                "the spec replicas field \".spec.replicas\" cannot be empty");
  const Answered patched = server.merge(path, R"({"spec":{"replicas":2}})");
  expect_ok(patched);
  EXPECT_EQ(patched.at("spec"), R"({"replicas":2})");
}

// A Go struct cannot tell them apart.
TEST_F(ScaleOf, TakesAMissingNumberForZero) {
  const auto stored = [this] {
    return server.get(fmt::format("{}/w", kWidgets)).at("spec.replicas");
  };
  const Answered put = server.put(kScale, scale("{}"));
  expect_ok(put);
  EXPECT_EQ(put.at("spec"), "{}");
  EXPECT_EQ(stored(), "0");
  expect_ok(server.merge(kScale, R"({"spec":{"replicas":3}})"));
  expect_ok(server.merge(kScale, R"({"spec":{"replicas":null}})"));
  EXPECT_EQ(stored(), "0");
  // The number with which a write begins where there is none is no number.
  expect_status(server.put(kScale, scale(R"({"replicas":-2147483648})")), 400, "BadRequest",
                "the spec replicas field \".spec.replicas\" cannot be empty");
}

TEST_F(ScaleOf, ChangesTheReplicasAlone) {
  server.advance(std::chrono::minutes(1));
  const Answered put = server.put(kScale, scale(R"({"replicas":5})"));
  expect_ok(put);
  EXPECT_EQ(put.at("kind"), R"("Scale")");
  EXPECT_EQ(put.at("spec.replicas"), "5");
  const Answered after = server.get(kWidget);
  EXPECT_EQ(after.at("spec"), R"({"color":"red","replicas":5,"size":1})");
  EXPECT_EQ(after.at("status"), widget.at("status"));
  EXPECT_EQ(after.at("metadata.generation"), "2");
  EXPECT_EQ(after.version(), put.version());
}

TEST_F(ScaleOf, IsPatched) {
  EXPECT_EQ(server.merge(kScale, R"({"spec":{"replicas":7}})").at("spec.replicas"), "7");
  EXPECT_EQ(server.ask("PATCH", kScale, R"([{"op":"replace","path":"/spec/replicas","value":8}])")
                .at("spec.replicas"),
            "8");
  EXPECT_EQ(server.get(kWidget).at("spec.replicas"), "8");
  // What is not the number is not taken.
  expect_ok(server.merge(kScale, R"({"status":{"replicas":9},"metadata":{"labels":{"a":"b"}}})"));
  EXPECT_EQ(server.get(kScale).at("status.replicas"), "1");
  EXPECT_EQ(server.get(kWidget).at("metadata.labels"), "");
}

TEST_F(ScaleOf, OwnsTheReplicasByName) {
  expect_ok(server.ask({.method = "PATCH",
                        .target = fmt::format("{}?fieldManager=scaler", kScale),
                        .body = R"({"spec":{"replicas":3}})",
                        .type = "application/merge-patch+json"}));
  const Answered after = server.get(kWidget);
  bool found = false;
  for (const value::Value& entry : after.json().get("metadata").get("managedFields").items()) {
    if (entry.get("manager").as_string() != "scaler") continue;
    found = true;
    EXPECT_EQ(entry.get("subresource").as_string(), "scale");
    EXPECT_NE(entry.get("fieldsV1").get("f:spec").find("f:replicas"), nullptr);
  }
  EXPECT_TRUE(found) << after.body;
}

TEST_F(ScaleOf, IsApplied) {
  const std::string path = fmt::format("{}?fieldManager=hpa", kScale);
  const Answered conflict =
      server.patch(path, "application/apply-patch+yaml", scale(R"({"replicas":3})"));
  EXPECT_EQ(conflict.code, 409) << conflict.body;
  EXPECT_EQ(conflict.text("details.causes.0.field"), ".spec.replicas");
  const Answered forced = server.patch(path + "&force=true", "application/apply-patch+yaml",
                                       scale(R"({"replicas":3})"));
  expect_ok(forced);
  EXPECT_EQ(forced.at("spec.replicas"), "3");
}

TEST_F(ScaleOf, HoldsAVersionAgainstTheObject) {
  expect_ok(server.put(kScale, scale(R"({"replicas":3})",
                                     fmt::format(R"(,"resourceVersion":"{}")", widget.version()))));
  const Answered conflict = server.put(
      kScale,
      scale(R"({"replicas":4})", fmt::format(R"(,"resourceVersion":"{}")", widget.version())));
  EXPECT_EQ(conflict.code, 409) << conflict.body;
  EXPECT_EQ(server.get(kScale).at("spec.replicas"), "3");
}

TEST_F(ScaleOf, RefusesWhatIsNoScale) {
  EXPECT_EQ(server.put(kScale, scale(R"({"replicas":"2"})")).code, 400);
  expect_status(
      server.put(kScale, widget_json("w")), 400, "BadRequest",
      "the API version in the data (example.com/v1) does not match the expected API version "
      "(autoscaling/v1)");
  EXPECT_EQ(server.put(kScale, "{").code, 400);
  EXPECT_EQ(server.merge(kScale, R"({"spec":{"replicas":-1}})").code, 422);
  EXPECT_EQ(server.get(kScale).at("spec.replicas"), "2");
  EXPECT_EQ(server.patch(kScale, "application/strategic-merge-patch+json", "{}").code, 415);
}

TEST_F(ScaleOf, OnTrialChangesNothing) {
  const Answered tried =
      server.put(fmt::format("{}?dryRun=All", kScale), scale(R"({"replicas":9})"));
  expect_ok(tried);
  EXPECT_EQ(tried.at("spec.replicas"), "9");
  EXPECT_EQ(server.get(kScale).at("spec.replicas"), "2");
}

TEST_F(ScaleOf, HasATableOfItsOwn) {
  server.advance(std::chrono::hours(5));
  const Answered got =
      server.ask({.target = kScale, .accept = "application/json;as=Table;v=v1;g=meta.k8s.io"});
  EXPECT_EQ(got.at("kind"), R"("Table")");
  EXPECT_EQ(got.at("columnDefinitions.1.name"), R"("Desired")");
  EXPECT_EQ(got.at("columnDefinitions.2.name"), R"("Available")");
  EXPECT_EQ(got.at("rows.0.cells"), R"(["w",2,1,"5h"])");
}

TEST_F(ScaleOf, OfWhatIsNotThereIsRefused) {
  expect_status(server.get(fmt::format("{}/none/scale", kWidgets)), 404, "NotFound",
                "widgets.example.com \"none\" not found");
  EXPECT_EQ(server.remove(kScale).code, 405);
}

}  // namespace
}  // namespace strake::api::testing
