#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/workloads/test_verdicts.h"

namespace strake::kinds {
namespace {

using testing::create;
using testing::part;
using testing::row;
using testing::update;
using testing::update_status;

const Resource& budgets() { return testing::workload("policy", "v1", "poddisruptionbudgets"); }

std::string budget(std::string_view spec, std::string_view status = "{}") {
  return fmt::format(R"({{"metadata":{{"name":"a"}},"spec":{},"status":{}}})", spec, status);
}

TEST(PodDisruptionBudget, StartsWithCountsOfNone) {
  EXPECT_EQ(part(create(budgets(),
                        budget(R"({"selector":{},"maxUnavailable":0})", R"({"expectedPods":9})")),
                 ".status"),
            R"({"currentHealthy":0,"desiredHealthy":0,"disruptionsAllowed":0,"expectedPods":0})");
}

TEST(PodDisruptionBudget, SetsOneBound) {
  EXPECT_EQ(
      create(
          budgets(),
          budget(R"({"minAvailable":"50%","maxUnavailable":1,"selector":{"matchLabels":{"z":"a"},)"
                 R"("matchExpressions":[{"key":"a","operator":"Exists"}]}})")),
      R"(422: spec: Invalid value: {"MinAvailable":"50%","Selector":{"matchLabels":{"z":"a"},)"
      R"("matchExpressions":[{"key":"a","operator":"Exists"}]},"MaxUnavailable":1,)"
      R"("UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set)");
}

TEST(PodDisruptionBudget, IsRefusedAmountsThatMakeNoSense) {
  EXPECT_EQ(create(budgets(), budget(R"({"maxUnavailable":"110%"})")),
            "422: spec.maxUnavailable: Invalid value: \"110%\": must not be greater than 100%");
  EXPECT_EQ(create(budgets(), budget(R"({"maxUnavailable":-1})")),
            "422: spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0");
  EXPECT_EQ(create(budgets(), budget(R"({"minAvailable":"x"})")),
            "422: spec.minAvailable: Invalid value: \"x\": a valid percent string must be a "
            "numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for "
            "validation is '[0-9]+%')");
}

TEST(PodDisruptionBudget, KeepsASelectorThatWasTakenBefore) {
  const std::string bad =
      budget(R"({"selector":{"matchExpressions":[{"key":"a","operator":"In","values":["-"]}]}})");
  EXPECT_EQ(part(update(budgets(), bad, bad), ".metadata.name"), R"("a")");
  EXPECT_TRUE(update(budgets(), budget("{}"), bad)
                  .starts_with("422: spec.selector.matchExpressions[0].values[0]: Invalid value"));
}

TEST(PodDisruptionBudget, IsRefusedAStatusThatMakesNoSense) {
  EXPECT_EQ(update_status(budgets(), "status", budget("{}"),
                          budget("{}", R"({"disruptionsAllowed":-1,"currentHealthy":-1,)"
                                       R"("conditions":[{"type":"X","status":"Maybe"}]})")),
            "422: status.conditions[0].lastTransitionTime: Required value; "
            "status.conditions[0].reason: Required value; "
            "status.conditions[0].status: Unsupported value: \"Maybe\": supported values: "
            "\"False\", \"True\", \"Unknown\"; "
            "status.currentHealthy: Invalid value: -1: must be greater than or equal to 0; "
            "status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0");
}

TEST(PodDisruptionBudget, IsPrintedWithItsBounds) {
  EXPECT_EQ(row(budgets(), budget(R"({"minAvailable":1})"), "2024-01-01T00:00:00Z"),
            R"(["a","1","N/A",0,"\u003cunknown\u003e"])");
  EXPECT_EQ(row(budgets(), budget(R"({"maxUnavailable":"5%"})", R"({"disruptionsAllowed":3})"),
                "2024-01-01T00:00:00Z"),
            R"(["a","N/A","5%",3,"\u003cunknown\u003e"])");
}

TEST(PodDisruptionBudget, AsksForTheVersionThatItReplaces) {
  EXPECT_FALSE(budgets().unconditional_update);
  EXPECT_TRUE(budgets().categories.empty());
}

}  // namespace
}  // namespace strake::kinds
