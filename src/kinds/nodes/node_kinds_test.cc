// Nodes, and the classes of priority and runtime.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/nodes/not_ready_taint.h"
#include "kinds/test_requests.h"
#include "support/vectors.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::create;
using testing::row;
using testing::update;
using testing::update_status;
using value::Document;

constexpr std::string_view kNow = "2024-01-02T00:00:00Z";
constexpr std::string_view kNoStatus =
    R"({"daemonEndpoints":{"kubeletEndpoint":{"Port":0}},"nodeInfo":{"architecture":"","bootID":"",)"
    R"("containerRuntimeVersion":"","kernelVersion":"","kubeProxyVersion":"","kubeletVersion":"",)"
    R"("machineID":"","operatingSystem":"","osImage":"","systemUUID":""}})";

const Resource& nodes() { return builtin("", "nodes"); }
const Resource& priority_classes() { return builtin("scheduling.k8s.io", "priorityclasses"); }
const Resource& runtime_classes() { return builtin("node.k8s.io", "runtimeclasses"); }

std::string node(std::string_view spec, std::string_view status = "{}") {
  return fmt::format(R"({{"metadata":{{"name":"n"}},"spec":{},"status":{}}})", spec, status);
}
std::string priority_class(std::string_view members) {
  return fmt::format(R"({{"metadata":{{"name":"p"}},{}}})", members);
}
std::string runtime_class(std::string_view members) {
  return fmt::format(R"({{"metadata":{{"name":"r"}},{}}})", members);
}

std::vector<std::string> warnings(const Resource& resource, std::string_view json) {
  const Document document = *value::read_json(json);
  return resource.strategy->warnings(document.root(), nullptr);
}

TEST(NodeKinds, AreAcceptedAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  testing::expect_recorded_verdicts(folder, "core.node", nodes(), 47, add_not_ready_taint);
  testing::expect_recorded_verdicts(folder, "node.k8s.io.runtimeclass", runtime_classes(), 47);
  testing::expect_recorded_verdicts(folder, "scheduling.k8s.io.priorityclass", priority_classes(),
                                    48);
}

TEST(NodeKinds, AreServedAsTheyAreDiscovered) {
  EXPECT_EQ(nodes().storage_prefix, "/registry/minions/");
  EXPECT_FALSE(nodes().namespaced);
  EXPECT_EQ(nodes().short_names, std::vector<std::string>{"no"});
  const std::vector<Subresource>& parts = nodes().versions.front().subresources;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "proxy");
  EXPECT_EQ(parts[0].kind.kind, "NodeProxyOptions");
  EXPECT_EQ(parts[0].connection, Subresource::Connection::kProxy);
  EXPECT_EQ(parts[1].name, "status");
  EXPECT_TRUE(nodes().unconditional_update);
  EXPECT_FALSE(nodes().create_on_update);
  EXPECT_FALSE(runtime_classes().unconditional_update);
  EXPECT_TRUE(runtime_classes().create_on_update);
  EXPECT_EQ(priority_classes().short_names, std::vector<std::string>{"pc"});
}

// "Name:string:name:0 Age:string::0"
std::string columns(const Resource& resource) {
  std::string out;
  for (const Column& one : resource.strategy->columns()) {
    out += fmt::format("{}{}:{}:{}:{}", out.empty() ? "" : " ", one.name, one.type, one.format,
                       one.priority);
  }
  return out;
}

TEST(NodeKinds, HaveTheColumnsOfTheirTables) {
  EXPECT_EQ(columns(nodes()),
            "Name:string:name:0 Status:string::0 Roles:string::0 Age:string::0 Version:string::0 "
            "Internal-IP:string::1 External-IP:string::1 OS-Image:string::1 "
            "Kernel-Version:string::1 Container-Runtime:string::1");
  EXPECT_EQ(columns(priority_classes()),
            "Name:string:name:0 Value:integer::0 Global-Default:boolean::0 Age:string::0 "
            "PreemptionPolicy:string::0");
  EXPECT_EQ(columns(runtime_classes()), "Name:string:name:0 Handler:string::0 Age:string::0");
}

// kube-apiserver 1.36 judges an update as a new node and as a change, and says so twice.
TEST(Node, IsToldTwiceWhatIsWrongWithAnUpdate) {
  const Document now = *value::read_json(node(R"({"taints":[{"key":"a","effect":"Never"}]})"));
  const Document old = *value::read_json(node("{}"));
  const WriteRequest request{.resource = nodes(), .version = nodes().versions.front()};
  const BuiltinStrategy& strategy = *nodes().strategy;
  EXPECT_EQ(strategy.validate_update(now.root(), old.root(), request).size(), 2u);
  EXPECT_EQ(strategy.validate_status(now.root(), old.root(), request).size(), 1u);
  EXPECT_EQ(strategy.validate_create(now.root(), request).size(), 1u);
}

TEST(Node, BringsItsStatusAndHasAllocatableWhatItHasAtAll) {
  EXPECT_EQ(create(nodes(), R"({"metadata":{"name":"n"}})"),
            fmt::format(R"({{"metadata":{{"name":"n"}},"spec":{{}},"status":{}}})", kNoStatus));
  const std::string made =
      create(nodes(), node("{}", R"({"capacity":{"cpu":"0.0001","memory":"1024Mi"}})"));
  EXPECT_TRUE(made.contains(
      R"("status":{"allocatable":{"cpu":"1m","memory":"1Gi"},"capacity":{"cpu":"1m","memory":"1Gi"},)"))
      << made;
  EXPECT_TRUE(create(nodes(), node("{}", R"({"allocatable":{"cpu":"1"},"capacity":{"cpu":"4"}})"))
                  .contains(R"("allocatable":{"cpu":"1"},"capacity":{"cpu":"4"})"));
}

TEST(Node, HasItsFirstNetworkTwice) {
  struct Case {
    std::string_view spec;
    std::string_view want;
  };
  const Case cases[] = {
      {R"({"podCIDR":"10.7.0.0/24"})",
       R"("spec":{"podCIDR":"10.7.0.0/24","podCIDRs":["10.7.0.0/24"]})"},
      {R"({"podCIDRs":["10.7.0.0/24","fd00::/64"]})",
       R"("spec":{"podCIDR":"10.7.0.0/24","podCIDRs":["10.7.0.0/24","fd00::/64"]})"},
      {R"({"podCIDR":"10.8.0.0/24","podCIDRs":["10.7.0.0/24","fd00::/64"]})",
       R"("spec":{"podCIDR":"10.8.0.0/24","podCIDRs":["10.8.0.0/24"]})"},
  };
  for (const Case& one : cases)
    EXPECT_TRUE(create(nodes(), node(one.spec)).contains(one.want)) << one.spec;
}

TEST(Node, LosesTheConfigurationThatNobodyReads) {
  const std::string made = create(nodes(), node(R"({"configSource":{"configMap":{"name":"x"}}})",
                                                R"({"config":{"error":"e"}})"));
  EXPECT_FALSE(made.contains("configSource")) << made;
  EXPECT_FALSE(made.contains(R"("config":)")) << made;
}

TEST(Node, IsRefusedForWhatMakesNoSense) {
  struct Case {
    std::string_view json;
    std::string_view want;
  };
  const Case cases[] = {
      {R"({"metadata":{"name":"n"},"spec":{"taints":[{"key":"a"},{"key":"a"}]}})",
       R"(422: metadata.taints[0].effect: Required value; metadata.taints[1].effect: Required value; )"
       R"(metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"","TimeAdded":null}: taints must be unique by key and effect pair)"},
      {R"({"metadata":{"name":"n"},"spec":{"podCIDRs":["10.0.0.0/24","10.1.0.0/24"]}})",
       R"(422: spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.1.0.0/24"]: may specify no more than one CIDR for each IP family)"},
      {R"({"metadata":{"name":"n"},"spec":{"podCIDRs":["10.0.0.0/24","x"]}})",
       R"(422: spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: x); )"
       R"(spec.podCIDRs: Invalid value: ["10.0.0.0/24","x"]: may specify no more than one CIDR for each IP family; )"
       R"(spec.podCIDRs[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64))"},
      {R"({"metadata":{"name":"n"},"status":{"capacity":{"pods":"1.5","cpu":"1.5","a.b/c":"1m"}}})",
       R"(422: status.allocatable.a.b/c: Invalid value: "1m": must be an integer; )"
       R"(status.allocatable.pods: Invalid value: "1500m": must be an integer; )"
       R"(status.capacity.a.b/c: Invalid value: "1m": must be an integer; )"
       R"(status.capacity.pods: Invalid value: "1500m": must be an integer)"},
      {R"({"metadata":{"name":"n"},"status":{"nodeInfo":{"swap":{"capacity":0}}}})",
       R"(422: metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero)"},
      {R"({"metadata":{"name":"n"},"status":{"declaredFeatures":["B/b","A","A","a/"]}})",
       R"(422: status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically; )"
       R"(status.declaredFeatures[2]: Duplicate value: "A"; )"
       R"(status.declaredFeatures[3]: Invalid value: "a/": invalid feature name "a/": must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes)"},
      {R"({"metadata":{"name":"n","annotations":{"scheduler.alpha.kubernetes.io/taints":"[{\"key\":\"a\",\"effect\":\"x\"}]"}}})",
       R"(422: metadata.annotations.scheduler.alpha.kubernetes.io/taints[0].effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute")"},
      {R"({"metadata":{"name":"n","annotations":{"scheduler.alpha.kubernetes.io/taints":"{}"}}})",
       R"(422: metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/taints": json: cannot unmarshal object into Go value of type []core.Taint)"},
      {R"({"metadata":{"name":"n","annotations":{"scheduler.alpha.kubernetes.io/preferAvoidPods":"{\"preferAvoidPods\":[{\"podSignature\":{}},{\"podSignature\":{\"podController\":{\"controller\":false}}},{\"podSignature\":{\"podController\":{\"controller\":true}}}]}"}}})",
       R"(422: metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[0].PodSignature: Required value; )"
       R"(metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[1].PodSignature.PodController.Controller: Invalid value: false: must point to a controller)"},
  };
  for (const Case& one : cases) EXPECT_EQ(create(nodes(), one.json), one.want) << one.json;
}

TEST(Node, KeepsItsNetworkAndItsProviderOnceItHasThem) {
  const std::string stored =
      node(R"({"podCIDR":"10.7.0.0/24","providerID":"x://1","externalID":"e"})");
  EXPECT_EQ(
      update(nodes(), stored, node(R"({"podCIDR":"10.8.0.0/24"})")),
      R"(422: spec.externalID: Forbidden: may not be updated; )"
      R"(spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid; )"
      R"(spec.providerID: Forbidden: node updates may not change providerID except from "" to valid)");
  EXPECT_TRUE(update(nodes(), node("{}"), node(R"({"podCIDR":"10.8.0.0/24","providerID":"x://2"})"))
                  .contains(R"("providerID":"x://2")"));
}

TEST(Node, IsUpdatedInTwoParts) {
  const std::string stored =
      node(R"({"unschedulable":true})", R"({"capacity":{"cpu":"4"},"allocatable":{"cpu":"3"}})");
  const std::string changed = node("{}", R"({"capacity":{"cpu":"99"}})");
  const std::string spec = update(nodes(), stored, changed);
  EXPECT_TRUE(spec.contains(R"("spec":{})")) << spec;
  EXPECT_TRUE(spec.contains(R"("capacity":{"cpu":"4"})")) << spec;
  const std::string status = update_status(nodes(), "status", stored, changed);
  EXPECT_TRUE(status.contains(R"("spec":{"unschedulable":true})")) << status;
  EXPECT_TRUE(status.contains(R"("capacity":{"cpu":"99"})")) << status;
  EXPECT_EQ(
      update_status(
          nodes(), "status", stored,
          node(
              "{}",
              R"({"capacity":{"cpu":"-1"},"allocatable":{"cpu":"1"},"addresses":[{"type":"InternalIP","address":"a"},{"type":"InternalIP","address":"a"}]})")),
      R"(422: status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"a"}; )"
      R"(status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0)");
}

TEST(Node, ShowsWhetherItIsReady) {
  constexpr std::string_view kStatus =
      R"({"conditions":[{"type":"Ready","status":"%"}],"addresses":[{"type":"Hostname","address":"h"},{"type":"InternalIP","address":"10.9.0.1"}],)"
      R"("nodeInfo":{"kubeletVersion":"v1.36.4","osImage":"Linux","kernelVersion":"6.1","architecture":"amd64","containerRuntimeVersion":"containerd://2.0"}})";
  const auto with = [&](std::string_view status) {
    std::string out(kStatus);
    return out.replace(out.find('%'), 1, status);
  };
  const auto shown = [](std::string_view labels, std::string_view spec, std::string_view status) {
    return row(
        nodes(),
        fmt::format(
            R"({{"metadata":{{"name":"n","creationTimestamp":"2024-01-01T00:00:00Z","labels":{}}},"spec":{},"status":{}}})",
            labels, spec, status),
        kNow);
  };
  EXPECT_EQ(
      shown("{}", "{}", with("True")),
      R"j(["n","Ready","\u003cnone\u003e","24h","v1.36.4","10.9.0.1","\u003cnone\u003e","Linux","6.1 (amd64)","containerd://2.0"])j");
  EXPECT_EQ(
      shown(
          R"({"node-role.kubernetes.io/b":"","node-role.kubernetes.io/":"","kubernetes.io/role":"a"})",
          R"({"unschedulable":true})", with("Unknown")),
      R"j(["n","NotReady,SchedulingDisabled","a,b","24h","v1.36.4","10.9.0.1","\u003cnone\u003e","Linux","6.1 (amd64)","containerd://2.0"])j");
  EXPECT_EQ(
      shown("{}", "{}", "{}"),
      R"(["n","Unknown","\u003cnone\u003e","24h","","\u003cnone\u003e","\u003cnone\u003e","\u003cunknown\u003e","\u003cunknown\u003e","\u003cunknown\u003e"])");
}

TEST(Node, IsFoundByWhetherItTakesPods) {
  const Strategy& strategy = *nodes().strategy;
  const ServedVersion& version = nodes().versions.front();
  EXPECT_TRUE(strategy.offers_field("spec.unschedulable", version));
  EXPECT_FALSE(strategy.offers_field("spec.providerID", version));
  const Document off = *value::read_json(R"({"spec":{"unschedulable":true}})");
  const Document on = *value::read_json(R"({"spec":{}})");
  EXPECT_EQ(strategy.field(off.root(), "spec.unschedulable"), "true");
  EXPECT_EQ(strategy.field(on.root(), "spec.unschedulable"), "false");
}

TEST(Node, WarnsOfWhatIsUnused) {
  EXPECT_EQ(
      warnings(nodes(), node(R"({"externalID":"e","podCIDRs":["fd00::0/64"]})")),
      (std::vector<std::string>{
          "spec.externalID: this field is deprecated, and is unused by Kubernetes",
          R"(spec.podCIDRs[0]: IPv6 CIDR value "fd00::0/64" should be in RFC 5952 canonical format ("fd00::/64"))"}));
}

TEST(PriorityClass, StaysAsItWasCreated) {
  EXPECT_EQ(
      create(priority_classes(), R"({"metadata":{"name":"p"}})"),
      R"({"metadata":{"generation":1,"name":"p"},"preemptionPolicy":"PreemptLowerPriority","value":0})");
  const std::string stored = priority_class(R"("value":1000)");
  EXPECT_EQ(
      update(priority_classes(), stored, priority_class(R"("value":5,"preemptionPolicy":"Never")")),
      R"(422: preemptionPolicy: Invalid value: "Never": field is immutable; )"
      R"(value: Forbidden: may not be changed in an update.)");
  EXPECT_EQ(
      update(priority_classes(), stored, priority_class(R"("value":1000,"description":"d")")),
      R"({"description":"d","metadata":{"name":"p"},"preemptionPolicy":"PreemptLowerPriority","value":1000})");
}

TEST(PriorityClass, OfTheSystemIsKnown) {
  const auto named = [](std::string_view name, std::string_view members) {
    return create(priority_classes(),
                  fmt::format(R"({{"metadata":{{"name":"{}"}},{}}})", name, members));
  };
  constexpr std::string_view kRefused =
      "422: metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for "
      "system use only. error: ";
  EXPECT_TRUE(named("system-node-critical", R"("value":2000001000)").starts_with("{"));
  EXPECT_EQ(
      named("system-node-critical", R"("value":5)"),
      fmt::format("{}value of system-node-critical PriorityClass must be 2000001000", kRefused));
  EXPECT_EQ(named("system-cluster-critical", R"("value":2000000000,"globalDefault":true)"),
            fmt::format("{}globalDefault of system-cluster-critical PriorityClass must be false",
                        kRefused));
  EXPECT_EQ(
      named("p", R"("value":1000000001)"),
      "422: value: Forbidden: maximum allowed value of a user defined priority is 1000000000");
}

TEST(PriorityClass, OfTheSystemIsNotDeleted) {
  const auto refused = [](std::string_view json) {
    Document document = *value::read_json(json);
    const WriteRequest request{.resource = priority_classes(),
                               .version = priority_classes().versions.front()};
    return priority_classes()
        .strategy->prepare_delete(document.root(), false, document.arena(), request)
        .refused;
  };
  EXPECT_EQ(refused(R"({"metadata":{"name":"system-node-critical"}})"),
            "this is a system priority class and cannot be deleted");
  EXPECT_EQ(refused(R"({"metadata":{"name":"p"}})"), "");
}

TEST(PriorityClass, ShowsItsValue) {
  EXPECT_EQ(
      row(priority_classes(),
          R"({"metadata":{"name":"p","creationTimestamp":"2024-01-01T00:00:00Z"},"value":7,"globalDefault":true})",
          kNow),
      R"(["p",7,true,"24h","PreemptLowerPriority"])");
}

TEST(RuntimeClass, KeepsItsHandler) {
  const std::string stored = runtime_class(R"("handler":"runsc")");
  EXPECT_EQ(update(runtime_classes(), stored, runtime_class(R"("handler":"Other")")),
            "422: handler: Invalid value: \"Other\": a lowercase RFC 1123 label must consist of "
            "lower case alphanumeric characters or '-', and must start and end with an "
            "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
            "'[a-z0-9]([-a-z0-9]*[a-z0-9])?'); handler: Invalid value: \"Other\": field is "
            "immutable");
  EXPECT_EQ(
      update(runtime_classes(), stored,
             runtime_class(R"("handler":"runsc","overhead":{"podFixed":{"cpu":"0.3"}})")),
      R"({"handler":"runsc","metadata":{"name":"r"},"overhead":{"podFixed":{"cpu":"300m"}}})");
}

TEST(RuntimeClass, IsRefusedForOverheadAndTolerationsThatMakeNoSense) {
  struct Case {
    std::string_view members;
    std::string_view want;
  };
  const Case cases[] = {
      {R"("handler":"x","overhead":{"podFixed":{"hugepages-2Mi":"3Mi"}})",
       R"(422: overhead.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi; )"
       R"(overhead: Forbidden: HugePages require cpu or memory)"},
      {R"("handler":"x","scheduling":{"tolerations":[{"key":"a"},{"key":"a"},{"operator":"Lt","key":"b","value":"1"},{"effect":"No","tolerationSeconds":1}]})",
       R"(422: scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"","Value":"","Effect":"","TolerationSeconds":null}; )"
       R"(scheduling.tolerations[2].operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"; )"
       R"(scheduling.tolerations[3].effect: Invalid value: "No": effect must be 'NoExecute' when `tolerationSeconds` is set; )"
       R"(scheduling.tolerations[3].effect: Unsupported value: "No": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"; )"
       R"(scheduling.tolerations[3].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys")"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(create(runtime_classes(), runtime_class(one.members)), one.want) << one.members;
}

TEST(RuntimeClass, WarnsOfLabelsThatNodesHadOnce) {
  EXPECT_EQ(
      warnings(
          runtime_classes(),
          R"({"scheduling":{"nodeSelector":{"beta.kubernetes.io/os":"linux","kubernetes.io/os":"linux"}}})"),
      std::vector<std::string>{
          R"(scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead)"});
}

TEST(RuntimeClass, ShowsItsHandler) {
  EXPECT_EQ(
      row(runtime_classes(),
          R"({"metadata":{"name":"r","creationTimestamp":"2024-01-01T00:00:00Z"},"handler":"x"})",
          kNow),
      R"(["r","x","24h"])");
}

}  // namespace
}  // namespace strake::kinds
