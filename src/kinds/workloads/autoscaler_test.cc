// HorizontalPodAutoscalers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/workloads/test_verdicts.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using testing::create;
using testing::part;
using testing::row;
using testing::update;
using testing::update_status;
using testing::workload;

const Resource& autoscalers() { return workload("autoscaling", "v2", "horizontalpodautoscalers"); }
const Resource& old_autoscalers() {
  return workload("autoscaling", "v1", "horizontalpodautoscalers");
}

constexpr std::string_view kTarget =
    R"("scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"})";

std::string autoscaler(std::string_view more, std::string_view status = "{}",
                       std::string_view metadata = "") {
  return fmt::format(R"({{"metadata":{{"name":"a"{}}},"spec":{{{}{}}},"status":{}}})", metadata,
                     kTarget, more, status);
}

constexpr std::string_view kAllMetrics =
    R"([{"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue","averageValue":"100Mi"}}},)"
    R"({"type":"Pods","pods":{"metric":{"name":"rps"},"target":{"type":"AverageValue","averageValue":"1k"}}},)"
    R"({"type":"Object","object":{"metric":{"name":"hits"},"describedObject":{"apiVersion":"networking.k8s.io/v1","kind":"Ingress","name":"i"},"target":{"type":"Value","value":"2000"}}},)"
    R"({"type":"External","external":{"metric":{"name":"q","selector":{"matchLabels":{"a":"b"}}},"target":{"type":"AverageValue","averageValue":"30"}}},)"
    R"({"type":"ContainerResource","containerResource":{"name":"cpu","container":"c","target":{"type":"Utilization","averageUtilization":60}}}])";

// As the other version stores it, or shows what is stored.
std::string stored_by(const Resource& resource, const std::string& answer) {
  auto read = value::read_json(answer);
  resource.strategy->to_stored(read->root(), read->arena());
  return value::to_json(read->root());
}
std::string shown_by(const Resource& resource, const std::string& answer) {
  auto read = value::read_json(answer);
  resource.strategy->from_stored(read->root(), read->arena());
  return value::to_json(read->root());
}

TEST(Autoscaler, IsFilledIn) {
  const std::string made =
      create(autoscalers(), autoscaler(R"(,"maxReplicas":5)", R"({"desiredReplicas":9})"));
  EXPECT_EQ(
      part(made, ".spec.metrics"),
      R"([{"resource":{"name":"cpu","target":{"averageUtilization":80,"type":"Utilization"}},"type":"Resource"}])");
  EXPECT_EQ(part(made, ".spec.minReplicas"), "1");
  EXPECT_EQ(part(made, ".status"), R"({"currentMetrics":null,"desiredReplicas":0})");
  EXPECT_EQ(
      part(
          create(
              autoscalers(),
              autoscaler(
                  R"(,"maxReplicas":5,"behavior":{"scaleDown":{"stabilizationWindowSeconds":10}})")),
          ".spec.behavior"),
      R"({"scaleDown":{"policies":[{"periodSeconds":15,"type":"Percent","value":100}],"selectPolicy":"Max","stabilizationWindowSeconds":10},)"
      R"("scaleUp":{"policies":[{"periodSeconds":15,"type":"Pods","value":4},{"periodSeconds":15,"type":"Percent","value":100}],"selectPolicy":"Max","stabilizationWindowSeconds":0}})");
}

TEST(Autoscaler, TellsNoPoliciesFromThoseNotGiven) {
  EXPECT_EQ(create(autoscalers(),
                   autoscaler(R"(,"maxReplicas":5,"behavior":{"scaleUp":{"policies":[]}})")),
            "422: spec.behavior.scaleUp.policies: Required value: must specify at least one "
            "Policy");
}

TEST(Autoscaler, IsRefusedWhatMakesNoSense) {
  struct Case {
    std::string_view more;
    std::string_view want;
  };
  const Case cases[] = {
      {R"(,"minReplicas":9,"maxReplicas":5)",
       "422: spec.maxReplicas: Invalid value: 5: must be greater than or equal to `minReplicas`"},
      {R"(,"minReplicas":0,"maxReplicas":0)",
       "422: spec.maxReplicas: Required value: must be set and greater than 0; "
       "spec.metrics: Forbidden: must specify at least one Object or External metric to support "
       "scaling to zero replicas; "
       "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1"},
      {R"(,"maxReplicas":-1,"minReplicas":-2)",
       "422: spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1; "
       "spec.minReplicas: Invalid value: -2: must be greater than or equal to 1"},
      {R"(,"maxReplicas":5,"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":0}}},{"type":"Pods"},{"type":"Bogus"}])",
       "422: spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater "
       "than 0; spec.metrics[1].pods: Required value: must populate information for the given "
       "metric source; spec.metrics[2].type: Unsupported value: \"Bogus\": supported values: "
       "\"ContainerResource\", \"External\", \"Object\", \"Pods\", \"Resource\""},
      {R"(,"maxReplicas":5,"metrics":[{"type":"Object","pods":{"metric":{"name":"a/b"},"target":{"type":""}},"resource":{"name":"","target":{"type":"Value"}}}])",
       "422: spec.metrics[0].object: Required value: must populate information for the given "
       "metric source; spec.metrics[0].pods.metric.name: Invalid value: \"a/b\": may not contain "
       "'/'; spec.metrics[0].pods.target.averageValue: Required value: must specify a positive "
       "target averageValue; spec.metrics[0].pods.target.type: Invalid value: \"\": must be either "
       "Utilization, Value, or AverageValue; spec.metrics[0].pods.target.type: Required value: "
       "must specify a metric target type; spec.metrics[0].pods: Forbidden: must populate the "
       "given metric source only; spec.metrics[0].resource: Forbidden: must populate the given "
       "metric source only"},
      {R"(,"maxReplicas":5,"metrics":[{"type":"ContainerResource","containerResource":{"name":"bogus","container":"","target":{"type":"Value","averageUtilization":1,"averageValue":"-1"}}}])",
       "422: spec.metrics[0].containerResource.container: Required value: must specify a "
       "container; spec.metrics[0].containerResource.name: Invalid value: \"bogus\": must be a "
       "standard resource for containers; spec.metrics[0].containerResource.name: Invalid value: "
       "\"bogus\": must be a standard resource type or fully qualified; "
       "spec.metrics[0].containerResource.target.averageValue: Forbidden: may not set both a "
       "target raw value and a target utilization; "
       "spec.metrics[0].containerResource.target.averageValue: Invalid value: \"-1\": must be "
       "positive"},
      {R"(,"maxReplicas":5,"behavior":{"scaleUp":{"stabilizationWindowSeconds":5000,"selectPolicy":"X","policies":[{"type":"Y","value":0,"periodSeconds":0}]}})",
       "422: spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 0: must be greater "
       "than zero; spec.behavior.scaleUp.policies[0].type: Unsupported value: \"Y\": supported "
       "values: \"Percent\", \"Pods\"; spec.behavior.scaleUp.policies[0].value: Invalid value: 0: "
       "must be greater than zero; spec.behavior.scaleUp.selectPolicy: Unsupported value: \"X\": "
       "supported values: \"Disabled\", \"Max\", \"Min\"; "
       "spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 5000: must be less than "
       "or equal to 3600"},
  };
  for (const Case& one : cases) EXPECT_EQ(create(autoscalers(), autoscaler(one.more)), one.want);
}

TEST(Autoscaler, MustSayWhichGroupItsTargetIsOf) {
  const auto aims_at = [](std::string_view reference) {
    return fmt::format(
        R"({{"metadata":{{"name":"a"}},"spec":{{"maxReplicas":5,"scaleTargetRef":{}}}}})",
        reference);
  };
  const std::string bad = aims_at(R"({"apiVersion":"v1","kind":"Foo","name":"a/b"})");
  constexpr std::string_view kName =
      "spec.scaleTargetRef.name: Invalid value: \"a/b\": may not contain '/'";
  EXPECT_EQ(create(autoscalers(), bad),
            fmt::format("422: spec.scaleTargetRef.apiVersion: Invalid value: \"v1\": apiVersion "
                        "must specify API group; {}",
                        kName));
  EXPECT_EQ(create(autoscalers(), aims_at(R"({"apiVersion":"a/b/c","kind":"Foo","name":"a"})")),
            "422: spec.scaleTargetRef.apiVersion: Invalid value: \"a/b/c\": unexpected "
            "GroupVersion string: a/b/c");
  // What is left as it was is not looked at.
  EXPECT_EQ(update(autoscalers(), bad, bad), fmt::format("422: {}", kName));
  EXPECT_EQ(
      part(create(autoscalers(),
                  aims_at(R"({"apiVersion":"v1","kind":"ReplicationController","name":"r"})")),
           ".spec.scaleTargetRef.name"),
      R"("r")");
}

TEST(Autoscaler, MayStayAtZero) {
  constexpr std::string_view kNone =
      R"(,"maxReplicas":5,"minReplicas":0,"metrics":[{"type":"External","external":{"metric":{"name":"q"},"target":{"type":"Value","value":"1"}}}])";
  EXPECT_EQ(create(autoscalers(), autoscaler(kNone)),
            "422: spec.minReplicas: Invalid value: 0: must be greater than or equal to 1");
  EXPECT_EQ(part(update(autoscalers(), autoscaler(kNone), autoscaler(kNone)), ".spec.minReplicas"),
            "0");
}

TEST(Autoscaler, IsRefusedAStatusOfLessThanNone) {
  EXPECT_EQ(update_status(autoscalers(), "status", autoscaler(R"(,"maxReplicas":5)"),
                          autoscaler(R"(,"maxReplicas":9)",
                                     R"({"currentReplicas":-1,"desiredReplicas":-2})")),
            "422: status.currentReplicas: Invalid value: -1: must be greater than or equal to 0; "
            "status.desiredReplicas: Invalid value: -2: must be greater than or equal to 0");
}

TEST(Autoscaler, IsPrintedWithItsMetrics) {
  EXPECT_EQ(
      row(autoscalers(),
          autoscaler(
              R"(,"maxReplicas":5)",
              R"({"currentReplicas":2,"currentMetrics":[{"type":"Resource","resource":{"name":"cpu","current":{"averageUtilization":42,"averageValue":"100m"}}}]})"),
          "2024-01-01T00:00:00Z"),
      R"(["a","Deployment/d","cpu: 42%/80%","1",5,2,"\u003cunknown\u003e"])");
  EXPECT_EQ(
      row(autoscalers(),
          autoscaler(fmt::format(R"(,"maxReplicas":5,"minReplicas":2,"metrics":{})", kAllMetrics)),
          "2024-01-01T00:00:00Z"),
      R"(["a","Deployment/d","memory: \u003cunknown\u003e/100Mi, \u003cunknown\u003e/1k + 3 more...","2",5,0,"\u003cunknown\u003e"])");
}

TEST(OldAutoscaler, HasTheUtilizationOfTheCpu) {
  const std::string made = create(
      old_autoscalers(), autoscaler(R"(,"maxReplicas":5,"targetCPUUtilizationPercentage":70)"));
  EXPECT_EQ(part(made, ".spec.targetCPUUtilizationPercentage"), "70");
  EXPECT_EQ(part(made, ".status"), R"({"currentReplicas":0,"desiredReplicas":0})");
  EXPECT_EQ(
      part(stored_by(old_autoscalers(), made), ".spec.metrics"),
      R"([{"resource":{"name":"cpu","target":{"averageUtilization":70,"type":"Utilization"}},"type":"Resource"}])");
  EXPECT_EQ(part(create(old_autoscalers(), autoscaler(R"(,"maxReplicas":5)")),
                 ".spec.targetCPUUtilizationPercentage"),
            "80");
}

TEST(OldAutoscaler, NotesTheRestInAnnotations) {
  const std::string made = create(
      autoscalers(),
      autoscaler(fmt::format(
          R"(,"maxReplicas":5,"minReplicas":2,"metrics":{},"behavior":{{"scaleDown":{{"policies":[{{"type":"Pods","value":1,"periodSeconds":60}}]}}}})",
          kAllMetrics)));
  const std::string old = shown_by(old_autoscalers(), made);
  EXPECT_EQ(
      part(old, ".spec"),
      R"({"maxReplicas":5,"minReplicas":2,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"}})");
  EXPECT_EQ(
      part(old, R"(.metadata.annotations["autoscaling.alpha.kubernetes.io/behavior"])"),
      R"("{\"ScaleUp\":{\"StabilizationWindowSeconds\":0,\"SelectPolicy\":\"Max\",\"Policies\":[{\"Type\":\"Pods\",\"Value\":4,\"PeriodSeconds\":15},{\"Type\":\"Percent\",\"Value\":100,\"PeriodSeconds\":15}],\"Tolerance\":null},\"ScaleDown\":{\"StabilizationWindowSeconds\":null,\"SelectPolicy\":\"Max\",\"Policies\":[{\"Type\":\"Pods\",\"Value\":1,\"PeriodSeconds\":60}],\"Tolerance\":null}}")");
  EXPECT_EQ(
      part(old, R"(.metadata.annotations["autoscaling.alpha.kubernetes.io/metrics"])"),
      R"("[{\"type\":\"Resource\",\"resource\":{\"name\":\"memory\",\"targetAverageValue\":\"100Mi\"}},{\"type\":\"Pods\",\"pods\":{\"metricName\":\"rps\",\"targetAverageValue\":\"1k\"}},{\"type\":\"Object\",\"object\":{\"target\":{\"kind\":\"Ingress\",\"name\":\"i\",\"apiVersion\":\"networking.k8s.io/v1\"},\"metricName\":\"hits\",\"targetValue\":\"2k\"}},{\"type\":\"External\",\"external\":{\"metricName\":\"q\",\"metricSelector\":{\"matchLabels\":{\"a\":\"b\"}},\"targetAverageValue\":\"30\"}},{\"type\":\"ContainerResource\",\"containerResource\":{\"name\":\"cpu\",\"targetAverageUtilization\":60,\"container\":\"c\"}}]")");
  // And back.
  const std::string again = stored_by(old_autoscalers(), old);
  EXPECT_EQ(part(again, ".spec"), part(made, ".spec"));
  EXPECT_EQ(part(again, ".metadata.annotations"), "none");
}

TEST(OldAutoscaler, NotesWhatTheStatusSays) {
  const std::string stored = update_status(
      autoscalers(), "status", autoscaler(R"(,"maxReplicas":5)"),
      autoscaler(
          R"(,"maxReplicas":5)",
          R"({"currentReplicas":2,"desiredReplicas":3,"currentMetrics":[{"type":"Resource","resource":{"name":"cpu","current":{"averageUtilization":42,"averageValue":"100m"}}},)"
          R"({"type":"External","external":{"metric":{"name":"q"},"current":{"averageValue":"3"}}}],"conditions":[{"type":"AbleToScale","status":"True","reason":"R"}]})"));
  const std::string old = shown_by(old_autoscalers(), stored);
  EXPECT_EQ(part(old, ".status"),
            R"({"currentCPUUtilizationPercentage":42,"currentReplicas":2,"desiredReplicas":3})");
  EXPECT_EQ(
      part(old, ".metadata.annotations"),
      R"({"autoscaling.alpha.kubernetes.io/conditions":"[{\"type\":\"AbleToScale\",\"status\":\"True\",\"lastTransitionTime\":null,\"reason\":\"R\"}]",)"
      R"("autoscaling.alpha.kubernetes.io/current-metrics":"[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"currentAverageUtilization\":42,\"currentAverageValue\":\"100m\"}},{\"type\":\"External\",\"external\":{\"metricName\":\"q\",\"currentValue\":\"0\",\"currentAverageValue\":\"3\"}}]"})");
  EXPECT_EQ(part(stored_by(old_autoscalers(), old), ".status.conditions"),
            R"([{"lastTransitionTime":null,"reason":"R","status":"True","type":"AbleToScale"}])");
}

TEST(OldAutoscaler, IsNotBelievedAboutItsStatus) {
  const std::string made = create(
      old_autoscalers(),
      autoscaler(
          R"(,"maxReplicas":5)", R"({"currentCPUUtilizationPercentage":3})",
          R"(,"annotations":{"autoscaling.alpha.kubernetes.io/conditions":"[{\"type\":\"X\",\"status\":\"True\"}]"})"));
  EXPECT_EQ(part(made, ".metadata.annotations"), "none");
  EXPECT_EQ(part(made, ".status"), R"({"currentReplicas":0,"desiredReplicas":0})");
}

TEST(OldAutoscaler, DropsNotesThatItCannotRead) {
  for (const std::string_view note :
       {"", "{", "1", R"([1])", R"([{\"type\":1}])", R"([{\"type\":\"Pods\",\"pods\":3}])",
        R"([{\"type\":\"Pods\",\"pods\":{\"targetAverageValue\":\"x\"}}])"}) {
    const std::string made = create(
        old_autoscalers(),
        autoscaler(
            R"(,"maxReplicas":5)", "{}",
            fmt::format(R"(,"annotations":{{"autoscaling.alpha.kubernetes.io/metrics":"{0}",)"
                        R"("autoscaling.alpha.kubernetes.io/behavior":"{0}"}})",
                        note)));
    EXPECT_EQ(part(made, ".metadata.annotations"), "none") << note;
    EXPECT_EQ(part(made, ".spec.targetCPUUtilizationPercentage"), "80") << note;
  }
}

TEST(OldAutoscaler, IsJudgedByAllItsMetrics) {
  EXPECT_EQ(
      create(
          old_autoscalers(),
          autoscaler(
              R"(,"maxReplicas":5,"targetCPUUtilizationPercentage":0)", "{}",
              R"(,"annotations":{"autoscaling.alpha.kubernetes.io/metrics":"[{\"type\":\"Bogus\"}]"})")),
      "422: spec.metrics[0].type: Unsupported value: \"Bogus\": supported values: "
      "\"ContainerResource\", \"External\", \"Object\", \"Pods\", \"Resource\"; "
      "spec.metrics[1].resource.target.averageUtilization: Invalid value: 0: must be greater than "
      "0");
}

TEST(OldAutoscaler, IsStoredAsTheNewOne) {
  EXPECT_EQ(old_autoscalers().stored_as,
            (meta::GroupVersionKind{"autoscaling", "v2", "HorizontalPodAutoscaler"}));
  EXPECT_EQ(old_autoscalers().storage_prefix, autoscalers().storage_prefix);
  EXPECT_FALSE(autoscalers().keeps_generation);
}

TEST(OldAutoscaler, IsPrintedAsTheNewOne) {
  EXPECT_EQ(row(old_autoscalers(),
                autoscaler(R"(,"maxReplicas":5,"targetCPUUtilizationPercentage":70)",
                           R"({"currentCPUUtilizationPercentage":42,"currentReplicas":2})"),
                "2024-01-01T00:00:00Z"),
            R"(["a","Deployment/d","cpu: 42%/70%","1",5,2,"\u003cunknown\u003e"])");
}

}  // namespace
}  // namespace strake::kinds
