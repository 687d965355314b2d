#include "api/controllers/flow_controller.h"

#include <gtest/gtest.h>

#include "api/test_server.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using testing::Answered;
using testing::TestServer;

constexpr std::string_view kSchemas = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
constexpr std::string_view kLevels =
    "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";

std::string path(std::string_view list, std::string_view name) {
  return std::string(list) + "/" + std::string(name);
}

std::string schema(std::string_view name, std::string_view level, std::string_view metadata = "") {
  return R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"FlowSchema","metadata":{"name":")" +
         std::string(name) + "\"" + std::string(metadata) +
         R"(},"spec":{"priorityLevelConfiguration":{"name":")" + std::string(level) + R"("}}})";
}

class FlowControllerTest : public ::testing::Test {
 protected:
  // The next state of the object that fits, told by a watch.
  Answered wait_for(std::string_view list, std::string_view name,
                    const std::function<bool(const testing::Event&)>& fits) {
    TestServer::Watch watch(
        server_, std::string(list) + "?watch=1&fieldSelector=metadata.name%3D" + std::string(name));
    while (true) {
      testing::Event event = watch.next();
      if (event.type.empty()) ADD_FAILURE() << "the watch ended";
      if (event.type.empty() || fits(event)) return event.object;
    }
  }
  std::string dangling(std::string_view name, std::string_view status) {
    return wait_for(kSchemas, name,
                    [&](const testing::Event& event) {
                      return event.object.text("status.conditions.0.status") == status;
                    })
        .at("status");
  }
  TestServer server_{{.fair_use = true}};
};

TEST_F(FlowControllerTest, MakesWhatEveryServerHas) {
  EXPECT_EQ(server_.get(kSchemas).names(),
            "catch-all exempt global-default kube-controller-manager kube-scheduler "
            "kube-system-service-accounts probes service-accounts system-leader-election "
            "system-node-high system-nodes");
  EXPECT_EQ(server_.get(kLevels).names(),
            "catch-all exempt global-default leader-election node-high system workload-high "
            "workload-low");
  EXPECT_TRUE(server_.get(path(kSchemas, "probes"))
                  .at("metadata.managedFields")
                  .contains(R"("manager":"api-priority-and-fairness-config-producer-v1")"));
}

TEST_F(FlowControllerTest, TellsWhetherTheLevelIsThere) {
  EXPECT_EQ(
      dangling("exempt", "False"),
      R"({"conditions":[{"lastTransitionTime":"2024-01-01T00:00:00Z","message":"This FlowSchema references the PriorityLevelConfiguration object named \"exempt\" and it exists",)"
      R"("reason":"Found","status":"False","type":"Dangling"}]})");
  server_.create(kSchemas, schema("a", "none"));
  EXPECT_EQ(
      dangling("a", "True"),
      R"({"conditions":[{"lastTransitionTime":"2024-01-01T00:00:00Z","message":"This FlowSchema references the PriorityLevelConfiguration object named \"none\" but there is no such object",)"
      R"("reason":"NotFound","status":"True","type":"Dangling"}]})");
  server_.create(
      kLevels,
      R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"PriorityLevelConfiguration","metadata":{"name":"none"},"spec":{"type":"Limited","limited":{"limitResponse":{"type":"Reject"}}}})");
  EXPECT_TRUE(dangling("a", "False").contains("and it exists"));
  testing::expect_ok(server_.ask("DELETE", path(kLevels, "none")), 200);
  EXPECT_TRUE(dangling("a", "True").contains("NotFound"));
}

TEST_F(FlowControllerTest, MakesMandatoryAndSuggestedOnesAnew) {
  for (const std::string_view name : {"exempt", "probes"}) {
    const std::string uid = server_.get(path(kSchemas, name)).text("metadata.uid");
    testing::expect_ok(server_.ask("DELETE", path(kSchemas, name)), 200);
    wait_for(kSchemas, name, [&](const testing::Event& event) {
      return event.type == "ADDED" && event.object.text("metadata.uid") != uid;
    });
  }
}

TEST_F(FlowControllerTest, GivesContentBackUnlessToldNotTo) {
  const auto is_restored = [](const testing::Event& event) {
    return event.object.at("spec.matchingPrecedence") == "2";
  };
  testing::expect_ok(
      server_.ask("PATCH", path(kSchemas, "probes"), R"({"spec":{"matchingPrecedence":3}})"), 200);
  wait_for(kSchemas, "probes", is_restored);
  // The administrator's own from here on.
  testing::expect_ok(
      server_.ask(
          "PATCH", path(kSchemas, "probes"),
          R"({"metadata":{"annotations":{"apf.kubernetes.io/autoupdate-spec":"false"}},"spec":{"matchingPrecedence":3}})"),
      200);
  // What comes after it has been handled when this has its condition.
  server_.create(kSchemas, schema("later", "none"));
  dangling("later", "True");
  EXPECT_EQ(server_.get(path(kSchemas, "probes")).at("spec.matchingPrecedence"), "3");
}

TEST_F(FlowControllerTest, RemovesWhatClaimsToBeOneOfThem) {
  server_.create(
      kSchemas,
      schema("old", "none", R"(,"annotations":{"apf.kubernetes.io/autoupdate-spec":"true"})"));
  EXPECT_EQ(server_.wait_for(404, path(kSchemas, "old")).code, 404);
  server_.create(
      kSchemas,
      schema("own", "none", R"(,"annotations":{"apf.kubernetes.io/autoupdate-spec":"false"})"));
  dangling("own", "True");
  testing::expect_ok(server_.get(path(kSchemas, "own")), 200);
}

const kinds::DefaultFlowObject& wanted(std::string_view plural, std::string_view name) {
  for (const kinds::DefaultFlowObject& one : kinds::default_flow_objects()) {
    if (one.plural == plural && one.name == name) return one;
  }
  std::abort();
}

TEST(RestoreFlowObject, FollowsTheAnnotationOrElseTheGeneration) {
  const kinds::DefaultFlowObject& probes = wanted("flowschemas", "probes");
  const auto restored = [&](std::string_view annotations, int generation) -> std::string {
    value::Document document;
    document.root() = value::deep_copy(probes.document.root(), document.arena());
    value::Value& root = document.root();
    value::Value& metadata = root.object_at("metadata", document.arena());
    metadata.set("generation", value::Value::integer(generation), document.arena());
    value::Value& all = metadata.set("annotations", value::Value::object({}), document.arena());
    if (!annotations.empty())
      all.set(kinds::kAutoUpdateSpec, value::Value::string(annotations), document.arena());
    root.object_at("spec", document.arena())
        .set("matchingPrecedence", value::Value::integer(9), document.arena());
    const bool changed = restore_flow_object(document, probes);
    EXPECT_FALSE(restore_flow_object(document, probes)) << "once is enough";
    return std::string(changed ? "changed " : "") +
           value::to_json(root.get("spec").get("matchingPrecedence")) + " " +
           value::to_json(root.get("metadata").get("annotations").get(kinds::kAutoUpdateSpec));
  };
  EXPECT_EQ(restored("true", 5), R"(changed 2 "true")");
  EXPECT_EQ(restored("false", 1), R"(9 "false")");
  EXPECT_EQ(restored("", 1), R"(changed 2 "true")");
  EXPECT_EQ(restored("", 2), R"(changed 9 "false")");
  EXPECT_EQ(restored("maybe", 2), R"(changed 9 "false")");
}

TEST(RestoreFlowObject, LeavesWhatExemptLends) {
  const kinds::DefaultFlowObject& exempt = wanted("prioritylevelconfigurations", "exempt");
  value::Document document;
  document.root() = value::deep_copy(exempt.document.root(), document.arena());
  value::Value& spec = document.root().object_at("spec", document.arena());
  spec.object_at("exempt", document.arena())
      .set("lendablePercent", value::Value::integer(9), document.arena());
  EXPECT_FALSE(restore_flow_object(document, exempt));
  spec.set("type", value::Value::string("Limited"), document.arena());
  EXPECT_TRUE(restore_flow_object(document, exempt));
  EXPECT_EQ(value::to_json(document.root().get("spec")),
            R"({"exempt":{"lendablePercent":9,"nominalConcurrencyShares":0},"type":"Exempt"})");
}

}  // namespace
}  // namespace strake::api
