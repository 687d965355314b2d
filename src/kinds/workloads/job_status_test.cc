#include "kinds/workloads/job_status.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "value/json_reader.h"

namespace strake::kinds {
namespace {

// The faults of a new status, sorted, with "; " between them.
std::string faults(std::string_view spec, std::string_view before, std::string_view now) {
  const auto job = [&](std::string_view status) {
    return value::read_json(fmt::format(R"({{"spec":{},"status":{}}})", spec, status));
  };
  const auto old = job(before);
  const auto next = job(now);
  std::vector<std::string> texts;
  for (const value::FieldError& one : check_job_status(next->root(), old->root()))
    texts.push_back(one.to_string());
  std::ranges::sort(texts);
  std::string out;
  for (const std::string& one : texts) out += (out.empty() ? "" : "; ") + one;
  return out;
}

constexpr std::string_view kPlain = R"({"completions":1,"parallelism":1})";
constexpr std::string_view kIndexed =
    R"({"completions":5,"parallelism":1,"completionMode":"Indexed","backoffLimitPerIndex":1})";
constexpr std::string_view kComplete =
    R"({"startTime":"2024-01-01T00:00:00Z","completionTime":"2024-01-01T00:01:00Z","succeeded":1,"conditions":[{"type":"SuccessCriteriaMet","status":"True"},{"type":"Complete","status":"True"}]})";

TEST(JobStatus, GoesThroughTheLifeOfAJob) {
  constexpr std::string_view kSteps[] = {
      "{}",
      R"({"active":1,"ready":1,"startTime":"2024-01-01T00:00:00Z","uncountedTerminatedPods":{}})",
      R"({"ready":0,"terminating":0,"succeeded":1,"startTime":"2024-01-01T00:00:00Z","conditions":[{"type":"SuccessCriteriaMet","status":"True"}]})",
      kComplete,
  };
  for (std::size_t i = 0; i + 1 < std::size(kSteps); ++i)
    EXPECT_EQ(faults(kPlain, kSteps[i], kSteps[i + 1]), "") << i;
}

TEST(JobStatus, IsCompleteOnlyWithAllThatBelongsToIt) {
  EXPECT_EQ(
      faults(
          kPlain, R"({"active":1,"startTime":"2024-01-01T00:00:00Z"})",
          R"({"active":1,"startTime":"2024-01-01T00:00:00Z","conditions":[{"type":"Complete","status":"True"}]})"),
      "status.active: Invalid value: 1: active>0 is invalid for finished job; "
      "status.completionTime: Required value: completionTime is required for Complete jobs; "
      "status.conditions: Invalid value: cannot set Complete=True condition without the "
      "SuccessCriteriaMet=true condition");
  EXPECT_EQ(
      faults(kPlain, "{}",
             R"({"completionTime":"2024-01-01T00:00:00Z","startTime":"2024-01-01T00:00:01Z"})"),
      "status.completionTime: Invalid value: \"2024-01-01T00:00:00Z\": cannot set "
      "completionTime when there is no Complete=True condition; status.completionTime: "
      "Invalid value: \"2024-01-01T00:00:00Z\": must be equal to or after `startTime`");
}

TEST(JobStatus, IsNotTakenBack) {
  EXPECT_EQ(
      faults(
          kPlain, kComplete,
          R"({"startTime":"2024-01-01T00:00:00Z","completionTime":"2024-01-01T00:01:00Z","succeeded":1})"),
      "status.completionTime: Invalid value: \"2024-01-01T00:01:00Z\": cannot set "
      "completionTime when there is no Complete=True condition; "
      "status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True "
      "condition; "
      "status.conditions: Invalid value: cannot disable the terminal Complete=True "
      "condition");
  EXPECT_EQ(faults(kPlain, R"({"failed":2,"succeeded":1})", R"({"failed":1})"),
            "status.failed: Invalid value: 1: cannot decrease the failed counter; "
            "status.succeeded: Invalid value: 0: cannot decrease the succeeded counter");
  // It may be made smaller.
  EXPECT_EQ(faults(R"({"completions":1,"parallelism":1,"completionMode":"Indexed"})",
                   R"({"succeeded":1})", "{}"),
            "");
}

TEST(JobStatus, StartsOnceUnlessItIsResumed) {
  constexpr std::string_view kStarted = R"({"startTime":"2024-01-01T00:00:00Z"})";
  constexpr std::string_view kAgain = R"({"startTime":"2024-01-02T00:00:00Z"})";
  EXPECT_EQ(faults(kPlain, kStarted, kAgain),
            "status.startTime: Invalid value: \"2024-01-02T00:00:00Z\": field is immutable for "
            "unsuspended job once set");
  EXPECT_EQ(faults(kPlain, kStarted, "{}"),
            "status.startTime: Invalid value: null: field is immutable for unsuspended job once "
            "set");
  EXPECT_EQ(faults(R"({"suspend":true})", kStarted, "{}"), "");
  EXPECT_EQ(
      faults(
          kPlain,
          R"({"startTime":"2024-01-01T00:00:00Z","conditions":[{"type":"Suspended","status":"True"}]})",
          R"({"startTime":"2024-01-02T00:00:00Z","conditions":[{"type":"Suspended","status":"False"}]})"),
      "");
}

TEST(JobStatus, FailsOnlyAfterItIsToFail) {
  EXPECT_EQ(
      faults(
          kPlain, R"({"startTime":"2024-01-01T00:00:00Z"})",
          R"({"startTime":"2024-01-01T00:00:00Z","terminating":1,"uncountedTerminatedPods":{"failed":["a"]},"conditions":[{"type":"Failed","status":"True"},{"type":"SuccessCriteriaMet","status":"True"}]})"),
      "status.conditions: Invalid value: cannot set Failed=True condition without the "
      "FailureTarget=true condition; "
      "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true "
      "conditions; "
      "status.terminating: Invalid value: 1: terminating>0 is invalid for finished job; "
      "status.uncountedTerminatedPods: Invalid value: "
      "{\"Succeeded\":null,\"Failed\":[\"a\"]}: must be empty for finished job");
  EXPECT_EQ(
      faults(
          kPlain, "{}",
          R"({"conditions":[{"type":"Failed","status":"True"},{"type":"FailureTarget","status":"True"},{"type":"Complete","status":"True"}]})"),
      "status.completionTime: Required value: completionTime is required for Complete jobs; "
      "status.conditions: Invalid value: cannot set Complete=True and Failed=true "
      "conditions; "
      "status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true "
      "conditions; "
      "status.conditions: Invalid value: cannot set Complete=True condition without the "
      "SuccessCriteriaMet=true condition; "
      "status.startTime: Required value: startTime is required for finished job");
}

TEST(JobStatus, CountsEachPodOnce) {
  EXPECT_EQ(
      faults(
          kPlain, "{}",
          R"({"ready":2,"active":1,"uncountedTerminatedPods":{"succeeded":["a",""],"failed":["a"]}})"),
      "status.ready: Invalid value: 2: cannot set more ready pods than active; "
      "status.uncountedTerminatedPods.failed[0]: Duplicate value: \"a\"; "
      "status.uncountedTerminatedPods.succeeded[1]: Invalid value: \"\": must not be empty");
}

TEST(JobStatus, ListsIndexesThatThereAre) {
  EXPECT_EQ(faults(kPlain, "{}", R"({"completedIndexes":"0","failedIndexes":""})"),
            "status.completedIndexes: Invalid value: \"0\": cannot set non-empty completedIndexes "
            "when non-indexed completion mode; "
            "status.failedIndexes: Invalid value: \"\": cannot set non-null failedIndexes when "
            "backoffLimitPerIndex is null");
  EXPECT_EQ(faults(kIndexed, "{}", R"({"completedIndexes":"0-2","failedIndexes":"2,9"})"),
            "status.failedIndexes: Invalid value: \"2,9\": error parsing failedIndexes: too large "
            "index: \"9\"; "
            "status.failedIndexes: Invalid value: \"2,9\": failedIndexes and completedIndexes "
            "overlap at index: 2");
  // What does not change is not looked at.
  EXPECT_EQ(
      faults(kIndexed, R"({"completedIndexes":"9"})", R"({"completedIndexes":"9","active":1})"),
      "");
}

TEST(JobStatus, MeetsTheCriteriaOfItsPolicyFirst) {
  EXPECT_EQ(faults(R"({"completions":1,"completionMode":"Indexed","successPolicy":{"rules":[]}})",
                   R"({"conditions":[{"type":"Complete","status":"True"}]})",
                   R"({"conditions":[{"type":"Complete","status":"True"}]})"),
            "status.conditions: Invalid value: cannot set Complete=True for Job with SuccessPolicy "
            "unless SuccessCriteriaMet=True");
}

}  // namespace
}  // namespace strake::kinds
