// Quotas of what objects use: cpu and memory of pods, ports of services, storage of claims.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "admission/quota/test_quotas.h"

namespace strake::admission {
namespace {

using api::testing::Answered;
using api::testing::expect_ok;
using api::testing::expect_status;
using testing::QuotaServer;

// `more` are further members of the spec.
std::string pod_json(std::string_view name, std::string_view requests, std::string_view more = "") {
  return fmt::format(
      R"({{"metadata":{{"name":"{}"}},"spec":{{"containers":[{{"name":"c","image":"i","resources":{{"requests":{}}}}}]{}}}}})",
      name, requests, more);
}
std::string service_json(std::string_view name, std::string_view type) {
  return fmt::format(
      R"({{"metadata":{{"name":"{}"}},"spec":{{"type":"{}","ports":[{{"port":80}}]}}}})", name,
      type);
}
std::string claim_json(std::string_view name, std::string_view storage,
                       std::string_view class_name = "gold") {
  return fmt::format(
      R"({{"metadata":{{"name":"{}"}},"spec":{{"accessModes":["ReadWriteOnce"],"storageClassName":"{}","resources":{{"requests":{{"storage":"{}"}}}}}}}})",
      name, class_name, storage);
}

class AmountsServer : public QuotaServer {
 public:
  explicit AmountsServer(std::string_view controllers = "*")
      : QuotaServer(nullptr, *api::EnabledControllers::parse(
                                 std::vector<std::string>{std::string(controllers)})) {
    server.create_namespace("ns");
  }
  static std::string at(std::string_view plural, std::string_view name = "") {
    return path("ns", plural, name);
  }
  void limit_it(std::string_view name, std::string_view hard, std::string_view more = "") {
    limit("ns", name, hard, more);
  }
  Answered add_pod(std::string_view name, std::string_view requests, std::string_view more = "") {
    return server.post(at("pods"), pod_json(name, requests, more));
  }
  Answered add_service(std::string_view name, std::string_view type) {
    return server.post(at("services"), service_json(name, type));
  }
  Answered add_claim(std::string_view name, std::string_view storage) {
    return server.post(at("persistentvolumeclaims"), claim_json(name, storage));
  }
  void expect_used(std::string_view quota, const std::string& want) {
    EXPECT_EQ(used("ns", quota, want), want);
  }
};

TEST(QuotaAmounts, RefuseAPodThatDoesNotSayWhatIsCounted) {
  AmountsServer on;
  on.limit_it("q", R"({"requests.cpu":"1","limits.memory":"1Gi"})");
  expect_status(on.add_pod("p", "{}"), 403, "Forbidden",
                R"(pods "p" is forbidden: failed quota: q: must specify limits.memory for: c; )"
                "requests.cpu for: c");
}

TEST(QuotaAmounts, RefuseAPodThatRequestsTooMuch) {
  AmountsServer on;
  on.limit_it("q", R"({"pods":"2","requests.cpu":"1"})");
  expect_ok(on.add_pod("a", R"({"cpu":"600m"})"), 201);
  on.expect_used("q", R"({"pods":"1","requests.cpu":"600m"})");
  expect_status(on.add_pod("b", R"({"cpu":"500m"})"), 403, "Forbidden",
                R"(pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=500m, used: )"
                "requests.cpu=600m, limited: requests.cpu=1");
  expect_ok(on.add_pod("b", R"({"cpu":"400m"})"), 201);
  expect_status(on.add_pod("c", R"({"cpu":"1m"})"), 403, "Forbidden",
                R"(pods "c" is forbidden: exceeded quota: q, requested: pods=1,requests.cpu=1m, )"
                "used: pods=2,requests.cpu=1, limited: pods=2,requests.cpu=1");
  // At once, whether or not the status tells it already.
  expect_ok(on.server.remove(on.at("pods", "a")));
  expect_ok(on.add_pod("c", R"({"cpu":"600m"})"), 201);
}

TEST(QuotaAmounts, CountWhatWasThereBeforeTheQuota) {
  AmountsServer on;
  for (int i = 0; i < 40; ++i)
    expect_ok(on.add_pod(fmt::format("p{}", i), R"({"cpu":"100m"})"), 201);
  on.limit_it("q", R"({"requests.cpu":"4100m","cpu":"9"})");
  expect_ok(on.add_pod("one", R"({"cpu":"100m"})"), 201);
  EXPECT_EQ(on.add_pod("two", R"({"cpu":"1m"})").code, 403);
  on.expect_used("q", R"({"cpu":"4100m","requests.cpu":"4100m"})");
}

TEST(QuotaAmounts, ChargeWhatAResizeAdds) {
  AmountsServer on;
  on.limit_it("q", R"({"requests.cpu":"1"})");
  expect_ok(on.add_pod("a", R"({"cpu":"600m"})"), 201);
  const auto resize = [&](std::string_view cpu) {
    return on.server.patch(
        on.at("pods", "a/resize"), "application/strategic-merge-patch+json",
        fmt::format(
            R"({{"spec":{{"containers":[{{"name":"c","resources":{{"requests":{{"cpu":"{}"}}}}}}]}}}})",
            cpu));
  };
  expect_status(resize("1100m"), 403, "Forbidden",
                R"(pods "a" is forbidden: exceeded quota: q, requested: requests.cpu=500m, used: )"
                "requests.cpu=600m, limited: requests.cpu=1");
  expect_ok(resize("1"));
  on.expect_used("q", R"({"requests.cpu":"1"})");
  EXPECT_EQ(on.add_pod("b", R"({"cpu":"1m"})").code, 403);
  expect_ok(resize("700m"));
  on.expect_used("q", R"({"requests.cpu":"700m"})");
  expect_ok(on.add_pod("b", R"({"cpu":"300m"})"), 201);
}

TEST(QuotaAmounts, ChargeAServiceThatChangesItsType) {
  AmountsServer on;
  on.limit_it("q", R"({"services.nodeports":"1","services.loadbalancers":"0","services":"3"})");
  expect_ok(on.add_service("a", "NodePort"), 201);
  expect_ok(on.add_service("b", "ClusterIP"), 201);
  const auto change = [&](std::string_view name, std::string_view type) {
    return on.server.merge(on.at("services", name),
                           fmt::format(R"({{"spec":{{"type":"{}"}}}})", type));
  };
  expect_status(change("b", "NodePort"), 403, "Forbidden",
                R"(services "b" is forbidden: exceeded quota: q, requested: services.nodeports=1, )"
                "used: services.nodeports=1, limited: services.nodeports=1");
  EXPECT_EQ(change("a", "LoadBalancer").code, 403);
  expect_ok(on.server.merge(on.at("services", "a"),
                            R"({"spec":{"type":"ClusterIP","ports":[{"port":80,"nodePort":0}]}})"));
  expect_ok(change("b", "NodePort"));
  on.expect_used("q", R"({"services":"2","services.loadbalancers":"0","services.nodeports":"1"})");
}

TEST(QuotaAmounts, ChargeAClaimThatGrows) {
  AmountsServer on;
  on.limit_it("q",
              R"({"requests.storage":"3Gi","gold.storageclass.storage.k8s.io/requests.storage":)"
              R"("2Gi","persistentvolumeclaims":"2"})");
  expect_ok(on.add_claim("a", "1Gi"), 201);
  expect_ok(on.server.merge(on.at("persistentvolumeclaims", "a/status"),
                            R"({"status":{"phase":"Bound","capacity":{"storage":"1Gi"}}})"));
  const auto grow = [&](std::string_view storage) {
    return on.server.merge(
        on.at("persistentvolumeclaims", "a"),
        fmt::format(R"({{"spec":{{"resources":{{"requests":{{"storage":"{}"}}}}}}}})", storage));
  };
  expect_status(grow("3Gi"), 403, "Forbidden",
                R"(persistentvolumeclaims "a" is forbidden: exceeded quota: q, requested: )"
                "gold.storageclass.storage.k8s.io/requests.storage=2Gi, used: "
                "gold.storageclass.storage.k8s.io/requests.storage=1Gi, limited: "
                "gold.storageclass.storage.k8s.io/requests.storage=2Gi");
  expect_ok(grow("2Gi"));
  EXPECT_EQ(on.add_claim("b", "1").code, 403);
  // What was allocated is a fact that no limit refuses.
  expect_ok(on.server.merge(on.at("persistentvolumeclaims", "a/status"),
                            R"({"status":{"allocatedResources":{"storage":"4Gi"}}})"));
  on.expect_used("q", R"({"gold.storageclass.storage.k8s.io/requests.storage":"4Gi",)"
                      R"("persistentvolumeclaims":"1","requests.storage":"4Gi"})");
}

TEST(QuotaAmounts, AreThoseOfObjectsInAllScopes) {
  AmountsServer on;
  on.limit_it("ends", R"({"pods":"1"})", R"(,"scopes":["Terminating"])");
  on.limit_it("best", R"({"pods":"1"})", R"(,"scopes":["BestEffort"])");
  on.limit_it("cpu", R"({"requests.cpu":"1"})", R"(,"scopes":["NotBestEffort","NotTerminating"])");
  on.limit_it("all", R"({"pods":"9"})");
  expect_ok(on.add_pod("a", "{}"), 201);
  expect_status(on.add_pod("b", "{}"), 403, "Forbidden",
                R"(pods "b" is forbidden: exceeded quota: best, requested: pods=1, used: pods=1, )"
                "limited: pods=1");
  expect_ok(on.add_pod("c", R"({"cpu":"1"})"), 201);
  EXPECT_EQ(on.add_pod("d", R"({"cpu":"1"})").code, 403);
  expect_ok(on.add_pod("d", R"({"cpu":"1"})", R"(,"activeDeadlineSeconds":60)"), 201);
  // The pod comes into the scope by an update, and is counted there as a whole.
  const std::string_view ends = R"({"spec":{"activeDeadlineSeconds":60}})";
  expect_status(on.server.merge(on.at("pods", "c"), ends), 403, "Forbidden",
                R"(pods "c" is forbidden: exceeded quota: ends, requested: pods=1, used: pods=1, )"
                "limited: pods=1");
  expect_ok(on.server.remove(on.at("pods", "d")));
  expect_ok(on.server.merge(on.at("pods", "c"), ends));
  on.expect_used("ends", R"({"pods":"1"})");
  on.expect_used("cpu", R"({"requests.cpu":"0"})");
  on.expect_used("all", R"({"pods":"2"})");
  on.expect_used("best", R"({"pods":"1"})");
}

// All objects are looked at again for scopes that nobody has asked about before, those on their way
// included.
TEST(QuotaAmounts, FollowQuotasThatComeAndGo) {
  AmountsServer on;
  on.limit_it("all", R"({"requests.cpu":"2"})");
  expect_ok(on.add_pod("a", R"({"cpu":"500m"})", R"(,"priorityClassName":"high")"), 201);
  expect_ok(on.add_pod("b", R"({"cpu":"200m"})"), 201);
  on.limit_it("high", R"({"cpu":"1"})",
              R"(,"scopeSelector":{"matchExpressions":[{"scopeName":"PriorityClass",)"
              R"("operator":"In","values":["high"]}]})");
  on.expect_used("high", R"({"cpu":"500m"})");
  EXPECT_EQ(on.add_pod("c", R"({"cpu":"600m"})", R"(,"priorityClassName":"high")").code, 403);
  expect_ok(on.add_pod("c", R"({"cpu":"600m"})"), 201);
  expect_ok(on.server.remove(on.at("resourcequotas", "high")));
  expect_ok(on.server.remove(on.at("resourcequotas", "all")));
  expect_ok(on.add_pod("d", R"({"cpu":"9"})"), 201);
  on.limit_it("all", R"({"requests.cpu":"11"})");
  on.expect_used("all", R"({"requests.cpu":"10300m"})");
}

TEST(QuotaAmounts, EndWithThePod) {
  AmountsServer on;
  on.limit_it("q", R"({"pods":"1","count/pods":"3"})");
  expect_ok(on.add_pod("a", "{}"), 201);
  expect_ok(on.server.merge(on.at("pods", "a/status"), R"({"status":{"phase":"Succeeded"}})"));
  on.expect_used("q", R"({"count/pods":"1","pods":"0"})");
  // One that runs somewhere goes when the kubelet says so, and counts until it had its time.
  expect_ok(on.add_pod("b", "{}", R"(,"nodeName":"n")"), 201);
  expect_ok(on.server.remove(on.at("pods", "b")));
  EXPECT_EQ(on.add_pod("c", "{}").code, 403);
  on.expect_used("q", R"({"count/pods":"2","pods":"1"})");
  on.server.advance(std::chrono::seconds(120));
  expect_ok(on.add_pod("c", "{}"), 201);
  on.expect_used("q", R"({"count/pods":"3","pods":"1"})");
}

// The status is put right without a request.
TEST(QuotaAmounts, EndWhenTheTimeHasCome) {
  AmountsServer on;
  on.limit_it("q", R"({"pods":"1"})");
  expect_ok(on.add_pod("a", "{}", R"(,"nodeName":"n")"), 201);
  expect_ok(on.server.merge(on.at("pods", "a"), R"({"metadata":{"finalizers":["a.b/c"]}})"));
  expect_ok(on.server.remove(on.at("pods", "a") + "?gracePeriodSeconds=0"));
  on.expect_used("q", R"({"pods":"1"})");
  on.server.advance(std::chrono::seconds(10));
  on.expect_used("q", R"({"pods":"0"})");
}

TEST(QuotaAmounts, AreNotWrittenForWhatChangesNothing) {
  AmountsServer on;
  on.limit_it("q", R"({"pods":"5","requests.cpu":"5"})");
  expect_ok(on.add_pod("a", R"({"cpu":"1"})"), 201);
  on.expect_used("q", R"({"pods":"1","requests.cpu":"1"})");
  const std::string before = on.server.get(on.at("resourcequotas", "q")).version();
  for (int i = 0; i < 5; ++i) {
    expect_ok(on.server.merge(on.at("pods", "a/status"),
                              fmt::format(R"({{"status":{{"message":"{}"}}}})", i)));
  }
  // Something that does, so that all before it has been looked at.
  expect_ok(
      on.server.merge(on.at("resourcequotas", "q/status"), R"({"status":{"used":{"pods":"4"}}})"));
  on.expect_used("q", R"({"pods":"1","requests.cpu":"1"})");
  const Answered quota = on.server.get(on.at("resourcequotas", "q"));
  // Ours, which was wrong, and the one that put it right.
  api::testing::TestServer::Watch watch(
      on.server, on.at("resourcequotas") + "?watch=true&resourceVersion=" + before);
  EXPECT_EQ(watch.take(2), "MODIFIED q, MODIFIED q");
  EXPECT_EQ(on.server.get(on.at("resourcequotas", "q")).version(), quota.version());
}

TEST(QuotaAmounts, AreNotChargedInADryRun) {
  AmountsServer on;
  on.limit_it("q", R"({"requests.cpu":"1"})");
  const std::string dry = on.at("pods") + "?dryRun=All";
  for (int i = 0; i < 3; ++i) expect_ok(on.server.post(dry, pod_json("a", R"({"cpu":"1"})")), 201);
  EXPECT_EQ(on.server.post(dry, pod_json("a", R"({"cpu":"2"})")).code, 403);
  expect_ok(on.add_pod("a", R"({"cpu":"1"})"), 201);
}

TEST(QuotaAmounts, AreGivenBackByAnUpdateThatIsNotStored) {
  AmountsServer on;
  on.limit_it("q", R"({"services.nodeports":"3"})");
  expect_ok(on.add_service("a", "ClusterIP"), 201);
  const auto change = [&] {
    return on.server.merge(on.at("services", "a"), R"({"spec":{"type":"NodePort"}})");
  };
  on.barrier.closed = true;
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(change().body.contains("is forbidden: closed")) << change().body;
  on.barrier.closed = false;
  on.expect_used("q", R"({"services.nodeports":"0"})");
  expect_ok(change());
  for (int i = 0; i < 2; ++i) expect_ok(on.add_service(fmt::format("n{}", i), "NodePort"), 201);
  EXPECT_EQ(on.add_service("more", "NodePort").code, 403);
  on.expect_used("q", R"({"services.nodeports":"3"})");
}

TEST(QuotaAmounts, AreChargedWhileAnUpdateIsOnItsWay) {
  AmountsServer on;
  on.limit_it("q", R"({"services.nodeports":"1"})");
  expect_ok(on.add_service("a", "ClusterIP"), 201);
  on.barrier.hold("a");
  std::thread update([&] {
    expect_ok(on.server.merge(on.at("services", "a"), R"({"spec":{"type":"NodePort"}})"));
  });
  on.barrier.wait_until_held();
  EXPECT_EQ(on.add_service("b", "NodePort").code, 403);
  // One that has nothing but what is counted.
  on.limit_it("new", R"({"services.nodeports":"9"})");
  on.expect_used("new", R"({"services.nodeports":"1"})");
  on.barrier.let_go();
  update.join();
  EXPECT_EQ(on.add_service("b", "NodePort").code, 403);
  on.expect_used("q", R"({"services.nodeports":"1"})");
  on.expect_used("new", R"({"services.nodeports":"1"})");
}

TEST(QuotaAmounts, AreChargedInScopesThatComeWhileTheyAreOnTheirWay) {
  AmountsServer on;
  on.limit_it("all", R"({"pods":"9"})");
  on.barrier.hold("a");
  std::thread create(
      [&] { expect_ok(on.add_pod("a", "{}", R"(,"activeDeadlineSeconds":60)"), 201); });
  on.barrier.wait_until_held();
  on.limit_it("ends", R"({"pods":"1"})", R"(,"scopes":["Terminating"])");
  on.expect_used("ends", R"({"pods":"1"})");
  EXPECT_EQ(on.add_pod("b", "{}", R"(,"activeDeadlineSeconds":60)").code, 403);
  expect_ok(on.add_pod("c", "{}"), 201);
  on.barrier.let_go();
  create.join();
  on.expect_used("ends", R"({"pods":"1"})");
  on.expect_used("all", R"({"pods":"2"})");
}

// As kube-apiserver alone has them: admission goes by the status, and nobody else writes it.
class StatusOnly : public AmountsServer {
 public:
  StatusOnly() : AmountsServer("-resourcequota-controller") {}
  void tell(std::string_view quota, std::string_view status) {
    expect_ok(server.merge(at("resourcequotas", fmt::format("{}/status", quota)),
                           fmt::format(R"({{"status":{}}})", status)));
  }
};

TEST(QuotasWithoutTheirController, LimitNothingUntilTheirStatusDoes) {
  StatusOnly on;
  on.limit_it("q", R"({"pods":"1","count/configmaps":"0","requests.cpu":"1"})");
  expect_ok(on.add("ns", "a"), 201);
  expect_ok(on.add_pod("a", "{}"), 201);
  EXPECT_EQ(on.server.get(on.at("resourcequotas", "q")).at("status"), "{}");
  on.tell("q", R"({"hard":{"pods":"1","count/configmaps":"1"},"used":{"count/configmaps":"0"}})");
  expect_status(on.add_pod("b", "{}"), 403, "Forbidden",
                R"(pods "b" is forbidden: status unknown for quota: q, resources: pods)");
  expect_ok(on.add("ns", "b"), 201);
  expect_status(on.add("ns", "c"), 403, "Forbidden",
                R"(configmaps "c" is forbidden: exceeded quota: q, requested: count/configmaps=1, )"
                "used: count/configmaps=1, limited: count/configmaps=1");
}

TEST(QuotasWithoutTheirController, TellOfAllThatIsUnknown) {
  StatusOnly on;
  on.limit_it("q", R"({"pods":"1"})");
  on.tell("q", R"({"hard":{"pods":"1","requests.cpu":"1","services":"1"},"used":{"pods":"0"}})");
  expect_status(on.add_pod("a", R"({"cpu":"1"})"), 403, "Forbidden",
                R"(pods "a" is forbidden: status unknown for quota: q, resources: )"
                "pods,requests.cpu");
}

TEST(QuotasWithoutTheirController, AddToTheirStatusAndTakeNothingAway) {
  StatusOnly on;
  on.limit_it("q", R"({"requests.cpu":"9"})");
  on.tell("q", R"({"hard":{"requests.cpu":"1"},"used":{"requests.cpu":"100m","pods":"7"}})");
  expect_ok(on.add_pod("a", R"({"cpu":"600m"})"), 201);
  const std::string want =
      R"({"hard":{"requests.cpu":"1"},"used":{"pods":"7","requests.cpu":"700m"}})";
  EXPECT_EQ(on.server.get(on.at("resourcequotas", "q")).at("status"), want);
  expect_ok(on.server.remove(on.at("pods", "a")));
  EXPECT_EQ(on.add_pod("b", R"({"cpu":"600m"})").code, 403);
  EXPECT_EQ(on.server.get(on.at("resourcequotas", "q")).at("status"), want);
}

TEST(QuotasWithoutTheirController, HoldHoweverManyAskAtATime) {
  StatusOnly on;
  on.limit_it("q", R"({"pods":"11"})");
  on.tell("q", R"({"hard":{"pods":"11"},"used":{"pods":"1"}})");
  std::atomic<int> created = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 6; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 4; ++i)
        created += on.add_pod(fmt::format("p{}-{}", thread, i), "{}").code == 201 ? 1 : 0;
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(created, 10);
}

}  // namespace
}  // namespace strake::admission
