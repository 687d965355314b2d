// Jobs and CronJobs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/workloads/test_verdicts.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using testing::create;
using testing::give_identity;
using testing::part;
using testing::row;
using testing::update;
using testing::update_status;
using testing::workload;

const Resource& jobs() { return workload("batch", "v1", "jobs"); }
const Resource& cron_jobs() { return workload("batch", "v1", "cronjobs"); }

constexpr std::string_view kPodSpec =
    R"({"restartPolicy":"Never","containers":[{"name":"c","image":"nginx"}]})";

// What the pod template has beside its spec is `pod_metadata`.
std::string job(std::string_view more = "", std::string_view status = "{}",
                std::string_view metadata = "", std::string_view pod_metadata = "{}") {
  return fmt::format(
      R"({{"metadata":{{"name":"a"{}}},"spec":{{"template":{{"metadata":{},"spec":{}}}{}}},"status":{}}})",
      metadata, pod_metadata, kPodSpec, more, status);
}

// As it is stored: with the selector that the server made.
std::string stored_job(std::string_view more = "", std::string_view status = "{}",
                       std::string_view pod_spec = kPodSpec, std::string_view pod_more = "") {
  return fmt::format(
      R"({{"metadata":{{"name":"a","uid":"u"}},"spec":{{"selector":{{"matchLabels":{{"batch.kubernetes.io/controller-uid":"u"}}}},"template":{{"metadata":{{"labels":{{"controller-uid":"u","job-name":"a","batch.kubernetes.io/controller-uid":"u","batch.kubernetes.io/job-name":"a"}}{}}},"spec":{}}}{}}},"status":{}}})",
      pod_more, pod_spec, more, status);
}

std::string make(std::string_view json) { return create(jobs(), json, give_identity); }

constexpr std::string_view kLabels =
    R"("batch.kubernetes.io/controller-uid":"00000000-0000-4000-8000-000000000000",)"
    R"("batch.kubernetes.io/job-name":"a","controller-uid":"00000000-0000-4000-8000-000000000000",)"
    R"("job-name":"a")";

TEST(Job, IsFilledIn) {
  const std::string made = make(job("", R"({"active":3})"));
  EXPECT_EQ(part(made, ".spec.completions"), "1");
  EXPECT_EQ(part(made, ".spec.parallelism"), "1");
  EXPECT_EQ(part(made, ".spec.backoffLimit"), "6");
  EXPECT_EQ(part(made, ".spec.completionMode"), R"("NonIndexed")");
  EXPECT_EQ(part(made, ".spec.podReplacementPolicy"), R"("TerminatingOrFailed")");
  EXPECT_EQ(part(made, ".spec.suspend"), "false");
  EXPECT_EQ(part(made, ".status"), "{}");
  const std::string queue = make(job(R"(,"parallelism":3)"));
  EXPECT_EQ(part(queue, ".spec.completions"), "none");
  const std::string each = make(job(
      R"(,"completionMode":"Indexed","completions":3,"backoffLimitPerIndex":1,"podFailurePolicy":{)"
      R"("rules":[{"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget"}]}]})"));
  EXPECT_EQ(part(each, ".spec.backoffLimit"), "2147483647");
  EXPECT_EQ(part(each, ".spec.podReplacementPolicy"), R"("Failed")");
  EXPECT_EQ(part(each, ".spec.podFailurePolicy.rules[0].onPodConditions[0].status"), R"("True")");
}

TEST(Job, SelectsItsPodsByItsUid) {
  const std::string made = make(job());
  const std::string labels = fmt::format("{{{}}}", kLabels);
  EXPECT_EQ(part(made, ".spec.template.metadata.labels"), labels);
  // A job without labels has those of its template.
  EXPECT_EQ(part(made, ".metadata.labels"), labels);
  EXPECT_EQ(part(made, ".spec.selector"), R"({"matchLabels":{"batch.kubernetes.io/controller-uid":)"
                                          R"("00000000-0000-4000-8000-000000000000"}})");
}

TEST(Job, SharesTheLabelsOfItsTemplateUnlessItHasItsOwn) {
  const std::string shared = make(job("", "{}", "", R"({"labels":{"app":"x"}})"));
  EXPECT_EQ(part(shared, ".metadata.labels"), fmt::format(R"({{"app":"x",{}}})", kLabels));
  const std::string own =
      make(job("", "{}", R"(,"labels":{"app":"x"})", R"({"labels":{"app":"x"}})"));
  EXPECT_EQ(part(own, ".metadata.labels"), R"({"app":"x"})");
  const std::string named = make(
      R"({"metadata":{"name":"x","generateName":"g-"},"spec":{"template":{"metadata":{"labels":)"
      R"({"app":"x"}},"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})");
  EXPECT_EQ(part(named, ".metadata.labels"), R"({"app":"x"})");
}

TEST(Job, MaySelectItsPodsByHand) {
  const std::string made =
      make(job(R"(,"manualSelector":true,"selector":{"matchLabels":{"app":"a"}})", "{}", "",
               R"({"labels":{"app":"a"}})"));
  EXPECT_EQ(part(made, ".spec.selector"), R"({"matchLabels":{"app":"a"}})");
  EXPECT_EQ(part(made, ".metadata.labels"), R"({"app":"a"})");
  EXPECT_EQ(make(job(R"(,"selector":{"matchLabels":{"app":"a"}})")),
            R"(422: spec.selector: Invalid value: {"matchLabels":{"app":"a",)"
            R"("batch.kubernetes.io/controller-uid":"00000000-0000-4000-8000-000000000000"}}: )"
            R"(`selector` not auto-generated; spec.template.metadata.labels: Invalid value: {)" +
                std::string(kLabels) + R"(}: `selector` does not match template `labels`)");
}

TEST(Job, IsRefusedWhatMakesNoSense) {
  struct Case {
    std::string_view more;
    std::string_view want;
  };
  const Case cases[] = {
      {R"(,"completionMode":"Indexed","parallelism":1)",
       "422: spec.completions: Required value: when completion mode is Indexed"},
      {R"(,"completionMode":"Indexed","completions":200000,"parallelism":20000,"backoffLimitPerIndex":1)",
       "422: spec.maxFailedIndexes: Required value: must be specified when completions is above "
       "100000; spec.parallelism: Invalid value: 20000: must be less than or equal to 10000 when "
       "completions are above 100000 and used with backoff limit per index"},
      {R"(,"completionMode":"Indexed","completions":3,"maxFailedIndexes":4)",
       "422: spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified; "
       "spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions"},
      {R"(,"managedBy":"example.com/a b")",
       R"(422: spec.managedBy: Invalid value: "a b": Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+'))"},
      {R"(,"managedBy":"X/y")",
       R"(422: spec.managedBy: Invalid value: "X": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))"},
      {R"(,"podFailurePolicy":{"rules":[{"action":"FailIndex","onExitCodes":{"operator":"In","values":[3,1]}}]})",
       R"(422: spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set; )"
       R"(spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [3,1]: must be ordered)"},
      {R"(,"podFailurePolicy":{"rules":[{"action":"","onExitCodes":{"containerName":"z","operator":"","values":[]}}]})",
       R"(422: spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]; )"
       R"(spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "z": must be one of the container or initContainer names in the pod template; )"
       R"(spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]; )"
       R"(spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []: at least one value is required)"},
      {R"(,"completionMode":"Indexed","completions":3,"successPolicy":{"rules":[{},{"succeededIndexes":"0-1","succeededCount":3},{"succeededIndexes":"3"}]})",
       "422: spec.successPolicy.rules[0]: Required value: at least one of succeededCount or "
       "succeededIndexes must be specified; "
       "spec.successPolicy.rules[1].succeededCount: Invalid value: 3: must be less than or equal "
       "to 2 (the number of indexes in the specified succeededIndexes field); "
       R"(spec.successPolicy.rules[2].succeededIndexes: Invalid value: "3": error parsing succeededIndexes: too large index: "3")"},
      {R"(,"completionMode":"Indexed","completions":3,"successPolicy":{"rules":[]})",
       "422: spec.successPolicy.rules: Required value: at least one rules must be specified when "
       "the successPolicy is specified"},
  };
  for (const Case& one : cases) EXPECT_EQ(make(job(one.more)), one.want);
}

TEST(Job, OfManyIndexesNeedsAShortName) {
  const std::string name(62, 'a');
  EXPECT_EQ(
      make(fmt::format(
          R"({{"metadata":{{"name":"{}"}},"spec":{{"completionMode":"Indexed","completions":11,"template":{{"spec":{}}}}}}})",
          name, kPodSpec)),
      fmt::format("422: metadata.name: Invalid value: \"{0}\": will not able to create pod with "
                  "invalid DNS label: {0}-10",
                  name));
}

TEST(Job, KeepsWhatItWasMadeOf) {
  struct Case {
    std::string_view before;
    std::string_view after;
    std::string_view want;
  };
  const Case cases[] = {
      {R"(,"completions":1,"parallelism":1)", R"(,"completions":9,"parallelism":1)",
       "422: spec.completions: Invalid value: 9: field is immutable"},
      {R"(,"completionMode":"Indexed","completions":3)",
       R"(,"completionMode":"Indexed","completions":5,"parallelism":4)",
       "422: spec.completions: Invalid value: 5: can only be modified in tandem with "
       "spec.parallelism"},
      {R"(,"managedBy":"example.com/x")", R"(,"managedBy":"example.com/y")",
       "422: spec.managedBy: Invalid value: \"example.com/y\": field is immutable"},
      {R"(,"completionMode":"Indexed","completions":1)", R"(,"completions":1)",
       "422: spec.completionMode: Invalid value: \"NonIndexed\": field is immutable"},
      {"",
       R"(,"podFailurePolicy":{"rules":[{"action":"Count","onExitCodes":{"operator":"In","values":[1]}}]})",
       R"(422: spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Count","OnExitCodes":{"ContainerName":null,"Operator":"In","Values":[1]},"OnPodConditions":null}]}: field is immutable)"},
      {R"(,"completionMode":"Indexed","completions":1,"successPolicy":{"rules":[{"succeededCount":1}]})",
       R"(,"completionMode":"Indexed","completions":1)",
       "422: spec.successPolicy: Invalid value: null: field is immutable"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(update(jobs(), stored_job(one.before), stored_job(one.after)), one.want);
  }
  const std::string resized =
      update(jobs(), stored_job(R"(,"completionMode":"Indexed","completions":3)"),
             stored_job(R"(,"completionMode":"Indexed","completions":5,"parallelism":5)"));
  EXPECT_EQ(part(resized, ".spec.completions"), "5");
}

constexpr std::string_view kElsewhere =
    R"({"restartPolicy":"Never","nodeSelector":{"a":"b"},"affinity":{"nodeAffinity":{}},)"
    R"("tolerations":[{"key":"k","operator":"Exists"}],)"
    R"("containers":[{"name":"c","image":"nginx","resources":{"limits":{"cpu":"2"}}}]})";
constexpr std::string_view kOtherImage =
    R"({"restartPolicy":"Never","containers":[{"name":"c","image":"y"}]})";

TEST(Job, MayMoveItsPodsWhileItIsSuspendedAndHasNone) {
  const auto changed = [](std::string_view before, std::string_view status,
                          std::string_view pod_spec) {
    return update(jobs(), stored_job(before, status),
                  stored_job(before, "{}", pod_spec, R"(,"annotations":{"k":"v"})"));
  };
  constexpr std::string_view kSuspended = R"(,"suspend":true)";
  constexpr std::string_view kStarted = R"({"startTime":"2024-01-01T00:00:00Z"})";
  constexpr std::string_view kStopped =
      R"({"startTime":"2024-01-01T00:00:00Z","conditions":[{"type":"Suspended","status":"True"}]})";
  EXPECT_EQ(part(changed(kSuspended, "{}", kElsewhere), ".spec.template.spec.nodeSelector"),
            R"({"a":"b"})");
  EXPECT_EQ(part(changed(kSuspended, kStopped, kElsewhere), ".spec.template.spec.nodeSelector"),
            R"({"a":"b"})");
  const auto refused_at = [](const std::string& answer) {
    return answer.substr(0, answer.find(": Invalid"));
  };
  EXPECT_EQ(refused_at(changed(kSuspended, "{}", kOtherImage)), "422: spec.template.spec");
  EXPECT_EQ(refused_at(changed(kSuspended, kStarted, kElsewhere)), "422: spec.template");
  EXPECT_EQ(refused_at(changed(kSuspended, R"({"active":1})", kElsewhere)), "422: spec.template");
  EXPECT_EQ(refused_at(changed("", "{}", kElsewhere)), "422: spec.template");
}

TEST(Job, IsPrintedWithHowFarItIs) {
  struct Case {
    std::string_view spec;
    std::string_view status;
    std::string_view want;
  };
  const Case cases[] = {
      {R"(,"completions":1)", "{}", R"("Running","0/1","")"},
      {R"(,"parallelism":3)", R"({"succeeded":2})", R"("Running","2/1 of 3","")"},
      {R"(,"completions":1)",
       R"({"succeeded":1,"startTime":"2024-01-01T00:00:00Z","completionTime":"2024-01-01T00:01:40Z","conditions":[{"type":"SuccessCriteriaMet","status":"True"},{"type":"Complete","status":"True"}]})",
       R"("Complete","1/1","100s")"},
      {R"(,"completions":1)",
       R"({"startTime":"2024-01-01T00:00:00Z","conditions":[{"type":"Suspended","status":"True"}]})",
       R"("Suspended","0/1","10s")"},
      {R"(,"completions":1)", R"({"conditions":[{"type":"FailureTarget","status":"True"}]})",
       R"("FailureTarget","0/1","")"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(row(jobs(), stored_job(one.spec, one.status), "2024-01-01T00:00:10Z"),
              fmt::format(R"(["a",{},"\u003cunknown\u003e","c","nginx",)"
                          R"("batch.kubernetes.io/controller-uid=u"])",
                          one.want));
  }
}

TEST(Job, IsFoundByHowManyPodsSucceeded) {
  const auto found = value::read_json(R"({"status":{"succeeded":2}})");
  EXPECT_TRUE(jobs().strategy->offers_field("status.successful", jobs().versions.front()));
  EXPECT_EQ(jobs().strategy->field(found->root(), "status.successful"), "2");
}

TEST(Job, IsWarnedOfMoreThanCanBeTracked) {
  const auto many = value::read_json(
      R"({"metadata":{"name":"a"},"spec":{"completionMode":"Indexed","completions":100001,"parallelism":10001}})");
  const std::vector<std::string> want = {
      "spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism "
      "higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number "
      "of indexes fail"};
  EXPECT_EQ(jobs().strategy->warnings(many->root(), nullptr), want);
  EXPECT_TRUE(jobs().strategy->warnings(many->root(), &many->root()).empty());
}

// --- CronJob

std::string cron_job(std::string_view spec, std::string_view job_more = "",
                     std::string_view name = "a") {
  return fmt::format(
      R"({{"metadata":{{"name":"{}"}},"spec":{{"jobTemplate":{{"spec":{{"template":{{"spec":{}}}{}}}}},{}}}}})",
      name, kPodSpec, job_more, spec);
}
constexpr std::string_view kHourly = R"("schedule":"@hourly")";

TEST(CronJob, IsFilledIn) {
  const std::string made = create(cron_jobs(), cron_job(kHourly));
  EXPECT_EQ(part(made, ".spec.concurrencyPolicy"), R"("Allow")");
  EXPECT_EQ(part(made, ".spec.failedJobsHistoryLimit"), "1");
  EXPECT_EQ(part(made, ".spec.successfulJobsHistoryLimit"), "3");
  EXPECT_EQ(part(made, ".spec.suspend"), "false");
  EXPECT_EQ(part(made, ".spec.jobTemplate.spec.backoffLimit"), "none");
  EXPECT_EQ(part(made, ".status"), "{}");
}

TEST(CronJob, IsRefusedWhatMakesNoSense) {
  struct Case {
    std::string_view spec;
    std::string_view want;
  };
  const Case cases[] = {
      {R"("schedule":"")", "422: spec.schedule: Required value"},
      {R"("schedule":"0 0 * *")",
       "422: spec.schedule: Invalid value: \"0 0 * *\": expected exactly 5 fields, found 4: [0 0 * "
       "*]"},
      {R"("schedule":"TZ=UTC 0 0 * * *")",
       "422: spec.schedule: Invalid value: \"TZ=UTC 0 0 * * *\": cannot use TZ or CRON_TZ in "
       "schedule, use timeZone field instead"},
      {R"("schedule":"@hourly","timeZone":"Mars/Base")",
       "422: spec.timeZone: Invalid value: \"Mars/Base\": unknown time zone Mars/Base"},
      {R"("schedule":"@hourly","timeZone":"a//b")",
       "422: spec.timeZone: Invalid value: \"a//b\": unknown time zone a//b"},
      {R"("schedule":"@hourly","timeZone":"")",
       "422: spec.timeZone: Invalid value: \"\": timeZone must be nil or non-empty string"},
      {R"("schedule":"@hourly","timeZone":"local")",
       "422: spec.timeZone: Invalid value: \"local\": timeZone must be an explicit time zone as "
       "defined in https://www.iana.org/time-zones; spec.timeZone: Invalid value: \"local\": "
       "unknown time zone local"},
      {R"("schedule":"@hourly","startingDeadlineSeconds":-1,"successfulJobsHistoryLimit":-1,"concurrencyPolicy":"X")",
       "422: spec.concurrencyPolicy: Unsupported value: \"X\": supported values: \"Allow\", "
       "\"Forbid\", \"Replace\"; spec.startingDeadlineSeconds: Invalid value: -1: must be greater "
       "than or equal to 0; spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater "
       "than or equal to 0"},
  };
  for (const Case& one : cases) EXPECT_EQ(create(cron_jobs(), cron_job(one.spec)), one.want);
  EXPECT_EQ(create(cron_jobs(), cron_job(kHourly, R"(,"selector":{"matchLabels":{"app":"a"}},)"
                                                  R"("manualSelector":true)")),
            "422: spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "
            "\"nil\", \"false\"; spec.jobTemplate.spec.selector: Invalid value: "
            "{\"matchLabels\":{\"app\":\"a\"}}: `selector` will be auto-generated");
}

TEST(CronJob, NeedsANameThatLeavesRoomForTheTime) {
  const std::string name(53, 'a');
  EXPECT_EQ(create(cron_jobs(), cron_job(kHourly, "", name)),
            fmt::format("422: metadata.name: Invalid value: \"{}\": must be no more than 52 "
                        "characters",
                        name));
  EXPECT_EQ(part(update(cron_jobs(), cron_job(kHourly, "", name), cron_job(kHourly, "", name)),
                 ".metadata.name"),
            fmt::format("\"{}\"", name));
}

TEST(CronJob, MayKeepAZoneInItsSchedule) {
  constexpr std::string_view kZone = R"("schedule":"TZ=UTC 0 0 * * *")";
  EXPECT_EQ(part(update(cron_jobs(), cron_job(kZone), cron_job(kZone)), ".spec.schedule"),
            R"("TZ=UTC 0 0 * * *")");
  EXPECT_EQ(update(cron_jobs(), cron_job(kZone),
                   cron_job(R"("schedule":"TZ=UTC 0 0 * * *","timeZone":"UTC")")),
            "422: spec.schedule: Invalid value: \"TZ=UTC 0 0 * * *\": cannot use both timeZone "
            "field and TZ or CRON_TZ in schedule");
  // A zone that is not changed is not looked at.
  constexpr std::string_view kGone = R"("schedule":"@hourly","timeZone":"Gone/Zone")";
  EXPECT_EQ(part(update(cron_jobs(), cron_job(kGone), cron_job(kGone)), ".spec.timeZone"),
            R"("Gone/Zone")");
  const auto zoned = value::read_json(cron_job(kZone));
  const std::vector<std::string> warnings =
      cron_jobs().strategy->warnings(zoned->root(), &zoned->root());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see "
            "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more "
            "details");
}

TEST(CronJob, IsPrintedWithItsJobs) {
  EXPECT_EQ(
      row(cron_jobs(),
          R"({"metadata":{"name":"a"},"spec":{"schedule":"@daily","timeZone":"Europe/Paris",)"
          R"("suspend":true,"jobTemplate":{"spec":{"template":{"spec":{"containers":[)"
          R"({"name":"c","image":"i"}]}}}}},"status":{"active":[{"name":"j"}],)"
          R"("lastScheduleTime":"2024-01-01T00:00:00Z"}})",
          "2024-01-01T00:01:00Z"),
      R"(["a","@daily","Europe/Paris","True",1,"60s","\u003cunknown\u003e","c","i","\u003cnone\u003e"])");
  EXPECT_EQ(
      row(cron_jobs(), cron_job(kHourly), "2024-01-01T00:01:00Z"),
      R"(["a","@hourly","\u003cnone\u003e","False",0,"\u003cnone\u003e","\u003cunknown\u003e","c","nginx","\u003cnone\u003e"])");
}

}  // namespace
}  // namespace strake::kinds
