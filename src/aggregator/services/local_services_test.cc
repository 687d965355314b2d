#include "aggregator/services/local_services.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "aggregator/test_backend.h"
#include "value/fields.h"

namespace strake::aggregator::testing {
namespace {

using api::testing::Answered;
using api::testing::TestServer;
using api::testing::things;

constexpr std::string_view kDefinitions =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

std::string path(std::string_view name) { return fmt::format("{}/{}", kApiServices, name); }

// The label, which has dots in its name.
std::string managed(const Answered& answered) {
  return std::string(value::text_of(answered.json().get("metadata").get("labels"),
                                    "kube-aggregator.kubernetes.io/automanaged"));
}

// Waits until the APIService is as `right` says, beginning with how it stands.
void wait_until(TestServer& server, std::string_view name,
                const std::function<bool(const api::testing::Event&)>& right) {
  TestServer::Watch watch(
      server, fmt::format("{}?watch=1&fieldSelector=metadata.name%3D{}", kApiServices, name));
  while (true) {
    const api::testing::Event event = watch.next();
    if (event.type.empty()) {
      ADD_FAILURE() << name << " never came to be so";
      return;
    }
    if (right(event)) return;
  }
}

void wait_until_there(TestServer& server, std::string_view name) {
  wait_until(server, name, [](const auto& event) { return event.type != "DELETED"; });
}

void wait_until_gone(TestServer& server, std::string_view name) {
  const std::string selected =
      fmt::format("{}?fieldSelector=metadata.name%3D{}", kApiServices, name);
  const Answered list = server.get(selected);
  if (list.names().empty()) return;
  TestServer::Watch watch(
      server, fmt::format("{}&watch=1&resourceVersion={}", selected, list.version()));
  while (watch.next().type != "DELETED") {
  }
}

TEST(LocalApiServicesTest, AreThereForBuiltInGroupsWhenTheServerStarts) {
  AggregatedServer server;
  const Answered core = server->get(path("v1."));
  expect_ok(core);
  EXPECT_EQ(core.at("spec"), R"({"groupPriorityMinimum":18000,"version":"v1","versionPriority":1})");
  EXPECT_EQ(managed(core), "onstart");
  EXPECT_EQ(core.text("status.conditions.0.reason"), "Local");
  EXPECT_EQ(server->get(path("v1.rbac.authorization.k8s.io")).at("spec"),
            R"({"group":"rbac.authorization.k8s.io","groupPriorityMinimum":17000,"version":"v1","versionPriority":15})");
  EXPECT_EQ(server->get(path("v1.apiregistration.k8s.io")).code, 404);
}

TEST(LocalApiServicesTest, StayAwayWhenTheyAreDeletedAndTheirPathsStillAnswer) {
  AggregatedServer server;
  expect_ok(server->remove(path("v1.coordination.k8s.io")));
  // What comes later is handled later.
  server->create(kDefinitions, things({{"v1", ""}}));
  wait_until_there(*server, "v1.a.example");
  EXPECT_EQ(server->get(path("v1.coordination.k8s.io")).code, 404);
  EXPECT_EQ(server->get("/apis/coordination.k8s.io/v1/leases").code, 200);
}

TEST(LocalApiServicesTest, FollowTheVersionsThatDefinitionsServe) {
  AggregatedServer server;
  server->create(kDefinitions, things({{"v1", ""}, {"v2", ""}}));
  wait_until_there(*server, "v1.a.example");
  wait_until_there(*server, "v2.a.example");
  const Answered made = server->get(path("v1.a.example"));
  EXPECT_EQ(
      made.at("spec"),
      R"({"group":"a.example","groupPriorityMinimum":1000,"version":"v1","versionPriority":100})");
  EXPECT_EQ(managed(made), "true");
  EXPECT_EQ(made.text("metadata.managedFields.0.manager"), "kube-apiserver");
  expect_ok(server->patch(fmt::format("{}/things.a.example", kDefinitions),
                          "application/json-patch+json",
                          R"([{"op":"replace","path":"/spec/versions/1/served","value":false}])"));
  wait_until_gone(*server, "v2.a.example");
  EXPECT_EQ(server->get(path("v1.a.example")).code, 200);
  expect_ok(server->remove(fmt::format("{}/things.a.example", kDefinitions)));
  wait_until_gone(*server, "v1.a.example");
}

TEST(LocalApiServicesTest, ArePutRightAndMadeAgain) {
  AggregatedServer server;
  server->create(kDefinitions, things({{"v1", ""}}));
  wait_until_there(*server, "v1.a.example");
  expect_ok(server->merge(path("v1.a.example"), R"({"spec":{"versionPriority":50}})"));
  wait_until(*server, "v1.a.example", [](const auto& event) {
    return event.object.at("spec.versionPriority") == "100";
  });
  expect_ok(server->merge(
      path("v1.a.example"),
      R"({"spec":{"insecureSkipTLSVerify":true,"service":{"namespace":"default","name":"x"}}})"));
  wait_until(*server, "v1.a.example",
             [](const auto& event) { return event.object.at("spec.service").empty(); });
  const std::string uid = server->get(path("v1.a.example")).uid();
  expect_ok(server->remove(path("v1.a.example")));
  wait_until(*server, "v1.a.example", [&](const auto& event) {
    return event.type != "DELETED" && event.object.uid() != uid;
  });
}

TEST(LocalApiServicesTest, LeaveAloneWhatAUserHasMade) {
  AggregatedServer server;
  server.create("a.example", R"(,"insecureSkipTLSVerify":true)");
  server->create(kDefinitions, things({{"v1", ""}, {"v2", ""}}));
  wait_until_there(*server, "v2.a.example");
  const Answered made = server->get(path("v1.a.example"));
  EXPECT_EQ(made.at("spec.service.name"), "\"there\"");
  EXPECT_EQ(managed(made), "");
  expect_ok(server->remove(fmt::format("{}/things.a.example", kDefinitions)));
  wait_until_gone(*server, "v2.a.example");
  EXPECT_EQ(server->get(path("v1.a.example")).code, 200);
}

TEST(LocalApiServicesTest, OfAnEarlierStartArePutRightAtTheNext) {
  store::MemoryStore store;
  {
    AggregatedServer server({}, {.store = &store});
    server->create(kDefinitions, things({{"v1", ""}}));
    wait_until_there(*server, "v1.a.example");
    expect_ok(server->remove(path("v1.coordination.k8s.io")));
    // Not this server's, though it looks like it.
    server->create(
        kApiServices,
        R"({"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{"name":"v1.gone.example","labels":{"kube-aggregator.kubernetes.io/automanaged":"onstart"}},)"
        R"("spec":{"group":"gone.example","version":"v1","groupPriorityMinimum":10,"versionPriority":10}})");
    expect_ok(server->merge(path("v1.events.k8s.io"), R"({"spec":{"versionPriority":3}})"));
  }
  AggregatedServer server({}, {.store = &store});
  EXPECT_EQ(server->get(path("v1.coordination.k8s.io")).code, 200);
  EXPECT_EQ(server->get(path("v1.gone.example")).code, 404);
  EXPECT_EQ(server->get(path("v1.events.k8s.io")).at("spec.versionPriority"), "15");
  EXPECT_EQ(server->get(path("v1.a.example")).code, 200);
}

}  // namespace
}  // namespace strake::aggregator::testing
