// Deleting many objects with one request.
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";

class DeleteCollection : public ::testing::Test {
 protected:
  void fill() {
    for (const std::string_view name : {"a", "b", "c"})
      server.create(kMaps, config_map_json(name, "{}", R"("labels":{"k":"1"})"));
    server.create(kMaps, config_map_json("d", "{}", R"("labels":{"k":"2"})"));
  }
  TestServer server;
};

TEST_F(DeleteCollection, TakesAllAndShowsThem) {
  fill();
  const Answered gone = server.remove(kMaps);
  expect_ok(gone);
  EXPECT_EQ(gone.at("kind"), R"("ConfigMapList")");
  EXPECT_EQ(gone.names(), "a b c d");
  EXPECT_EQ(server.get(kMaps).names(), "");
}

TEST_F(DeleteCollection, OfNothingIsAnEmptyList) {
  const Answered none = server.remove(kMaps);
  expect_ok(none);
  EXPECT_EQ(none.at("items"), "[]");
  EXPECT_NE(none.version(), "");
}

TEST_F(DeleteCollection, TakesWhatIsSelected) {
  struct Case {
    std::string_view query;
    std::string_view gone;
    std::string_view left;
  };
  const Case cases[] = {
      {"?labelSelector=k%3D1", "a b c", "d"},
      {"?labelSelector=k%20in%20(2,3)", "d", "a b c"},
      {"?fieldSelector=metadata.name%3Db", "b", "a c d"},
      {"?fieldSelector=metadata.name!%3Db&labelSelector=k%3D1", "a c", "b d"},
      {"?labelSelector=none", "", "a b c d"},
  };
  for (const Case& one : cases) {
    server.remove(kMaps);
    fill();
    EXPECT_EQ(server.remove(fmt::format("{}{}", kMaps, one.query)).names(), one.gone) << one.query;
    EXPECT_EQ(server.get(kMaps).names(), one.left) << one.query;
  }
}

TEST_F(DeleteCollection, StaysInItsNamespace) {
  fill();
  server.create_namespace("n");
  server.create("/api/v1/namespaces/n/configmaps", config_map_json("far"));
  server.remove(kMaps);
  EXPECT_EQ(server.get("/api/v1/configmaps").names(), "far");
  // Across namespaces it is not served.
  EXPECT_EQ(server.remove("/api/v1/configmaps").code, 404);
}

TEST_F(DeleteCollection, OnTrialLeavesEverything) {
  fill();
  const Answered tried = server.remove(fmt::format("{}?dryRun=All", kMaps));
  expect_ok(tried);
  EXPECT_EQ(tried.names(), "a b c d");
  EXPECT_EQ(server.get(kMaps).names(), "a b c d");
}

TEST_F(DeleteCollection, MarksWhatIsHeld) {
  server.create(kCrds, widgets_crd());
  server.create(kWidgets, widget_json("free"));
  server.create(kWidgets, widget_json("held", "{}", R"("finalizers":["example.com/hold"])"));
  server.advance(std::chrono::minutes(1));
  EXPECT_EQ(server.remove(kWidgets).names(), "free held");
  const Answered left = server.get(kWidgets);
  EXPECT_EQ(left.names(), "held");
  EXPECT_EQ(left.at("items.0.metadata.deletionTimestamp"), R"("2024-01-01T00:01:00Z")");
}

TEST_F(DeleteCollection, NotesHowDependentsAreTreated) {
  server.create(kCrds, widgets_crd());
  server.create(kWidgets, widget_json("w", "{}", R"("finalizers":["example.com/hold"])"));
  expect_ok(server.remove(kWidgets, R"({"propagationPolicy":"Orphan"})"));
  // The collector takes its own finalizer away again; nobody takes the other.
  EXPECT_NE(server.get(fmt::format("{}/w", kWidgets)).at("metadata.deletionTimestamp"), "");
}

TEST_F(DeleteCollection, SelectsByFieldsOfADefinition) {
  server.create(kCrds, widgets_crd());
  for (const std::string_view color : {"red", "green", "blue"})
    server.create(kWidgets, widget_json(color, fmt::format(R"({{"color":"{}"}})", color)));
  EXPECT_EQ(server.remove(fmt::format("{}?fieldSelector=spec.color%3Dred", kWidgets)).names(),
            "red");
  EXPECT_EQ(server.get(kWidgets).names(), "blue green");
}

TEST_F(DeleteCollection, RefusesOptionsThatAreNone) {
  fill();
  expect_status(
      server.remove(fmt::format("{}?fieldSelector=data.k%3Dv", kMaps)), 400, "BadRequest",
      R"("data.k" is not a known field selector: only "metadata.name", "metadata.namespace")");
  EXPECT_EQ(server.remove(fmt::format("{}?labelSelector=a%3D%3D%3Db", kMaps)).code, 400);
  EXPECT_EQ(server.remove(fmt::format("{}?propagationPolicy=Bogus", kMaps)).code, 422);
  EXPECT_EQ(server.remove(fmt::format("{}?dryRun=Bogus", kMaps)).code, 422);
  EXPECT_EQ(server.get(kMaps).names(), "a b c d");
}

TEST_F(DeleteCollection, TakesManyAtATime) {
  for (int i = 0; i < 200; ++i) server.create(kMaps, config_map_json(fmt::format("m{:03}", i)));
  const Answered gone = server.remove(kMaps);
  EXPECT_EQ(gone.json().find("items")->size(), 200u);
  EXPECT_EQ(server.get(kMaps).at("items"), "[]");
}

TEST_F(DeleteCollection, TakesNoMoreThanTheLimit) {
  fill();
  const std::string two = fmt::format("{}?limit=2", kMaps);
  const Answered first = server.remove(two);
  expect_ok(first);
  EXPECT_EQ(first.names(), "a b");
  EXPECT_EQ(first.at("metadata.remainingItemCount"), "2");
  EXPECT_EQ(server.get(kMaps).names(), "c d");
  // The list that was begun goes on behind what it has shown.
  const std::string more = first.text("metadata.continue");
  ASSERT_NE(more, "");
  const Answered second = server.remove(fmt::format("{}&continue={}", two, more));
  EXPECT_EQ(second.names(), "c d") << second.body;
  EXPECT_EQ(second.text("metadata.continue"), "");
  EXPECT_EQ(server.get(kMaps).names(), "");
}

TEST_F(DeleteCollection, CountsWhatIsSelectedTowardsTheLimit) {
  fill();
  const Answered gone = server.remove(fmt::format("{}?limit=2&labelSelector=k%20in%20(2)", kMaps));
  EXPECT_EQ(gone.names(), "d");
  EXPECT_EQ(gone.text("metadata.continue"), "");
  EXPECT_EQ(server.get(kMaps).names(), "a b c");
}

TEST_F(DeleteCollection, IsAPermissionOfItsOwn) {
  TestServer guarded({.may = [](const User& user, const RequestInfo& request) {
    return user.name != "jane" || request.verb == "delete";
  }});
  expect_status(
      guarded.ask({.method = "DELETE", .target = kMaps, .user = "jane"}), 403, "Forbidden",
      "configmaps is forbidden: User \"jane\" cannot deletecollection resource \"configmaps\" in "
      "API group \"\" in the namespace \"default\"");
}

}  // namespace
}  // namespace strake::api::testing
