// Tables and selectors of pods and their templates, as in the recorded conversations with
// kube-apiserver 1.36.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kinds/pods/pod_kinds.h"
#include "kinds/test_requests.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::row;

const Resource& pods() { return testing::builtin("", "pods"); }
const Resource& pod_templates() { return testing::builtin("", "podtemplates"); }

// A pod with these members of its spec beside one container, and with others of the object.
std::string pod(const std::string& spec = "", const std::string& rest = "") {
  return R"({"metadata":{"name":"a","generation":1},"spec":{"containers":[{"name":"c","image":"x:1"}])" +
         (spec.empty() ? "" : "," + spec) + "}" + (rest.empty() ? "" : "," + rest) + "}";
}
std::string pod_with_status(const std::string& status, const std::string& spec = "") {
  return pod(spec, R"("status":)" + status);
}

// The cells as people see them: JSON of Go has < and > escaped.
std::string shown_row(const Resource& resource, const std::string& json) {
  std::string out = row(resource, json, "2024-01-01T01:00:00Z");
  for (const auto& [escaped, plain] : {std::pair{"\\u003c", "<"}, std::pair{"\\u003e", ">"}}) {
    for (std::size_t at; (at = out.find(escaped)) != std::string::npos;) out.replace(at, 6, plain);
  }
  return out;
}
std::string cells(const std::string& json) { return shown_row(pods(), json); }

TEST(PodTable, ShowsWhatWasRecorded) {
  EXPECT_EQ(cells(pod_with_status(R"({"phase":"Pending"})")),
            R"(["a","0/1","Pending","0","<unknown>","<none>","<none>","<none>","<none>"])");
  EXPECT_EQ(cells(pod_with_status(R"({"phase":"Running","podIP":"10.1.1.1","conditions":[
                {"type":"Ready","status":"True"}],"containerStatuses":[{"name":"c","ready":true,
                "state":{"running":{}}}]})",
                                  R"("nodeName":"n1")")),
            R"(["a","1/1","Running","0","<unknown>","10.1.1.1","n1","<none>","<none>"])");
}

TEST(PodTable, SaysWhyAPodDoesNotRun) {
  const auto reason = [](const std::string& json) {
    const std::string all = cells(json);
    const std::size_t at = all.find(R"(",")", all.find(R"(",")") + 1) + 3;
    return all.substr(at, all.find('"', at) - at);
  };
  const auto of = [&](const std::string& status) { return reason(pod_with_status(status)); };
  EXPECT_EQ(of(R"({"phase":"Failed","reason":"Evicted"})"), "Evicted");
  EXPECT_EQ(of(R"({"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",
                "reason":"SchedulingGated"}]})"),
            "SchedulingGated");
  EXPECT_EQ(of(R"({"phase":"Running","containerStatuses":[{"name":"c","state":{"waiting":{
                "reason":"CrashLoopBackOff"}}}]})"),
            "CrashLoopBackOff");
  EXPECT_EQ(of(R"({"phase":"Failed","containerStatuses":[{"name":"c","state":{"terminated":{
                "exitCode":2}}}]})"),
            "ExitCode:2");
  EXPECT_EQ(of(R"({"phase":"Failed","containerStatuses":[{"name":"c","state":{"terminated":{
                "exitCode":137,"signal":9}}}]})"),
            "Signal:9");
  EXPECT_EQ(of(R"({"phase":"Running","containerStatuses":[{"name":"c","state":{"terminated":{
                "exitCode":0,"reason":"Completed"}}},{"name":"d","ready":true,"state":{"running":{}}}]})"),
            "NotReady");
  EXPECT_EQ(of(R"({"phase":"Running","conditions":[{"type":"Ready","status":"True"}],
                "containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":0,
                "reason":"Completed"}}},{"name":"d","ready":true,"state":{"running":{}}}]})"),
            "Running");
  EXPECT_EQ(of(R"({"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"terminated":
                {"exitCode":0}}},{"name":"j","state":{"waiting":{"reason":"ImagePullBackOff"}}}]})"),
            "Init:ImagePullBackOff");
  EXPECT_EQ(of(R"({"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"terminated":
                {"exitCode":1,"reason":"Error"}}}]})"),
            "Init:Error");
  EXPECT_EQ(reason(pod_with_status(R"({"phase":"Pending","initContainerStatuses":[{"name":"i",
                "state":{"waiting":{"reason":"PodInitializing"}}}]})",
                                   R"("initContainers":[{"name":"i","image":"x"},
                {"name":"j","image":"x"}])")),
            "Init:0/2");
  const std::string deleted =
      R"({"metadata":{"name":"a","deletionTimestamp":"2024-01-01T00:00:00Z"},"status":{"phase":)";
  EXPECT_EQ(reason(deleted + R"("Running"}})"), "Terminating");
  EXPECT_EQ(reason(deleted + R"("Succeeded"}})"), "Succeeded");
  EXPECT_EQ(reason(deleted + R"("Running","reason":"NodeLost"}})"), "Unknown");
}

TEST(PodTable, CountsRestartsAndSaysWhen) {
  EXPECT_THAT(cells(pod_with_status(R"({"containerStatuses":[{"name":"c","restartCount":3,
                "lastState":{"terminated":{"exitCode":1,"finishedAt":"2024-01-01T00:55:00Z"}}}]})")),
              HasSubstr("\"3 (5m ago)\""));
  EXPECT_THAT(cells(pod_with_status(R"({"containerStatuses":[{"name":"c","restartCount":3}]})")),
              HasSubstr(R"(,"3",)"));
  // Those of init containers count until they are done, those of sidecars always.
  EXPECT_THAT(cells(pod_with_status(R"({"initContainerStatuses":[{"name":"s","restartCount":2,
                "started":true,"ready":true,"state":{"running":{}}},{"name":"i","restartCount":7,
                "state":{"terminated":{"exitCode":0}}}],"containerStatuses":[{"name":"c",
                "restartCount":1}]})",
                                    R"("initContainers":[{"name":"s","image":"x",
                "restartPolicy":"Always"},{"name":"i","image":"x"}])")),
              AllOf(HasSubstr(R"("1/2")"), HasSubstr(R"(,"3",)")));
}

TEST(PodTable, CountsReadinessGates) {
  EXPECT_THAT(cells(pod_with_status(R"({"conditions":[{"type":"a","status":"True"},
                {"type":"b","status":"False"},{"type":"b","status":"True"}],"nominatedNodeName":"nn"})",
                                    R"("readinessGates":[{"conditionType":"a"},
                {"conditionType":"b"},{"conditionType":"c"}])")),
              HasSubstr(R"("nn","1/3"])"));
}

TEST(PodTable, HasTheColumnsOfKubectl) {
  std::string names;
  for (const Column& column : pod_strategy().columns())
    names += column.name + (column.priority > 0 ? "+," : ",");
  EXPECT_EQ(names, "Name,Ready,Status,Restarts,Age,IP+,Node+,Nominated Node+,Readiness Gates+,");
}

TEST(PodTemplateTable, ListsContainersAndLabels) {
  EXPECT_EQ(shown_row(pod_templates(), R"({"metadata":{"name":"a"},"template":{"metadata":{"labels":
                {"x":"y","z":"1"}},"spec":{"containers":[{"name":"c","image":"i"},
                {"name":"d","image":"j"}]}}})"),
            R"(["a","c,d","i,j","x=y,z=1"])");
  EXPECT_EQ(shown_row(pod_templates(), R"({"metadata":{"name":"a"}})"), R"(["a","","","<none>"])");
}

TEST(PodSelectors, ReadTheFieldsThatTheyMayName) {
  const auto read = [](const std::string& json, std::string_view label) {
    auto document = value::read_json(json);
    return pod_strategy().field(document->root(), label);
  };
  const std::string json = pod_with_status(
      R"({"phase":"Running","podIP":"1.2.3.4","nominatedNodeName":"nn"})",
      R"("nodeName":"n","restartPolicy":"Never","schedulerName":"s","serviceAccountName":"b")");
  EXPECT_EQ(read(json, "spec.nodeName"), "n");
  EXPECT_EQ(read(json, "spec.host"), "n");
  EXPECT_EQ(read(json, "spec.restartPolicy"), "Never");
  EXPECT_EQ(read(json, "spec.schedulerName"), "s");
  EXPECT_EQ(read(json, "spec.serviceAccountName"), "b");
  EXPECT_EQ(read(json, "spec.hostNetwork"), "false");
  EXPECT_EQ(read(pod(R"("hostNetwork":true)"), "spec.hostNetwork"), "true");
  EXPECT_EQ(read(json, "status.phase"), "Running");
  EXPECT_EQ(read(json, "status.podIP"), "1.2.3.4");
  EXPECT_EQ(read(json, "status.nominatedNodeName"), "nn");
  EXPECT_EQ(read("{}", "status.phase"), "");
  EXPECT_TRUE(pod_strategy().offers_field("spec.nodeName", pods().versions.front()));
  EXPECT_FALSE(pod_strategy().offers_field("spec.hostname", pods().versions.front()));
}

}  // namespace
}  // namespace strake::kinds
