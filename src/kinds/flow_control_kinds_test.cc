// FlowSchemas and PriorityLevelConfigurations.
#include <gtest/gtest.h>

#include "kinds/flow_control.h"
#include "kinds/test_requests.h"
#include "meta/object_meta.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::create;
using testing::row;
using testing::update;
using testing::update_status;

const Resource& schemas() { return builtin("flowcontrol.apiserver.k8s.io", "flowschemas"); }
const Resource& levels() {
  return builtin("flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations");
}

std::string level(std::string_view name, std::string_view spec) {
  return R"({"metadata":{"name":")" + std::string(name) + R"("},"spec":)" + std::string(spec) + "}";
}

TEST(FlowControlKinds, AreAcceptedAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  testing::expect_recorded_verdicts(folder, "flowcontrol.apiserver.k8s.io.flowschema", schemas(),
                                    20);
  testing::expect_recorded_verdicts(
      folder, "flowcontrol.apiserver.k8s.io.prioritylevelconfiguration", levels(), 20);
}

TEST(FlowControlKinds, DefaultObjectsAreThoseOfTheRecordedServer) {
  EXPECT_EQ(default_flow_objects().size(), 19u);
  const auto folder = strake::testing::vectors("builtin");
  if (!folder) return;  // the recorded ones are compared where they are
  const std::string text = strake::testing::read_file(*folder / "bootstrap.json");
  const auto recorded = value::read_json(text);
  ASSERT_TRUE(recorded);
  std::size_t found = 0;
  for (const std::string_view plural : {"flowschemas", "prioritylevelconfigurations"}) {
    for (const value::Value& want : recorded->root().get(plural).items()) {
      const std::string_view name = value::text_of(want.get("metadata"), "name");
      for (const DefaultFlowObject& one : default_flow_objects()) {
        if (one.plural != plural || one.name != name) continue;
        ++found;
        for (const std::string_view key : {"metadata", "spec"}) {
          EXPECT_EQ(value::to_json(one.document.root().get(key)), value::to_json(want.get(key)))
              << name;
        }
      }
    }
  }
  EXPECT_EQ(found, default_flow_objects().size());
}

TEST(FlowControlKinds, DefaultObjectsAreAcceptedAsTheyAre) {
  for (const DefaultFlowObject& one : default_flow_objects()) {
    const Resource& resource = one.plural == "flowschemas" ? schemas() : levels();
    EXPECT_EQ(create(resource, value::to_json(one.document.root())),
              value::to_json(one.document.root()));
  }
}

TEST(FlowControlKinds, MandatoryObjectsAreFixed) {
  EXPECT_EQ(
      create(
          schemas(),
          R"({"metadata":{"name":"catch-all"},"spec":{"priorityLevelConfiguration":{"name":"a"},"rules":[{"subjects":[{"kind":"ServiceAccount","serviceAccount":{"name":"*","namespace":"n"}}],"resourceRules":[{"apiGroups":["a"],"resources":["b"],"verbs":["get"],"clusterScope":true}]}]}})"),
      R"(422: spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"a"},"MatchingPrecedence":1000,"DistinguisherMethod":null,)"
      R"("Rules":[{"Subjects":[{"Kind":"ServiceAccount","User":null,"Group":null,"ServiceAccount":{"Namespace":"n","Name":"*"}}],)"
      R"("ResourceRules":[{"Verbs":["get"],"APIGroups":["a"],"Resources":["b"],"ClusterScope":true,"Namespaces":null}],"NonResourceRules":null}]}: )"
      R"(spec of 'catch-all' must equal the fixed value)");
  EXPECT_TRUE(create(levels(), level("catch-all",
                                     R"({"type":"Limited","limited":{"nominalConcurrencyShares":6,)"
                                     R"("limitResponse":{"type":"Reject"}}})"))
                  .ends_with("spec of 'catch-all' must equal the fixed value"));
  EXPECT_TRUE(create(levels(), level("catch-all", R"({"type":"Limited","limited":{)"
                                                  R"("nominalConcurrencyShares":5,)"
                                                  R"("limitResponse":{"type":"Reject"}}})"))
                  .starts_with("{"));
}

TEST(FlowControlKinds, WhatExemptLendsMayBeChanged) {
  const std::string changed = level(
      "exempt", R"({"type":"Exempt","exempt":{"nominalConcurrencyShares":3,"lendablePercent":9}})");
  EXPECT_TRUE(create(levels(), changed).starts_with("{"));
  EXPECT_EQ(
      create(levels(), level("exempt", R"({"type":"Exempt","exempt":{"lendablePercent":-1}})")),
      "422: spec.exempt.lendablePercent: Invalid value: -1: must be between 0 and 100, "
      "inclusive");
  EXPECT_TRUE(
      create(levels(),
             level("exempt", R"({"type":"Limited","limited":{"limitResponse":{"type":"Reject"}}})"))
          .contains("spec of 'exempt' except the 'spec.exempt' field must equal the fixed value"));
}

TEST(FlowControlKinds, HandsNeedFewEnoughBits) {
  const auto queuing = [](std::string_view text) {
    return create(
        levels(),
        level("a", R"({"type":"Limited","limited":{"limitResponse":{"type":"Queue","queuing":)" +
                       std::string(text) + "}}}"));
  };
  EXPECT_TRUE(queuing(R"({"queues":1024,"handSize":6})").starts_with("{"));
  EXPECT_EQ(queuing(R"({"queues":1024,"handSize":7})"),
            "422: spec.limited.limitResponse.queuing.handSize: Invalid value: 7: required entropy "
            "bits of deckSize 1024 and handSize 7 should not be greater than 60");
  EXPECT_EQ(queuing(R"({"queues":10000001,"handSize":1,"queueLengthLimit":-1})"),
            "422: spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be "
            "positive; spec.limited.limitResponse.queuing.queues: Invalid value: 10000001: must "
            "not be greater than 10000000");
}

constexpr std::string_view kSchema =
    R"({"metadata":{"name":"a","labels":{"l":"1"}},"spec":{"priorityLevelConfiguration":{"name":"p"},"matchingPrecedence":7},)"
    R"("status":{"conditions":[{"type":"Dangling","status":"True"}]}})";

TEST(FlowControlKinds, StatusIsWrittenByItself) {
  EXPECT_EQ(
      update(schemas(), kSchema,
             R"({"metadata":{"name":"a"},"spec":{"priorityLevelConfiguration":{"name":"q"}}})"),
      R"({"metadata":{"name":"a"},"spec":{"matchingPrecedence":1000,"priorityLevelConfiguration":{"name":"q"}},)"
      R"("status":{"conditions":[{"lastTransitionTime":null,"status":"True","type":"Dangling"}]}})");
  EXPECT_EQ(
      update_status(
          schemas(), "status", kSchema,
          R"({"metadata":{"name":"a"},"spec":{"priorityLevelConfiguration":{"name":"q"}},)"
          R"("status":{"conditions":[{"type":"Dangling","status":"False"}]}})"),
      R"({"metadata":{"labels":{"l":"1"},"name":"a"},"spec":{"matchingPrecedence":7,"priorityLevelConfiguration":{"name":"p"}},)"
      R"("status":{"conditions":[{"lastTransitionTime":null,"status":"False","type":"Dangling"}]}})");
  EXPECT_EQ(
      update_status(
          schemas(), "status", kSchema,
          R"({"metadata":{"name":"a"},"status":{"conditions":[{"type":"A"},{"type":"A"},{}]}})"),
      "422: status.conditions[1].type: Duplicate value: \"A\"; status.conditions[2].type: "
      "Required value: must not be empty");
}

TEST(FlowControlKinds, ArePrinted) {
  EXPECT_EQ(row(schemas(), kSchema, "2024-01-01T00:00:00Z"),
            R"(["a","p",7,"\u003cnone\u003e","\u003cunknown\u003e","True"])");
  EXPECT_EQ(
      row(levels(), level("exempt", R"({"type":"Exempt","exempt":{}})"), "2024-01-01T00:00:00Z"),
      R"(["exempt","Exempt","\u003cnone\u003e","\u003cnone\u003e","\u003cnone\u003e","\u003cnone\u003e","\u003cunknown\u003e"])");
  EXPECT_EQ(
      row(levels(),
          level("a",
                R"({"type":"Limited","limited":{"limitResponse":{"type":"Queue","queuing":{}}}})"),
          "2024-01-01T00:00:00Z"),
      R"(["a","Limited",30,64,8,50,"\u003cunknown\u003e"])");
}

}  // namespace
}  // namespace strake::kinds
