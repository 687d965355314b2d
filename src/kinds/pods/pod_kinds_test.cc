// Updates, subresources, tables and selectors of pods and their templates, as in the recorded
// conversations with kube-apiserver 1.36.
#include "kinds/pods/pod_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kinds/test_requests.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using ::testing::AllOf;
using testing::create;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testing::update;
using testing::update_status;

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
std::string containers(const std::string& json) {
  return R"({"metadata":{"name":"a","generation":1},"spec":{"containers":[)" + json + "]}}";
}

constexpr const char* kOnlySomeFields = "422: spec: Forbidden: pod updates may not change fields";

TEST(PodCreation, GivesAStatusAndNothingElse) {
  EXPECT_THAT(create(pods(), pod_with_status(R"({"phase":"Running","podIP":"1.2.3.4"})")),
              HasSubstr(R"("status":{"phase":"Pending","qosClass":"BestEffort"})"));
  EXPECT_THAT(create(pods(), pod_with_status(R"({"qosClass":"Burstable"})")),
              HasSubstr(R"("status":{"phase":"Pending","qosClass":"Burstable"})"));
}

TEST(PodCreation, FindsTheClassOfServiceFromRequestsAndLimits) {
  const auto qos = [](const std::string& json) {
    const std::string made = create(pods(), json);
    const std::size_t at = made.find(R"("qosClass":")");
    return made.substr(at + 12, made.find('"', at + 12) - at - 12);
  };
  const auto of_container = [&](const std::string& resources) {
    return qos(containers(R"({"name":"c","image":"x","resources":)" + resources + "}"));
  };
  EXPECT_EQ(of_container("{}"), "BestEffort");
  EXPECT_EQ(of_container(R"({"limits":{"cpu":"1"}})"), "Burstable");
  EXPECT_EQ(of_container(R"({"limits":{"cpu":"1","memory":"1"}})"), "Guaranteed");
  EXPECT_EQ(of_container(R"({"requests":{"cpu":"1"},"limits":{"cpu":"2","memory":"1"}})"),
            "Burstable");
  EXPECT_EQ(of_container(R"({"limits":{"cpu":"0","memory":"0"}})"), "BestEffort");
  EXPECT_EQ(of_container(R"({"limits":{"nvidia.com/gpu":"1"}})"), "BestEffort");
  EXPECT_EQ(qos(pod(R"("resources":{"limits":{"cpu":"1","memory":"1"}})")), "Guaranteed");
  EXPECT_EQ(qos(pod(R"("resources":{"requests":{"cpu":"1","memory":"1"}})")), "Burstable");
  EXPECT_EQ(qos(pod(R"("resources":{})")), "BestEffort");
}

TEST(PodCreation, NotesThatItIsGated) {
  EXPECT_THAT(create(pods(), pod(R"("schedulingGates":[{"name":"g"}])")),
              HasSubstr(R"("message":)"
                        R"("Scheduling is blocked due to non-empty scheduling gates","reason":)"
                        R"("SchedulingGated","status":"False","type":"PodScheduled"}])"));
}

TEST(PodCreation, TurnsLabelKeysIntoSelectors) {
  const std::string made = create(pods(), R"({"metadata":{"name":"a","labels":{"v":"1"}},"spec":{
      "containers":[{"name":"c","image":"x"}],
      "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"k","whenUnsatisfiable":"DoNotSchedule",
          "labelSelector":{},"matchLabelKeys":["v","w"]}],
      "affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
          {"topologyKey":"k","labelSelector":{"matchLabels":{"x":"y"}},"mismatchLabelKeys":["v"]},
          {"topologyKey":"k","mismatchLabelKeys":[]}]}}}})");
  EXPECT_THAT(made, HasSubstr(R"("labelSelector":{"matchExpressions":[{"key":"v","operator":"In",)"
                              R"("values":["1"]}]},"matchLabelKeys":["v","w"])"));
  EXPECT_THAT(made,
              HasSubstr(R"([{"labelSelector":{"matchExpressions":[{"key":"v","operator":"NotIn",)"
                        R"("values":["1"]}],"matchLabels":{"x":"y"}},"mismatchLabelKeys":["v"],)"
                        R"("topologyKey":"k"},{"topologyKey":"k"}])"));
}

TEST(PodCreation, RefusesEphemeralContainersAndNodesBehindGates) {
  EXPECT_THAT(create(pods(), pod(R"("ephemeralContainers":[{"name":"e","image":"x"}])")),
              HasSubstr("spec.ephemeralContainers: Forbidden: cannot be set on create"));
  EXPECT_THAT(create(pods(), pod(R"("nodeName":"n","schedulingGates":[{"name":"g"}])")),
              HasSubstr("spec.nodeName: Forbidden: cannot be set until all schedulingGates have "
                        "been cleared"));
}

// The profile of the container, and the warnings.
std::string app_armor(const std::string& annotation, const std::string& spec = "") {
  auto document = value::read_json(
      R"({"metadata":{"name":"a","annotations":{"container.apparmor.security.beta.kubernetes.io/c":")" +
      annotation + R"("}},"spec":{"containers":[{"name":"c","image":"x"}])" +
      (spec.empty() ? "" : "," + spec) + "}}");
  std::vector<std::string> warnings;
  const Resource& resource = pods();
  pod_strategy().prepare_create(
      document->root(), document->arena(),
      {.resource = resource, .version = resource.versions.front(), .warnings = &warnings});
  const value::Value& container = document->root().get("spec").get("containers").items()[0];
  const value::Value& profile = container.get("securityContext").get("appArmorProfile");
  std::string out(value::text_of(profile, "type"));
  out += "|";
  out += value::text_of(profile, "localhostProfile");
  for (const std::string& one : warnings) out += "|" + one;
  return out;
}

TEST(PodCreation, TakesAppArmorProfilesFromAnnotations) {
  const std::string warning =
      "|metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since "
      "v1.30; use the \"appArmorProfile\" field instead";
  EXPECT_EQ(app_armor("runtime/default"), "RuntimeDefault|" + warning);
  EXPECT_EQ(app_armor("unconfined"), "Unconfined|" + warning);
  EXPECT_EQ(app_armor("localhost/foo"), "Localhost|foo" + warning);
  EXPECT_EQ(app_armor("localhost/"), "|" + warning);
  EXPECT_EQ(app_armor("bogus"), "|" + warning);
  EXPECT_EQ(
      app_armor("unconfined", R"("securityContext":{"appArmorProfile":{"type":"Unconfined"}})"),
      "|");
  EXPECT_EQ(app_armor("unconfined", R"("os":{"name":"windows"})"), "|");
}

TEST(PodUpdate, MayChangeImages) {
  EXPECT_THAT(update(pods(), pod(), containers(R"({"name":"c","image":"x:2"})")),
              HasSubstr(R"("image":"x:2")"));
  EXPECT_THAT(update(pods(), pod(), containers(R"({"name":"c"})")),
              HasSubstr("spec.containers[0].image: Required value"));
  EXPECT_THAT(
      update(pods(), pod(), containers(R"({"name":"c","image":" x"})")),
      HasSubstr(R"(spec.containers[0].image: Invalid value: " x": must not have leading or )"
                "trailing whitespace"));
}

TEST(PodUpdate, MayNotAddOrRemoveContainers) {
  EXPECT_EQ(
      update(pods(), pod(), containers(R"({"name":"c","image":"x:1"},{"name":"d","image":"x:1"})")),
      "422: spec.containers: Forbidden: pod updates may not add or remove containers");
  EXPECT_EQ(update(pods(), pod(R"("initContainers":[{"name":"i","image":"x"}])"), pod()),
            "422: spec.initContainers: Forbidden: pod updates may not add or remove containers");
}

TEST(PodUpdate, MayNotChangeMostFields) {
  EXPECT_EQ(update(pods(), pod(), pod(R"("restartPolicy":"Never")")),
            "422: spec: Forbidden: pod updates may not change fields other than "
            "`spec.containers[*].image`,`spec.initContainers[*].image`,"
            "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing "
            "tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was "
            "previously negative)");
  for (const char* spec :
       {R"("nodeName":"n")", R"("nodeSelector":{"a":"b"})", R"("priority":1)",
        R"("ephemeralContainers":[{"name":"e","image":"x"}])",
        R"("terminationGracePeriodSeconds":5)", R"("resources":{"limits":{"cpu":"1"}})"}) {
    EXPECT_THAT(update(pods(), pod(), pod(spec)), HasSubstr("pod updates may not change")) << spec;
  }
  EXPECT_THAT(update(pods(), containers(R"({"name":"c","image":"x"})"),
                     containers(R"({"name":"c","image":"x","env":[{"name":"a"}]})")),
              StartsWith(kOnlySomeFields));
}

TEST(PodUpdate, ShortensTheDeadline) {
  const auto deadline = [](int seconds) {
    return pod(R"("activeDeadlineSeconds":)" + std::to_string(seconds));
  };
  EXPECT_THAT(update(pods(), pod(), deadline(5)), StartsWith("{"));
  EXPECT_THAT(update(pods(), deadline(5), deadline(5)), StartsWith("{"));
  EXPECT_THAT(update(pods(), deadline(5), deadline(4)), StartsWith("{"));
  EXPECT_EQ(update(pods(), deadline(100), deadline(200)),
            "422: spec.activeDeadlineSeconds: Invalid value: 200: must be less than or equal to "
            "previous value");
  EXPECT_EQ(update(pods(), deadline(100), pod()),
            "422: spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive "
            "integer to nil value");
  EXPECT_THAT(update(pods(), pod(), deadline(-1)),
              HasSubstr("spec.activeDeadlineSeconds: Invalid value: -1: must be between 0 and "
                        "2147483647, inclusive"));
}

TEST(PodUpdate, AddsTolerationsAndChangesTheirSeconds) {
  const auto tolerating = [](const std::string& list) { return pod(R"("tolerations":)" + list); };
  const std::string stored =
      tolerating(R"([{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":3}])");
  EXPECT_THAT(update(pods(), stored, tolerating(R"([{"key":"l","operator":"Exists"},
                {"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":9}])")),
              StartsWith("{"));
  EXPECT_THAT(update(pods(), stored, tolerating(R"([{"key":"k","operator":"Exists"}])")),
              HasSubstr("spec.tolerations: Forbidden: existing toleration can not be modified "
                        "except its tolerationSeconds"));
}

TEST(PodUpdate, RemovesSchedulingGatesOnly) {
  const auto gated = [](const std::string& list) { return pod(R"("schedulingGates":)" + list); };
  EXPECT_THAT(update(pods(), gated(R"([{"name":"a"},{"name":"b"}])"), gated(R"([{"name":"b"}])")),
              StartsWith("{"));
  EXPECT_THAT(update(pods(), gated(R"([{"name":"a"}])"), pod()), StartsWith("{"));
  EXPECT_EQ(update(pods(), gated(R"([{"name":"a"}])"), gated(R"([{"name":"a"},{"name":"three"}])")),
            "422: spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new "
            "scheduling gate 'three'");
}

TEST(PodUpdate, HoldsGatedPodsToFewerNodes) {
  const std::string gate = R"("schedulingGates":[{"name":"g"}])";
  const auto selecting = [&](const std::string& labels) {
    return pod(gate + R"(,"nodeSelector":)" + labels);
  };
  EXPECT_THAT(update(pods(), selecting(R"({"a":"b"})"), selecting(R"({"a":"b","c":"d"})")),
              StartsWith("{"));
  EXPECT_EQ(update(pods(), selecting(R"({"a":"b","c":"d"})"), selecting(R"({"a":"z","c":"d"})")),
            R"(422: spec.nodeSelector: Invalid value: {"a":"z","c":"d"}: only additions to )"
            "spec.nodeSelector are allowed (no mutations or deletions)");

  const auto on_nodes = [&](const std::string& terms) {
    return pod(gate +
               R"(,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)" +
               R"({"nodeSelectorTerms":)" + terms + "}}}");
  };
  const std::string one = R"({"key":"a","operator":"In","values":["1"]})";
  const std::string two = R"({"key":"b","operator":"Exists"})";
  const std::string path =
      "422: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
      "nodeSelectorTerms";
  EXPECT_THAT(update(pods(), pod(gate), on_nodes(R"([{"matchExpressions":[)" + one + "]}]")),
              StartsWith("{"));
  EXPECT_THAT(update(pods(), on_nodes(R"([{"matchExpressions":[)" + one + "]}]"),
                     on_nodes(R"([{"matchExpressions":[)" + one + "," + two + "]}]")),
              StartsWith("{"));
  EXPECT_EQ(update(pods(), on_nodes(R"([{"matchExpressions":[)" + one + "]}]"),
                   on_nodes(R"([{"matchExpressions":[)" + two + "]}]")),
            path + R"([0]: Invalid value: {"MatchExpressions":[{"Key":"b","Operator":"Exists",)" +
                R"("Values":null}],"MatchFields":null}: only additions are allowed (no mutations )"
                "or deletions)");
  EXPECT_EQ(update(pods(), on_nodes(R"([{"matchExpressions":[)" + one + "]}]"), pod(gate)),
            path +
                ": Invalid value: null: no additions/deletions to non-empty NodeSelectorTerms "
                "list are allowed");
  // Pods of other pods' nodes are as fixed as ever.
  EXPECT_THAT(update(pods(), pod(gate), pod(gate + R"(,"affinity":{"podAffinity":{}})")),
              StartsWith(kOnlySomeFields));
}

TEST(PodUpdate, KeepsSomeAnnotationsAsTheyAre) {
  const auto annotated = [](const std::string& annotations) {
    return R"({"metadata":{"name":"a","annotations":)" + annotations +
           R"(},"spec":{"nodeName":"n","containers":[{"name":"c","image":"x"}]}})";
  };
  const std::string at = "metadata.annotations[kubernetes.io/config.mirror]: Forbidden: ";
  EXPECT_EQ(update(pods(), annotated("{}"), annotated(R"({"kubernetes.io/config.mirror":"x"})")),
            "422: " + at + "may not add mirror pod annotation");
  EXPECT_EQ(update(pods(), annotated(R"({"kubernetes.io/config.mirror":"x"})"), annotated("{}")),
            "422: " + at + "may not remove or update mirror pod annotation");
  EXPECT_THAT(
      update(pods(), annotated("{}"),
             annotated(R"({"container.apparmor.security.beta.kubernetes.io/c":"unconfined"})")),
      HasSubstr("Forbidden: may not add AppArmor annotations"));
}

TEST(PodUpdate, LeavesTheStatusAlone) {
  EXPECT_THAT(update(pods(), pod_with_status(R"({"phase":"Pending"})"),
                     pod_with_status(R"({"phase":"Running"})")),
              HasSubstr(R"("status":{"phase":"Pending"})"));
}

TEST(PodStatus, KeepsTheSpecAndTakesTheLabels) {
  const std::string made =
      update_status(pods(), "status", pod_with_status(R"({"qosClass":"BestEffort"})"),
                    R"({"metadata":{"name":"a","labels":{"via":"status"},
                "ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u"}]},
                "spec":{"nodeName":"n2"},"status":{"phase":"Running"}})");
  EXPECT_THAT(made, AllOf(HasSubstr(R"("labels":{"via":"status"})"), Not(HasSubstr("n2")),
                          Not(HasSubstr("ownerReferences")),
                          HasSubstr(R"("status":{"phase":"Running","qosClass":"BestEffort"})")));
}

TEST(PodStatus, KeepsObservedGenerationsThatAClientDoesNotKnow) {
  EXPECT_THAT(
      update_status(pods(), "status", pod_with_status(R"({"observedGeneration":3,"conditions":[
            {"type":"Ready","status":"True","observedGeneration":2},
            {"type":"PodScheduled","status":"True"}]})"),
                    pod_with_status(R"({"conditions":[{"type":"PodScheduled","status":"True"},
            {"type":"Ready","status":"False"}]})")),
      AllOf(HasSubstr(R"("observedGeneration":2,"status":"False","type":"Ready")"),
            HasSubstr(R"(],"observedGeneration":3)")));
}

std::string status_change(const std::string& from, const std::string& to,
                          const std::string& spec = "") {
  return update_status(pods(), "status", pod_with_status(from, spec), pod_with_status(to, spec));
}

TEST(PodStatus, RefusesWhatMakesNoSense) {
  EXPECT_EQ(status_change(R"({"qosClass":"BestEffort"})", R"({"qosClass":"Burstable"})"),
            R"(422: status.qosClass: Invalid value: "Burstable": field is immutable)");
  EXPECT_EQ(status_change("{}", R"({"observedGeneration":-1})"),
            "422: status.observedGeneration: Invalid value: -1: must be a non-negative integer");
  EXPECT_THAT(
      status_change("{}", R"({"conditions":[{"type":"not good","status":"True"}]})"),
      StartsWith(R"(422: status.conditions[0].Type: Invalid value: "not good": name part)"));
  EXPECT_THAT(status_change("{}", R"({"nominatedNodeName":"N_"})"),
              StartsWith(R"(422: status.nominatedNodeName: Invalid value: "N_": a lowercase RFC)"));
  EXPECT_EQ(status_change("{}", R"({"nominatedNodeName":"n"})", R"("nodeName":"m")"),
            "422: status.nominatedNodeName: Forbidden: may not be set on pods that are already "
            "bound to a node");
}

TEST(PodStatus, RefusesBadAddresses) {
  EXPECT_EQ(status_change("{}", R"({"podIPs":[{"ip":"10.1.1.1"},{"ip":"nope"}]})"),
            "422: status.podIPs: Internal error: failed to check for dual stack with "
            "error:invalid IP[1]: nope; status.podIPs: Invalid value: "
            R"([{"IP":"10.1.1.1"},{"IP":"nope"}]: may specify no more than one IP for each IP )"
            R"(family; status.podIPs[1]: Invalid value: "nope": must be a valid IP address, )"
            "(e.g. 10.9.8.7 or 2001:db8::ffff)");
  EXPECT_THAT(status_change("{}", R"({"podIPs":[{"ip":"10.1.1.1"},{"ip":"::1"}]})"),
              StartsWith("{"));
  EXPECT_THAT(status_change("{}", R"({"podIPs":[{"ip":"10.1.1.1"},{"ip":"10.1.1.2"}]})"),
              HasSubstr("may specify no more than one IP for each IP family"));
  EXPECT_EQ(status_change("{}", R"({"hostIP":"10.1.1.1","hostIPs":[{"ip":"10.1.1.2"}]})"),
            R"(422: status.hostIPs[0].ip: Invalid value: "10.1.1.2": must be equal to `hostIP`)");
}

TEST(PodStatus, KeepsEndedContainersEndedUnlessTheyRestart) {
  const std::string running = R"({"containerStatuses":[{"name":"c","state":{"running":{}}}]})";
  const auto ended = [](int exit_code) {
    return R"({"containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":)" +
           std::to_string(exit_code) + "}}}]}";
  };
  const std::string refused =
      "422: status.containerStatuses[0].state: Forbidden: may not be transitioned to "
      "non-terminated state";
  EXPECT_THAT(status_change(ended(0), running), StartsWith("{"));
  EXPECT_EQ(status_change(ended(0), running, R"("restartPolicy":"Never")"), refused);
  EXPECT_EQ(status_change(ended(0), running, R"("restartPolicy":"OnFailure")"), refused);
  EXPECT_THAT(status_change(ended(1), running, R"("restartPolicy":"OnFailure")"), StartsWith("{"));
  EXPECT_THAT(status_change(ended(1), "{}", R"("restartPolicy":"Never")"), StartsWith("{"));

  const std::string init = R"("restartPolicy":"Never","initContainers":[{"name":"i","image":"x",
      "restartPolicy":"Always"},{"name":"j","image":"x"},{"name":"k","image":"x","restartPolicy":
      "Never","restartPolicyRules":[{"action":"Restart","exitCodes":{"operator":"In","values":[3]}}]}])";
  const std::string before = R"({"initContainerStatuses":[
      {"name":"i","state":{"terminated":{"exitCode":0}}},
      {"name":"j","state":{"terminated":{"exitCode":0}}},
      {"name":"k","state":{"terminated":{"exitCode":3}}}]})";
  EXPECT_EQ(
      status_change(before, R"({"initContainerStatuses":[{"name":"i"},{"name":"j"},{"name":"k"}]})",
                    init),
      "422: status.initContainerStatuses[1].state: Forbidden: may not be transitioned to "
      "non-terminated state");
}

TEST(PodStatus, ChecksClaimsUsersAndDevices) {
  EXPECT_EQ(status_change("{}", R"({"resourceClaimStatuses":[{"name":"a"}]})"),
            R"(422: status.resourceClaimStatuses[0].name: Invalid value: "a": must match the name )"
            "of an entry in `spec.resourceClaims`");
  EXPECT_EQ(status_change("{}", R"({"extendedResourceClaimStatus":{"requestMappings":[
                {"containerName":"z","resourceName":"r","requestName":"q"}],"resourceClaimName":"n"}})"),
            "422: status.extendedResourceClaimStatus.requestMappings[0].containerName: Invalid "
            R"(value: "z": must match the name of an entry in spec.initContainers.name or )"
            "spec.containers.name");
  EXPECT_EQ(status_change("{}", R"({"containerStatuses":[{"name":"c","user":{"linux":
                {"uid":-1,"gid":0}}}]})"),
            "422: status.containerStatuses[0].user.linux.uid: Invalid value: -1: must be between 0 "
            "and 2147483647, inclusive");
  EXPECT_EQ(status_change("{}", R"({"containerStatuses":[{"name":"c","user":{"linux":
                {"uid":1,"gid":0}}}]})",
                          R"("os":{"name":"windows"})"),
            "422: status.containerStatuses[0].user.linux: Forbidden: cannot be set for a windows "
            "pod");
  EXPECT_EQ(status_change("{}", R"({"containerStatuses":[{"name":"c","allocatedResourcesStatus":[
                {"name":"example.com/x","resources":[{"resourceID":"1","health":"Healthy"},
                {"resourceID":"1","health":"Healthy"}]}]}]})"),
            "422: status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "
            R"("example.com/x": must match one of the container's resource requests; )"
            "status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].resourceID: "
            R"(Duplicate value: "1")");
}

TEST(EphemeralContainers, AreAddedAndStay) {
  const std::string dbg = R"({"name":"dbg","image":"busybox"})";
  const auto with = [](const std::string& list) {
    return pod(R"("ephemeralContainers":[)" + list + "]");
  };
  EXPECT_THAT(
      update_status(pods(), "ephemeralcontainers", pod(),
                    R"({"metadata":{"name":"a","labels":{"x":"y"}},"spec":{"nodeName":"z",
                "ephemeralContainers":[{"name":"dbg","image":"busybox"}]}})"),
      AllOf(HasSubstr(R"("ephemeralContainers":[{"image":"busybox")"),
            HasSubstr(R"("generation":2)"), Not(HasSubstr("labels")), Not(HasSubstr("nodeName"))));
  EXPECT_EQ(update_status(pods(), "ephemeralcontainers", with(dbg), pod()),
            "422: spec.ephemeralContainers: Forbidden: existing ephemeral containers \"dbg\" may "
            "not be removed\n");
  EXPECT_THAT(update_status(pods(), "ephemeralcontainers", with(dbg),
                            with(R"({"name":"dbg","image":"other"})")),
              HasSubstr("existing ephemeral containers \"dbg\" may not be changed\n"));
  EXPECT_EQ(update_status(pods(), "ephemeralcontainers",
                          R"({"metadata":{"name":"a","annotations":{"kubernetes.io/config.mirror":
                "x"}},"spec":{"containers":[{"name":"c","image":"x"}]}})",
                          with(dbg)),
            "422: []: Forbidden: static pods do not support ephemeral containers");
}

std::string sized(const std::string& resources, const std::string& more = "") {
  return containers(R"({"name":"c","image":"x:1")" + more + R"(,"resources":)" + resources + "}");
}
std::string resize(const std::string& from, const std::string& to) {
  return update_status(pods(), "resize", from, to);
}

TEST(PodResize, TakesResourcesAndNothingElse) {
  const std::string small = R"({"requests":{"cpu":"100m"},"limits":{"cpu":"200m","memory":"1Gi"}})";
  const std::string large = R"({"requests":{"cpu":"150m"},"limits":{"cpu":"300m","memory":"1Gi"}})";
  EXPECT_THAT(
      resize(sized(small), sized(large, R"(,"env":[{"name":"e"}])")),
      AllOf(HasSubstr(R"("cpu":"300m")"), HasSubstr(R"("generation":2)"), Not(HasSubstr("env"))));
  EXPECT_THAT(resize(sized(small), sized(small)), HasSubstr(R"("generation":1)"));
  EXPECT_EQ(resize(sized(small), sized(R"({"requests":{"cpu":"100m"},"limits":{"cpu":"1"}})")),
            "422: spec.containers[0].resources.limits: Forbidden: resource limits cannot be "
            "removed; spec.containers[0].resources.requests: Forbidden: resource requests cannot "
            "be removed");
  EXPECT_EQ(
      resize(sized(small), sized(R"({"requests":{"cpu":"200m"},"limits":{"cpu":"200m",
                "memory":"1Gi"}})")),
      R"(422: spec: Invalid value: "": Pod QOS Class may not change as a result of resizing)");
  EXPECT_EQ(resize(sized(small),
                   sized(R"({"requests":{"cpu":"100m","example.com/x":"1"},"limits":{"cpu":"200m",
                "memory":"1Gi","example.com/x":"1"}})")),
            "422: spec: Forbidden: only cpu and memory resources are mutable");
  EXPECT_THAT(
      resize(sized(small), containers("")),
      HasSubstr("spec.containers: Forbidden: containers may not be added or removed on resize"));
  EXPECT_THAT(resize(sized(small), containers(R"({"name":"d","image":"x:1"})")),
              HasSubstr("spec.containers[0].name: Forbidden: containers may not be renamed or "
                        "reordered on resize"));
}

TEST(PodResize, IsNotForEveryPod) {
  EXPECT_EQ(resize(pod(R"("os":{"name":"windows"})"), pod(R"("os":{"name":"windows"})")),
            "422: []: Forbidden: windows pods cannot be resized");
  const std::string running =
      pod_with_status(R"({"containerStatuses":[{"name":"c","state":{"running":{}}}]})");
  EXPECT_EQ(resize(running, running),
            "422: spec: Forbidden: Pod running on node without support for resize");
}

TEST(PodResize, ChangesTheResourcesOfThePodAsAWhole) {
  const auto whole = [](const std::string& resources) {
    return pod(R"("resources":)" + resources);
  };
  EXPECT_THAT(resize(whole(R"({"limits":{"cpu":"1"}})"), whole(R"({"limits":{"cpu":"2"}})")),
              HasSubstr(R"("cpu":"2")"));
  EXPECT_THAT(resize(whole(R"({"limits":{"cpu":"1"}})"), pod()),
              HasSubstr("spec.resources: Forbidden: pod-level resources cannot be removed"));
  EXPECT_THAT(resize(whole(R"({"limits":{"cpu":"1"}})"), whole(R"({"limits":{"memory":"1"}})")),
              HasSubstr("spec.resources.limits: Forbidden: pod-level resource limits cannot be "
                        "removed"));
}

TEST(PodWarnings, AreAboutNamesAndAddresses) {
  const auto document = value::read_json(R"({"metadata":{"name":"a.b"},
      "status":{"podIPs":[{"ip":"010.1.1.1"}]}})");
  const auto warnings = pod_strategy().warnings(document->root(), nullptr);
  ASSERT_FALSE(warnings.empty());
  EXPECT_EQ(warnings[0],
            "metadata.name: this is used in the Pod's hostname, which can result in surprising "
            "behavior; a DNS label is recommended: [must not contain dots]");
  EXPECT_TRUE(pod_strategy().warnings(document->root(), &document->root()).empty());
  EXPECT_THAT(pod_strategy().status_warnings(document->root(), document->root())[0],
              StartsWith("status.podIPs[0].ip: "));
}

TEST(PodResource, HasTheSubresourcesOfDiscovery) {
  std::string all;
  for (const Subresource& one : pods().versions.front().subresources) {
    all += one.name + "=" + one.kind.kind + ":";
    for (const Verb verb : one.verbs) all += std::string(to_string(verb)) + ",";
    all += " ";
  }
  EXPECT_EQ(all,
            "attach=PodAttachOptions:create,get, binding=Binding:create, "
            "ephemeralcontainers=Pod:get,patch,update, eviction=Eviction:create, "
            "exec=PodExecOptions:create,get, log=Pod:get, "
            "portforward=PodPortForwardOptions:create,get, "
            "proxy=PodProxyOptions:create,delete,get,patch,update, resize=Pod:get,patch,update, "
            "status=Pod:get,patch,update, ");
  EXPECT_EQ(pods().short_names, std::vector<std::string>{"po"});
  EXPECT_EQ(pods().categories, std::vector<std::string>{"all"});
  EXPECT_TRUE(pods().unconditional_update && pods().returns_deleted && pods().keeps_generation);
  EXPECT_FALSE(pods().create_on_update);
  EXPECT_FALSE(pod_templates().create_on_update);
}

TEST(PodResource, ResetsAllOfTheSpecButEphemeralContainers) {
  const Subresource* sub = pods().versions.front().subresource("ephemeralcontainers");
  ASSERT_NE(sub, nullptr);
  EXPECT_EQ(std::ranges::count(sub->resets, "spec.ephemeralContainers"), 0);
  EXPECT_EQ(std::ranges::count(sub->resets, "spec.containers"), 1);
  EXPECT_EQ(std::ranges::count(sub->resets, "status"), 1);
}

}  // namespace
}  // namespace strake::kinds
