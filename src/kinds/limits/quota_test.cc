// What quotas count.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "kinds/limits/quota_evaluator.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using value::Document;

constexpr std::string_view kNow = "2024-01-02T00:00:00Z";

Document parsed(std::string_view json) { return *value::read_json(json); }

const QuotaEvaluator& evaluator(std::string_view plural) {
  return *find_quota_evaluator({"", std::string(plural)});
}

// "cpu=1 pods=1"
std::string show(const Amounts& amounts) {
  std::string out;
  for (const auto& [name, amount] : amounts)
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, amount.to_string());
  return out;
}
std::string used(std::string_view plural, std::string_view json, std::string_view now = kNow) {
  return show(evaluator(plural).usage(parsed(json).root(), parse_rfc3339(now)->to_wall()));
}
bool is_in(std::string_view plural, std::string_view json, std::string_view quota_spec) {
  return is_in_all(evaluator(plural), parsed(json).root(),
                   read_quota_scopes(parsed(quota_spec).root()));
}

TEST(QuotaEvaluator, IsThereForWhatIsMoreThanCounted) {
  EXPECT_NE(find_quota_evaluator({"", "pods"}), nullptr);
  EXPECT_EQ(find_quota_evaluator({"", "configmaps"}), nullptr);
  EXPECT_EQ(find_quota_evaluator({"example.com", "pods"}), nullptr);
}

TEST(PodQuota, CountsWhatThePodRequestsUnderAllNames) {
  EXPECT_EQ(
      used(
          "pods",
          R"({"spec":{"containers":[{"resources":{"requests":{"cpu":"600m","memory":"1Gi","hugepages-2Mi":"2Mi","a.b/gpu":"1","storage":"1"},"limits":{"cpu":"1","a.b/gpu":"1"}}},{"resources":{"requests":{"cpu":"100m"}}}]}})"),
      "count/pods=1 cpu=700m hugepages-2Mi=2Mi limits.cpu=1 memory=1Gi pods=1 "
      "requests.a.b/gpu=1 requests.cpu=700m requests.hugepages-2Mi=2Mi requests.memory=1Gi");
  EXPECT_EQ(used("pods", "{}"), "count/pods=1 pods=1");
}

TEST(PodQuota, CountsTheOverheadAndWhatThePodSaysAsAWhole) {
  EXPECT_EQ(
      used(
          "pods",
          R"({"spec":{"overhead":{"cpu":"250m","memory":"1Mi"},"containers":[{"resources":{"requests":{"cpu":"1"},"limits":{"cpu":"1"}}}]}})"),
      "count/pods=1 cpu=1250m limits.cpu=1250m memory=1Mi pods=1 requests.cpu=1250m "
      "requests.memory=1Mi");
  EXPECT_EQ(
      used(
          "pods",
          R"({"spec":{"resources":{"requests":{"cpu":"3","hugepages-2Mi":"2Mi","storage":"1"}},"containers":[{"resources":{"requests":{"cpu":"1","ephemeral-storage":"1"}}}]}})"),
      "count/pods=1 cpu=3 ephemeral-storage=1 hugepages-2Mi=2Mi pods=1 requests.cpu=3 "
      "requests.ephemeral-storage=1 requests.hugepages-2Mi=2Mi");
}

TEST(PodQuota, CountsTheMostWhileAPodIsResized) {
  const auto pod = [](std::string_view conditions) {
    return fmt::format(
        R"({{"spec":{{"containers":[{{"name":"c","resources":{{"requests":{{"cpu":"5"}},"limits":{{"cpu":"6"}}}}}}]}},)"
        R"("status":{{"conditions":{},"containerStatuses":[{{"name":"c","allocatedResources":{{"cpu":"3"}},"resources":{{"requests":{{"cpu":"2"}},"limits":{{"cpu":"4"}}}}}}]}}}})",
        conditions);
  };
  EXPECT_EQ(used("pods", pod("[]")), "count/pods=1 cpu=5 limits.cpu=6 pods=1 requests.cpu=5");
  EXPECT_EQ(used("pods", pod(R"([{"type":"PodResizePending","reason":"Infeasible"}])")),
            "count/pods=1 cpu=3 limits.cpu=4 pods=1 requests.cpu=3");
}

TEST(PodQuota, CountsPodsThatHaveEndedOnlyAsObjects) {
  const auto pod = [](std::string_view phase, std::string_view metadata = "{}") {
    return fmt::format(
        R"({{"metadata":{},"spec":{{"containers":[{{"resources":{{"requests":{{"cpu":"1"}}}}}}]}},"status":{{"phase":"{}"}}}})",
        metadata, phase);
  };
  EXPECT_EQ(used("pods", pod("Failed")), "count/pods=1");
  EXPECT_EQ(used("pods", pod("Succeeded")), "count/pods=1");
  constexpr std::string_view kDeleted =
      R"({"deletionTimestamp":"2024-01-02T00:00:00Z","deletionGracePeriodSeconds":30})";
  EXPECT_EQ(used("pods", pod("Running", kDeleted), "2024-01-02T00:00:30Z"),
            "count/pods=1 cpu=1 pods=1 requests.cpu=1");
  EXPECT_EQ(used("pods", pod("Running", kDeleted), "2024-01-02T00:00:31Z"), "count/pods=1");
}

TEST(PodQuota, TellsWhenAPodThatIsBeingDeletedCountsNoMore) {
  const auto changes_at = [](std::string_view plural, std::string_view json) {
    const auto at = evaluator(plural).changes_at(parsed(json).root());
    return at ? format_rfc3339(*at) : "";
  };
  constexpr std::string_view kDeleted =
      R"({"metadata":{"deletionTimestamp":"2024-01-02T00:00:00Z","deletionGracePeriodSeconds":30}})";
  EXPECT_EQ(changes_at("pods", kDeleted), "2024-01-02T00:00:31Z");
  EXPECT_EQ(changes_at("services", kDeleted), "");
  EXPECT_EQ(changes_at("pods", "{}"), "");
  EXPECT_EQ(
      changes_at(
          "pods",
          R"({"metadata":{"deletionTimestamp":"2024-01-02T00:00:00Z","deletionGracePeriodSeconds":30},"status":{"phase":"Failed"}})"),
      "");
  EXPECT_EQ(
      changes_at(
          "pods",
          R"({"metadata":{"deletionTimestamp":"2024-01-02T00:00:00Z","deletionGracePeriodSeconds":9223372036854775807}})"),
      "");
}

TEST(PodQuota, WantsContainersToSayWhatIsCounted) {
  const auto fault = [](std::string_view spec, const std::set<std::string_view>& names) {
    return evaluator("pods")
        .fault(names, parsed(fmt::format(R"({{"spec":{}}})", spec)).root())
        .value_or("");
  };
  constexpr std::string_view kPlain =
      R"({"containers":[{"name":"c"},{"name":"b"}],"initContainers":[{"name":"i","resources":{"requests":{"cpu":"1"}}}]})";
  EXPECT_EQ(fault(R"({"containers":[{"name":"c"}]})", {"pods", "requests.cpu", "count/pods"}),
            "must specify requests.cpu for: c");
  EXPECT_EQ(fault(kPlain, {"cpu", "limits.memory"}),
            "must specify cpu for: b,c; limits.memory for: b,c,i");
  // Nobody asks this of names that came later.
  EXPECT_EQ(fault(kPlain, {"requests.ephemeral-storage", "requests.a.b/c"}), "");
  EXPECT_EQ(fault(R"({"resources":{"requests":{"cpu":"1"}},"containers":[{"name":"c"}]})",
                  {"requests.memory"}),
            "");
}

TEST(PodQuota, KnowsItsNames) {
  for (const std::string_view name :
       {"pods", "count/pods", "cpu", "memory", "ephemeral-storage", "requests.cpu", "limits.memory",
        "limits.ephemeral-storage", "hugepages-2Mi", "requests.hugepages-1Gi", "requests.a.b/gpu",
        "requests.deviceclass.resource.kubernetes.io/x"}) {
    EXPECT_TRUE(evaluator("pods").counts(name)) << name;
  }
  for (const std::string_view name :
       {"services", "requests.storage", "limits.a.b/gpu", "a.b/gpu", "count/services",
        "gold.storageclass.storage.k8s.io/requests.storage", "requests.kubernetes.io/x", "xcpu"}) {
    // A class of storage has a domain too, but no requests before it.
    EXPECT_FALSE(evaluator("pods").counts(name)) << name;
  }
}

TEST(PodQuota, IsChargedForANewPodAndOneInAnotherScope) {
  const Document plain = parsed("{}");
  const Document ends = parsed(R"({"spec":{"activeDeadlineSeconds":5}})");
  const QuotaEvaluator& pods = evaluator("pods");
  EXPECT_TRUE(pods.handles("", plain.root(), nullptr));
  EXPECT_FALSE(pods.handles("", plain.root(), &plain.root()));
  EXPECT_TRUE(pods.handles("", ends.root(), &plain.root()));
  EXPECT_TRUE(pods.handles("resize", plain.root(), &plain.root()));
  EXPECT_FALSE(pods.handles("status", plain.root(), &plain.root()));
}

TEST(PodQuota, IsAboutPodsInAllItsScopes) {
  constexpr std::string_view kPlain = R"({"spec":{"containers":[{"name":"c"}]}})";
  constexpr std::string_view kRich =
      R"({"spec":{"activeDeadlineSeconds":0,"priorityClassName":"high","containers":[{"resources":{"requests":{"memory":"1"}}}],"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"podAffinityTerm":{"namespaceSelector":{}}}]}}}})";
  const auto scopes = [](std::string_view list) {
    return fmt::format(R"({{"scopes":[{}]}})", list);
  };
  const auto by_class = [](std::string_view op, std::string_view values) {
    return fmt::format(
        R"({{"scopeSelector":{{"matchExpressions":[{{"scopeName":"PriorityClass","operator":"{}","values":[{}]}}]}}}})",
        op, values);
  };
  struct Case {
    std::string quota;
    bool plain;
    bool rich;
  };
  const Case cases[] = {
      {"{}", true, true},
      {scopes(R"("Terminating")"), false, true},
      {scopes(R"("NotTerminating")"), true, false},
      {scopes(R"("BestEffort")"), true, false},
      {scopes(R"("NotBestEffort")"), false, true},
      {scopes(R"("NotBestEffort","NotTerminating")"), false, false},
      {scopes(R"("PriorityClass")"), false, true},
      {scopes(R"("CrossNamespacePodAffinity")"), false, true},
      {scopes(R"("VolumeAttributesClass")"), false, false},
      {by_class("Exists", ""), false, true},
      {by_class("DoesNotExist", ""), true, false},
      {by_class("In", R"("low","high","low")"), false, true},
      {by_class("In", R"("low")"), false, false},
      {by_class("NotIn", R"("high")"), true, false},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(is_in("pods", kPlain, one.quota), one.plain) << one.quota;
    EXPECT_EQ(is_in("pods", kRich, one.quota), one.rich) << one.quota;
  }
  // What the status tells is believed.
  EXPECT_FALSE(is_in("pods", R"({"status":{"qosClass":"Burstable"}})", scopes(R"("BestEffort")")));
}

TEST(ServiceQuota, CountsNodePortsAndLoadBalancers) {
  const auto of = [](std::string_view spec) {
    return used("services", fmt::format(R"({{"spec":{}}})", spec));
  };
  EXPECT_EQ(of(R"({"type":"ClusterIP","ports":[{"port":1}]})"),
            "count/services=1 services=1 services.loadbalancers=0 services.nodeports=0");
  EXPECT_EQ(of(R"({"type":"NodePort","ports":[{"port":1},{"port":2}]})"),
            "count/services=1 services=1 services.loadbalancers=0 services.nodeports=2");
  EXPECT_EQ(of(R"({"type":"LoadBalancer","ports":[{"port":1},{"port":2}]})"),
            "count/services=1 services=1 services.loadbalancers=1 services.nodeports=2");
  EXPECT_EQ(
      of(R"({"type":"LoadBalancer","allocateLoadBalancerNodePorts":false,"ports":[{"port":1,"nodePort":30000},{"port":2}]})"),
      "count/services=1 services=1 services.loadbalancers=1 services.nodeports=1");
  EXPECT_TRUE(evaluator("services").counts("services.nodeports"));
  EXPECT_FALSE(evaluator("services").counts("pods"));
  const Document plain = parsed("{}");
  EXPECT_TRUE(evaluator("services").handles("", plain.root(), &plain.root()));
  EXPECT_FALSE(evaluator("services").handles("status", plain.root(), &plain.root()));
  EXPECT_FALSE(is_in("services", "{}", R"({"scopes":["NotTerminating"]})"));
}

TEST(ClaimQuota, CountsStorageByClass) {
  EXPECT_EQ(
      used("persistentvolumeclaims",
           R"({"spec":{"storageClassName":"gold","resources":{"requests":{"storage":"1500m"}}}})"),
      "count/persistentvolumeclaims=1 gold.storageclass.storage.k8s.io/persistentvolumeclaims=1 "
      "gold.storageclass.storage.k8s.io/requests.storage=2 persistentvolumeclaims=1 "
      "requests.storage=2");
  EXPECT_EQ(
      used(
          "persistentvolumeclaims",
          R"({"metadata":{"annotations":{"volume.beta.kubernetes.io/storage-class":""}},"spec":{"storageClassName":"gold","resources":{"requests":{"storage":"1Gi"}}},"status":{"allocatedResources":{"storage":"2Gi"}}})"),
      "count/persistentvolumeclaims=1 persistentvolumeclaims=1 requests.storage=2Gi");
  EXPECT_EQ(used("persistentvolumeclaims", "{}"),
            "count/persistentvolumeclaims=1 persistentvolumeclaims=1");
  EXPECT_TRUE(evaluator("persistentvolumeclaims")
                  .counts("gold.storageclass.storage.k8s.io/requests.storage"));
  EXPECT_FALSE(evaluator("persistentvolumeclaims")
                   .counts("gold.storageclass.storage.k8s.io/limits.storage"));
}

TEST(ClaimQuota, IsAboutClaimsOfAClassOfAttributes) {
  const auto by_class = [](std::string_view op, std::string_view values) {
    return fmt::format(
        R"({{"scopeSelector":{{"matchExpressions":[{{"scopeName":"VolumeAttributesClass","operator":"{}","values":[{}]}}]}}}})",
        op, values);
  };
  constexpr std::string_view kMoving =
      R"({"spec":{"volumeAttributesClassName":"new"},"status":{"currentVolumeAttributesClassName":"old","modifyVolumeStatus":{"targetVolumeAttributesClassName":"other"}}})";
  for (const std::string_view name : {"new", "old", "other"}) {
    EXPECT_TRUE(
        is_in("persistentvolumeclaims", kMoving, by_class("In", fmt::format("\"{}\"", name))));
  }
  EXPECT_TRUE(is_in("persistentvolumeclaims", kMoving, by_class("NotIn", R"("new")")));
  EXPECT_FALSE(is_in("persistentvolumeclaims", kMoving, by_class("DoesNotExist", "")));
  EXPECT_FALSE(is_in("persistentvolumeclaims", "{}", by_class("Exists", "")));
  EXPECT_TRUE(is_in("persistentvolumeclaims", "{}", by_class("NotIn", R"("new")")));
}

TEST(Amounts, IncreaseByWhatIsMore) {
  const Amounts before{{"cpu", Quantity(2)}, {"memory", Quantity(5)}, {"pods", Quantity(1)}};
  const Amounts now{
      {"cpu", Quantity(3)}, {"memory", Quantity(4)}, {"pods", Quantity(1)}, {"new", Quantity(1)}};
  EXPECT_EQ(show(increase(now, before)), "cpu=1 new=1");
  EXPECT_EQ(negative_amounts({{"a", Quantity(-1)}, {"b", Quantity(0)}}),
            std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace strake::kinds
