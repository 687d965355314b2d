// Deployments, ReplicaSets, StatefulSets, DaemonSets, ControllerRevisions and
// ReplicationControllers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/workloads/test_verdicts.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using testing::create;
using testing::part;
using testing::row;
using testing::update;
using testing::update_status;
using testing::workload;

const Resource& deployments() { return workload("apps", "v1", "deployments"); }
const Resource& replica_sets() { return workload("apps", "v1", "replicasets"); }
const Resource& stateful_sets() { return workload("apps", "v1", "statefulsets"); }
const Resource& daemon_sets() { return workload("apps", "v1", "daemonsets"); }
const Resource& revisions() { return workload("apps", "v1", "controllerrevisions"); }
const Resource& replication_controllers() { return workload("", "v1", "replicationcontrollers"); }

constexpr std::string_view kPod =
    R"("template":{"metadata":{"labels":{"app":"a"}},"spec":{"restartPolicy":"Always",)"
    R"("containers":[{"name":"c","image":"nginx"}]}})";
constexpr std::string_view kOtherPod =
    R"("template":{"metadata":{"labels":{"app":"a"}},"spec":{"restartPolicy":"Always",)"
    R"("containers":[{"name":"c","image":"y"}]}})";
constexpr std::string_view kSelector = R"("selector":{"matchLabels":{"app":"a"}})";

// With a selector, a pod template and more.
std::string with_pod(std::string_view more = "", std::string_view status = "{}",
                     std::string_view metadata = "", std::string_view pod = kPod) {
  return fmt::format(R"({{"metadata":{{"name":"a"{}}},"spec":{{{},{}{}}},"status":{}}})", metadata,
                     kSelector, pod, more, status);
}

TEST(Deployment, IsFilledIn) {
  const std::string made = create(deployments(), with_pod("", R"({"replicas":9})"));
  EXPECT_EQ(part(made, ".spec.replicas"), "1");
  EXPECT_EQ(
      part(made, ".spec.strategy"),
      R"({"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"})");
  EXPECT_EQ(part(made, ".spec.revisionHistoryLimit"), "10");
  EXPECT_EQ(part(made, ".spec.progressDeadlineSeconds"), "600");
  EXPECT_EQ(part(made, ".status"), "{}");
  EXPECT_EQ(
      part(create(deployments(), with_pod(R"(,"strategy":{"type":"Recreate"})")), ".spec.strategy"),
      R"({"type":"Recreate"})");
}

TEST(Deployment, IsRefusedWithNumbersAndStrategiesThatMakeNoSense) {
  struct Case {
    std::string_view more;
    std::string_view want;
  };
  const Case cases[] = {
      {R"(,"strategy":{"type":"Recreate","rollingUpdate":{}})",
       "422: spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is "
       "'Recreate'"},
      {R"(,"strategy":{"type":"Blue","rollingUpdate":{"maxSurge":1}})",
       R"(422: spec.strategy: Unsupported value: {"Type":"Blue","RollingUpdate":{"MaxUnavailable":0,"MaxSurge":1}}: supported values: "Recreate", "RollingUpdate")"},
      {R"(,"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":"0%"}})",
       R"(422: spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0)"},
      {R"(,"strategy":{"rollingUpdate":{"maxSurge":-1}})",
       "422: spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or "
       "equal to 0"},
      {R"(,"minReadySeconds":5,"progressDeadlineSeconds":5)",
       "422: spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds"},
      {R"(,"revisionHistoryLimit":-1)",
       "422: spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0"},
      // A percentage may be larger than any number.
      {R"(,"strategy":{"rollingUpdate":{"maxUnavailable":"99999999999999999999%"}})",
       R"(422: spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "99999999999999999999%": must not be greater than 100%)"},
  };
  for (const Case& one : cases) EXPECT_EQ(create(deployments(), with_pod(one.more)), one.want);
}

TEST(Deployment, CountsChangesOfItsAnnotations) {
  const std::string stored = with_pod("", "{}", R"(,"generation":3)");
  EXPECT_EQ(part(update(deployments(), stored,
                        with_pod("", "{}", R"(,"generation":3,"annotations":{"x":"y"})")),
                 ".metadata.generation"),
            "4");
  EXPECT_EQ(part(update(deployments(), stored, stored), ".metadata.generation"), "3");
}

TEST(Deployment, KeepsItsSelectorAndItsStatus) {
  EXPECT_EQ(update(deployments(), with_pod(),
                   R"({"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"app":"b"}},)"
                   R"("template":{"metadata":{"labels":{"app":"b"}},"spec":{"restartPolicy":)"
                   R"("Always","containers":[{"name":"c","image":"i"}]}}}})"),
            "422: spec.selector: Invalid value: {\"matchLabels\":{\"app\":\"b\"}}: field is "
            "immutable");
  EXPECT_EQ(part(update(deployments(), with_pod("", R"({"replicas":3})"),
                        with_pod("", R"({"replicas":77})")),
                 ".status.replicas"),
            "3");
}

TEST(Deployment, KeepsItsLabelsInAWriteOfItsStatus) {
  const std::string written =
      update_status(deployments(), "status", with_pod(R"(,"replicas":3)"),
                    with_pod(R"(,"replicas":9)", R"({"replicas":3,"readyReplicas":2})",
                             R"(,"labels":{"via":"status"},"annotations":{"k":"v"})"));
  EXPECT_EQ(part(written, ".metadata.labels"), "none");
  EXPECT_EQ(part(written, ".metadata.annotations"), R"({"k":"v"})");
  EXPECT_EQ(part(written, ".spec.replicas"), "3");
  EXPECT_EQ(part(written, ".status"), R"({"readyReplicas":2,"replicas":3})");
}

TEST(Deployment, IsRefusedAStatusThatDoesNotAddUp) {
  const std::string stored = with_pod("", R"({"collisionCount":1})");
  EXPECT_EQ(
      update_status(deployments(), "status", stored,
                    with_pod("", R"({"replicas":-1,"readyReplicas":9,"updatedReplicas":3,)"
                                 R"("availableReplicas":2,"collisionCount":1})")),
      "422: status.availableReplicas: Invalid value: 2: cannot be greater than status.replicas; "
      "status.readyReplicas: Invalid value: 9: cannot be greater than status.replicas; "
      "status.replicas: Invalid value: -1: must be greater than or equal to 0; "
      "status.updatedReplicas: Invalid value: 3: cannot be greater than status.replicas");
  for (const std::string_view fewer : {R"({"collisionCount":0})", "{}"}) {
    EXPECT_EQ(update_status(deployments(), "status", stored, with_pod("", fewer)),
              "422: status.collisionCount: Invalid value: 0: cannot be decremented");
  }
}

TEST(Deployment, KeepsTheRollbackOfOldVersionsInItsAnnotation) {
  constexpr std::string_view kRollback =
      R"(,"annotations":{{"deprecated.deployment.rollback.revision":"{}"}})";
  const auto make = [&](std::string_view revision) {
    return create(deployments(),
                  with_pod("", "{}", fmt::format(fmt::runtime(kRollback), revision)));
  };
  EXPECT_EQ(part(make("5"), ".metadata.annotations"),
            R"({"deprecated.deployment.rollback.revision":"5"})");
  EXPECT_EQ(part(make(""), ".metadata.annotations"), "none");
  EXPECT_EQ(make("-1"),
            "422: spec.rollback.version: Invalid value: -1: must be greater than or equal to 0");
}

TEST(Deployment, IsPrintedWithItsPods) {
  EXPECT_EQ(
      row(deployments(),
          R"({"metadata":{"name":"a","creationTimestamp":"2024-01-01T00:00:00Z"},"spec":{)"
          R"("replicas":3,"selector":{"matchLabels":{"app":"a"},"matchExpressions":[)"
          R"({"key":"b","operator":"In","values":["y","x"]},{"key":"Z","operator":"DoesNotExist"}]},)"
          R"("template":{"spec":{"containers":[{"name":"c","image":"i"},{"name":"d","image":"j"}]}}},)"
          R"("status":{"readyReplicas":2,"updatedReplicas":3,"availableReplicas":2}})",
          "2024-01-01T00:00:42Z"),
      R"x(["a","2/3",3,2,"42s","c,d","i,j","!Z,app=a,b in (x,y)"])x");
}

TEST(Deployment, IsWarnedOfANameThatIsNoHostName) {
  const auto warnings_of = [](std::string_view name) {
    const auto made = value::read_json(fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
    return deployments().strategy->warnings(made->root(), nullptr);
  };
  EXPECT_TRUE(warnings_of("a").empty());
  const std::vector<std::string> found = warnings_of("a_b");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with(
      "metadata.name: this is used in Pod names and hostnames, which can result in surprising "
      "behavior; a DNS label is recommended: [a lowercase RFC 1123 label must consist of"));
}

TEST(ReplicaSet, MustSelectItsPods) {
  EXPECT_EQ(
      create(replica_sets(),
             R"({"metadata":{"name":"x"},"spec":{"selector":{"matchLabels":{"app":"a"}},)"
             R"("template":{"metadata":{"labels":{"z":"z"}},"spec":{"restartPolicy":"Always",)"
             R"("containers":[{"name":"c","image":"nginx"}]}}}})"),
      R"(422: spec.template.metadata.labels: Invalid value: {"z":"z"}: `selector` does not match template `labels`)");
  EXPECT_EQ(part(create(replica_sets(), with_pod()), ".status"), R"({"replicas":0})");
}

TEST(ReplicaSet, IsRefusedAStatusThatDoesNotAddUp) {
  EXPECT_EQ(
      update_status(replica_sets(), "status", with_pod(),
                    with_pod("", R"({"replicas":1,"readyReplicas":5,"availableReplicas":6,)"
                                 R"("fullyLabeledReplicas":2,"terminatingReplicas":-1})")),
      "422: status.availableReplicas: Invalid value: 6: cannot be greater than readyReplicas; "
      "status.availableReplicas: Invalid value: 6: cannot be greater than status.replicas; "
      "status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas; "
      "status.readyReplicas: Invalid value: 5: cannot be greater than status.replicas; "
      "status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0");
}

TEST(ReplicaSet, IsNotFoundByItsStatus) {
  const ServedVersion& version = replica_sets().versions.front();
  EXPECT_FALSE(replica_sets().strategy->offers_field("status.replicas", version));
  EXPECT_TRUE(replication_controllers().strategy->offers_field("status.replicas", version));
}

TEST(ReplicaSet, IsPrintedWithItsPods) {
  EXPECT_EQ(row(replica_sets(), with_pod(R"(,"replicas":6)", R"({"replicas":2,"readyReplicas":1})"),
                "2024-01-01T00:00:00Z"),
            R"(["a",6,2,1,"\u003cunknown\u003e","c","nginx","app=a"])");
}

TEST(StatefulSet, IsFilledIn) {
  const std::string made = create(
      stateful_sets(),
      with_pod(R"(,"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":)"
               R"(["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}])"));
  EXPECT_EQ(part(made, ".spec.persistentVolumeClaimRetentionPolicy"),
            R"({"whenDeleted":"Retain","whenScaled":"Retain"})");
  EXPECT_EQ(part(made, ".spec.podManagementPolicy"), R"("OrderedReady")");
  EXPECT_EQ(part(made, ".spec.serviceName"), R"("")");
  EXPECT_EQ(part(made, ".spec.updateStrategy"),
            R"({"rollingUpdate":{"partition":0},"type":"RollingUpdate"})");
  EXPECT_EQ(part(made, ".spec.volumeClaimTemplates[0].kind"), R"("PersistentVolumeClaim")");
  EXPECT_EQ(part(made, ".spec.volumeClaimTemplates[0].apiVersion"), R"("v1")");
  EXPECT_EQ(part(made, ".spec.volumeClaimTemplates[0].status"), R"({"phase":"Pending"})");
  EXPECT_EQ(part(made, ".status"), R"({"availableReplicas":0,"replicas":0})");
  // Only a strategy that is not named gets a rolling update.
  EXPECT_EQ(part(create(stateful_sets(), with_pod(R"(,"updateStrategy":{"type":"RollingUpdate"})")),
                 ".spec.updateStrategy"),
            R"({"type":"RollingUpdate"})");
}

TEST(StatefulSet, TakesNoMaxUnavailableUnlessItHasOne) {
  constexpr std::string_view kRolling =
      R"(,"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}})";
  EXPECT_EQ(part(create(stateful_sets(), with_pod(kRolling)), ".spec.updateStrategy.rollingUpdate"),
            R"({"partition":0})");
  EXPECT_EQ(part(update(stateful_sets(), with_pod(), with_pod(kRolling)),
                 ".spec.updateStrategy.rollingUpdate"),
            R"({"partition":0})");
  EXPECT_EQ(part(update(stateful_sets(), with_pod(kRolling), with_pod(kRolling)),
                 ".spec.updateStrategy.rollingUpdate"),
            R"({"maxUnavailable":2,"partition":0})");
  EXPECT_EQ(update(stateful_sets(), with_pod(kRolling),
                   with_pod(R"(,"updateStrategy":{"rollingUpdate":{"maxUnavailable":0}})")),
            "422: spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0");
}

TEST(StatefulSet, IsRefusedWhatMakesNoSense) {
  EXPECT_EQ(
      create(stateful_sets(),
             with_pod(R"(,"podManagementPolicy":"X","updateStrategy":{"type":"Y"},)"
                      R"("replicas":-1,"ordinals":{"start":-1},"serviceName":"-")")),
      "422: spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0; "
      "spec.podManagementPolicy: Invalid value: \"X\": must be 'OrderedReady' or 'Parallel'; "
      "spec.replicas: Invalid value: -1: must be greater than or equal to 0; "
      "spec.serviceName: Invalid value: \"-\": a lowercase RFC 1123 label must consist of lower "
      "case alphanumeric characters or '-', and must start and end with an alphanumeric character "
      "(e.g. 'my-name',  or '123-abc', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?'); "
      "spec.updateStrategy: Invalid value: {\"Type\":\"Y\",\"RollingUpdate\":null}: must be "
      "'RollingUpdate' or 'OnDelete'");
  EXPECT_EQ(
      create(stateful_sets(), fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{{},{}}}}})",
                                          std::string(64, 'a'), kSelector, kPod)),
      fmt::format("422: metadata.name: Invalid value: \"{}\": must be no more than 63 "
                  "characters",
                  std::string(64, 'a')));
}

TEST(StatefulSet, MayOnlyChangeWhatItsPodsDoNotDependOn) {
  constexpr std::string_view kForbidden =
      "422: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', "
      "'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', "
      "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  const std::string stored = with_pod(R"(,"serviceName":"web")");
  for (const std::string_view more :
       {R"(,"serviceName":"other")", R"(,"serviceName":"web","podManagementPolicy":"Parallel")"}) {
    EXPECT_EQ(update(stateful_sets(), stored, with_pod(more)), kForbidden);
  }
  const std::string changed = update(
      stateful_sets(), stored,
      with_pod(R"(,"serviceName":"web","replicas":8,"ordinals":{"start":2},"minReadySeconds":5,)"
               R"("revisionHistoryLimit":-3,"updateStrategy":{"type":"OnDelete"},)"
               R"("persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete"})",
               "{}", "", kOtherPod));
  EXPECT_EQ(part(changed, ".spec.replicas"), "8");
  EXPECT_EQ(part(changed, ".spec.updateStrategy"), R"({"type":"OnDelete"})");
  EXPECT_EQ(part(changed, ".spec.persistentVolumeClaimRetentionPolicy"),
            R"({"whenDeleted":"Delete","whenScaled":"Retain"})");
}

TEST(StatefulSet, IsWarnedOfEndlessHistory) {
  const auto made = value::read_json(R"({"spec":{"revisionHistoryLimit":-1}})");
  EXPECT_EQ(stateful_sets().strategy->warnings(made->root(), &made->root()),
            std::vector<std::string>{"spec.revisionHistoryLimit: a negative value retains all "
                                     "historical revisions; a value >= 0 is recommended"});
  EXPECT_TRUE(stateful_sets().strategy->status_warnings(made->root(), made->root()).empty());
}

TEST(StatefulSet, IsRefusedAStatusThatDoesNotAddUp) {
  EXPECT_EQ(update_status(stateful_sets(), "status", with_pod(),
                          with_pod("", R"({"replicas":1,"readyReplicas":2,"currentReplicas":5,)"
                                       R"("availableReplicas":9})")),
            "422: status.availableReplicas: Invalid value: 9: cannot be greater than "
            "status.readyReplicas; "
            "status.availableReplicas: Invalid value: 9: cannot be greater than status.replicas; "
            "status.currentReplicas: Invalid value: 5: cannot be greater than status.replicas; "
            "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas");
}

TEST(StatefulSet, IsPrintedWithItsPods) {
  EXPECT_EQ(row(stateful_sets(), with_pod(R"(,"replicas":3)", R"({"readyReplicas":2})"),
                "2024-01-01T00:00:00Z"),
            R"(["a","2/3","\u003cunknown\u003e","c","nginx"])");
}

constexpr std::string_view kGeneration =
    R"(,"annotations":{{"deprecated.daemonset.template.generation":"{}"}})";
std::string generation(std::string_view text) {
  return fmt::format(fmt::runtime(kGeneration), text);
}
std::string generation_of(const std::string& answer) {
  return part(answer, ".metadata.annotations");
}

TEST(DaemonSet, IsFilledIn) {
  const std::string made = create(daemon_sets(), with_pod());
  EXPECT_EQ(part(made, ".spec.updateStrategy"),
            R"({"rollingUpdate":{"maxSurge":0,"maxUnavailable":1},"type":"RollingUpdate"})");
  EXPECT_EQ(part(made, ".status"),
            R"({"currentNumberScheduled":0,"desiredNumberScheduled":0,"numberMisscheduled":0,)"
            R"("numberReady":0})");
  EXPECT_EQ(part(create(daemon_sets(),
                        with_pod(R"(,"updateStrategy":{"type":"OnDelete","rollingUpdate":{}})")),
                 ".spec.updateStrategy"),
            R"({"rollingUpdate":{"maxSurge":0,"maxUnavailable":0},"type":"OnDelete"})");
}

TEST(DaemonSet, CountsChangesOfItsTemplate) {
  const std::string one = R"({"deprecated.daemonset.template.generation":"1"})";
  const std::string four = R"({"deprecated.daemonset.template.generation":"4"})";
  EXPECT_EQ(generation_of(create(daemon_sets(), with_pod())), one);
  EXPECT_EQ(generation_of(create(daemon_sets(), with_pod("", "{}", generation("x")))), one);
  EXPECT_EQ(generation_of(create(daemon_sets(), with_pod("", "{}", generation("4")))), four);
  const std::string stored = with_pod("", "{}", generation("3"));
  // Whatever the client says.
  EXPECT_EQ(
      generation_of(update(daemon_sets(), stored, with_pod("", "{}", generation("9"), kOtherPod))),
      four);
  EXPECT_EQ(generation_of(update(daemon_sets(), stored, with_pod(R"(,"minReadySeconds":3)"))),
            R"({"deprecated.daemonset.template.generation":"3"})");
  EXPECT_EQ(generation_of(update_status(daemon_sets(), "status", stored,
                                        with_pod("", "{}", generation("9")))),
            R"({"deprecated.daemonset.template.generation":"3"})");
}

TEST(DaemonSet, SurgesOrDoesWithoutPodsButNotBoth) {
  const auto rolling = [](std::string_view update) {
    return create(daemon_sets(),
                  with_pod(fmt::format(R"(,"updateStrategy":{{"rollingUpdate":{}}})", update)));
  };
  EXPECT_EQ(rolling(R"({"maxSurge":1})"),
            "422: spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set "
            "when maxUnavailable is non-zero");
  EXPECT_EQ(rolling(R"({"maxUnavailable":0})"),
            "422: spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 "
            "when maxSurge is 0");
  EXPECT_EQ(part(rolling(R"({"maxUnavailable":0,"maxSurge":"10%"})"), ".spec.updateStrategy"),
            R"({"rollingUpdate":{"maxSurge":"10%","maxUnavailable":0},"type":"RollingUpdate"})");
}

TEST(DaemonSet, RunsItsPodsForever) {
  EXPECT_EQ(
      create(daemon_sets(),
             R"({"metadata":{"name":"b"},"spec":{"selector":{"matchLabels":{"app":"a"}},)"
             R"("template":{"metadata":{"labels":{"app":"a"}},"spec":{"activeDeadlineSeconds":5,)"
             R"("restartPolicy":"OnFailure","containers":[{"name":"c","image":"nginx"}]}}}})"),
      "422: spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in "
      "DaemonSet is not Supported; spec.template.spec.restartPolicy: Unsupported value: "
      "\"OnFailure\": supported values: \"Always\"");
}

TEST(DaemonSet, IsPrintedWithItsNodes) {
  EXPECT_EQ(
      row(daemon_sets(),
          R"({"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"app":"a"}},"template":{)"
          R"("spec":{"nodeSelector":{"k":"v"},"containers":[{"name":"c","image":"y"}]}}},"status":{)"
          R"("desiredNumberScheduled":3,"currentNumberScheduled":1,"numberReady":1,)"
          R"("updatedNumberScheduled":1,"numberAvailable":1}})",
          "2024-01-01T00:00:00Z"),
      R"(["a",3,1,1,1,1,"k=v","\u003cunknown\u003e","c","y","app=a"])");
}

TEST(ControllerRevision, KeepsItsData) {
  const auto revision = [](std::string_view data, int number) {
    return fmt::format(R"({{"metadata":{{"name":"r"}},"data":{},"revision":{}}})", data, number);
  };
  EXPECT_EQ(update(revisions(), revision(R"({"x":1})", 1), revision(R"({"x":2})", 1)),
            R"(422: data: Invalid value: {"x":2}: field is immutable)");
  EXPECT_EQ(
      part(update(revisions(), revision(R"({"x":1})", 1), revision(R"({"x":1})", 5)), ".revision"),
      "5");
  EXPECT_EQ(create(revisions(), revision("null", -1)),
            "422: data: Required value: data is mandatory; revision: Invalid value: -1: must be "
            "greater than or equal to 0");
  EXPECT_EQ(create(revisions(), revision("[]", 1)),
            "422: data: Required value: data must be a valid JSON object");
}

TEST(ControllerRevision, IsPrintedWithItsController) {
  const auto owned = [](std::string_view owner) {
    return row(
        revisions(),
        fmt::format(R"({{"metadata":{{"name":"r","ownerReferences":[{}]}},"revision":1}})", owner),
        "2024-01-01T00:00:00Z");
  };
  EXPECT_EQ(owned(R"({"apiVersion":"apps/v1","kind":"DaemonSet","name":"a","controller":true})"),
            R"(["r","daemonset.apps/a",1,"\u003cunknown\u003e"])");
  EXPECT_EQ(owned(R"({"apiVersion":"v1","kind":"Node","name":"n","controller":true})"),
            R"(["r","node/n",1,"\u003cunknown\u003e"])");
  EXPECT_EQ(owned(R"({"apiVersion":"v1","kind":"Node","name":"n"})"),
            R"(["r","\u003cnone\u003e",1,"\u003cunknown\u003e"])");
}

std::string controller(std::string_view more, std::string_view metadata = "") {
  return fmt::format(R"({{"metadata":{{"name":"r"{}}},"spec":{{{}{}}}}})", metadata, kPod, more);
}

TEST(ReplicationController, TakesLabelsAndSelectorFromItsTemplate) {
  const std::string made = create(replication_controllers(), controller(""));
  EXPECT_EQ(part(made, ".metadata.labels"), R"({"app":"a"})");
  EXPECT_EQ(part(made, ".spec.selector"), R"({"app":"a"})");
  EXPECT_EQ(part(made, ".spec.replicas"), "1");
  EXPECT_EQ(part(made, ".status"), R"({"replicas":0})");
}

TEST(ReplicationController, MustSelectItsPods) {
  EXPECT_EQ(
      create(replication_controllers(), controller(R"(,"selector":{"z":"z"},"replicas":-1)")),
      "422: spec.replicas: Invalid value: -1: must be greater than or equal to 0; "
      R"(spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`)");
  EXPECT_EQ(create(replication_controllers(), R"({"metadata":{"name":"r"}})"),
            "422: spec.selector: Required value; spec.template: Required value");
}

TEST(ReplicationController, KeepsWhatItCannotExpress) {
  const std::string stored =
      controller("", R"(,"annotations":{"non-convertible.kubernetes.io/spec.selector":"x",)"
                     R"("non-convertible.kubernetes.io/other":"y"})");
  EXPECT_EQ(
      update(replication_controllers(), stored,
             R"({"metadata":{"name":"r"},"spec":{"template":{"metadata":{"labels":{"b":"b"}},)"
             R"("spec":{"restartPolicy":"Always","containers":[{"name":"c","image":"i"}]}}}})"),
      R"(422: other: Not found: "y": unknown non-convertible field; )"
      R"(spec.selector: Invalid value: {"b":"b"}: cannot update non-convertible selector)");
}

TEST(ReplicationController, IsPrintedWithItsPods) {
  EXPECT_EQ(row(replication_controllers(), controller(R"(,"selector":{"b":"x","a":"y"})"),
                "2024-01-01T00:00:00Z"),
            R"(["r",1,0,0,"\u003cunknown\u003e","c","nginx","a=y,b=x"])");
}

}  // namespace
}  // namespace strake::kinds
