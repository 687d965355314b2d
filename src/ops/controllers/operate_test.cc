#include "ops/controllers/operate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "kube/test_cluster.h"
#include "ops/controllers/test_world.h"

namespace strake::ops {
namespace {

using provider::Outcome;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kGroup = "/apis/ops.kompox.dev/v1alpha1/namespaces/default";

// A server with the group of operations, and controllers beside it.
class Operated {
 public:
  Operated() : registry(testing::controllers::registry_of(provider)) {}

  OperateOptions options() {
    OperateOptions out;
    out.term.server = cluster.access();
    out.term.drivers = &registry;
    out.term.environment = &environment;
    out.term.look_again = std::chrono::hours(1);
    out.term.backoff = {.first = milliseconds(20), .most = milliseconds(100)};
    out.lease = {.duration = seconds(2), .renew = milliseconds(1200), .retry = milliseconds(50)};
    return out;
  }

  // `path` is below the group: "clusters/blue".
  void apply(const std::string& path, const std::string& json) {
    const kube::Client client = cluster.client();
    const auto done = client.send({.method = "PATCH",
                                   .path = kGroup + ("/" + path) + "?fieldManager=test&force=true",
                                   .content_type = "application/apply-patch+yaml",
                                   .body = json});
    EXPECT_TRUE(done) << done.error().to_string();
  }
  void declare() {
    const auto object = [&](std::string_view kind, std::string_view plural, std::string_view name,
                            std::string_view id, std::string_view spec) {
      apply(fmt::format("{}/{}", plural, name),
            fmt::format(R"({{"apiVersion":"ops.kompox.dev/v1alpha1","kind":"{}","metadata":)"
                        R"({{"name":"{}","annotations":{{{}}}}},"spec":{}}})",
                        kind, name,
                        id.empty() ? "" : fmt::format(R"("ops.kompox.dev/id":"{}")", id), spec));
    };
    object("Disk", "disks", "a", "", R"({"appRef":{"name":"shop"},"volumeName":"data"})");
    object("App", "apps", "shop", "/ws/ws/prv/here/cls/blue/app/shop",
           R"({"compose":"services: {}","volumes":[{"name":"data","size":"1Gi"}]})");
    object("Cluster", "clusters", "blue", "/ws/ws/prv/here/cls/blue",
           R"({"ingress":{"domain":"blue.example.test"}})");
    object("NodePool", "nodepools", "user", "", R"({"clusterRef":{"name":"blue"},"mode":"user"})");
    object("Provider", "providers", "here", "/ws/ws/prv/here", R"({"driver":"fake"})");
    object("Workspace", "workspaces", "ws", "/ws/ws", "{}");
  }
  // Asks until it is so; false after a while.
  bool becomes(const std::function<bool()>& so) {
    for (int i = 0; i < 500; ++i) {
      if (so()) return true;
      std::this_thread::sleep_for(milliseconds(20));
    }
    return false;
  }
  std::string get(const std::string& path, std::string_view at) {
    return cluster.server().get(kGroup + ("/" + path)).at(at);
  }
  bool is_ready(const std::string& path) {
    return get(path, "status.conditions").find(R"("status":"True","type":"Ready")") !=
           std::string::npos;
  }
  bool is_gone(const std::string& path) {
    return cluster.server().get(kGroup + ("/" + path)).code == 404;
  }
  bool has_definitions() {
    return std::ranges::all_of(kOperatedKinds, [&](OperatedKind kind) {
      return cluster.server().get(fmt::format("{}/{}", kGroup, plural_of(kind))).code == 200;
    });
  }
  std::string holder() {
    return cluster.server()
        .get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/strake-operate")
        .text("spec.holderIdentity");
  }

  kube::testing::TestCluster cluster;
  testing::controllers::FakeProvider provider;
  provider::Registry registry;
  provider::DriverEnvironment environment;
};

TEST(Operate, MakesWhatIsDeclaredAndTakesItAwayAgain) {
  Operated it;
  OperateControllers controllers(it.options());
  ASSERT_TRUE(it.becomes([&] { return it.has_definitions(); }));
  it.declare();
  for (const char* one : {"clusters/blue", "disks/a", "nodepools/user"})
    ASSERT_TRUE(it.becomes([&] { return it.is_ready(one); })) << it.get(one, "status");
  EXPECT_EQ(it.holder(), controllers.identity());
  EXPECT_EQ(it.get("disks/a", "status.handle"), "\"handle-a\"");
  EXPECT_EQ(it.get("clusters/blue", "status.observedGeneration"), "1");
  const std::string events = it.cluster.server().get("/api/v1/namespaces/default/events").body;
  EXPECT_NE(events.find("\"reason\":\"Provisioned\""), std::string::npos) << events;

  // At once after a change, with no time to look again.
  it.apply(
      "nodepools/user",
      R"({"apiVersion":"ops.kompox.dev/v1alpha1","kind":"NodePool","metadata":{"name":"user"},)"
      R"("spec":{"clusterRef":{"name":"blue"},"mode":"user","autoscaling":)"
      R"({"enabled":true,"min":4,"max":5}}})");
  EXPECT_TRUE(
      it.becomes([&] { return it.get("nodepools/user", "status.currentNodeCount") == "4"; }));

  for (const char* one : {"workspaces/ws", "providers/here", "apps/shop", "clusters/blue",
                          "nodepools/user", "disks/a"})
    it.cluster.server().remove(kGroup + (std::string("/") + one));
  for (const char* one : {"workspaces/ws", "providers/here", "apps/shop", "clusters/blue",
                          "nodepools/user", "disks/a"})
    EXPECT_TRUE(it.becomes([&] { return it.is_gone(one); })) << one << it.get(one, "");
  EXPECT_TRUE(it.provider.empty());
  controllers.stop();
  EXPECT_EQ(it.holder(), "");
}

TEST(Operate, LetsOneServerLeadAndAnotherOneGoOn) {
  Operated it;
  auto first = std::make_unique<OperateControllers>(it.options());
  ASSERT_TRUE(it.becomes([&] { return first->leads(); }));
  OperateControllers second(it.options());
  ASSERT_TRUE(it.becomes([&] { return it.has_definitions(); }));
  it.declare();
  ASSERT_TRUE(it.becomes([&] { return it.is_ready("clusters/blue"); }));
  EXPECT_FALSE(second.leads());
  first.reset();
  ASSERT_TRUE(it.becomes([&] { return second.leads(); }));
  EXPECT_EQ(it.holder(), second.identity());
  {
    const std::scoped_lock lock(it.provider.mu);
    it.provider.clusters.clear();
  }
  it.apply("clusters/blue",
           R"({"apiVersion":"ops.kompox.dev/v1alpha1","kind":"Cluster","metadata":{"name":"blue",)"
           R"("annotations":{"ops.kompox.dev/id":"/ws/ws/prv/here/cls/blue","look":"now"}}})");
  EXPECT_TRUE(it.becomes([&] {
    const std::scoped_lock lock(it.provider.mu);
    return it.provider.clusters["blue"].provisioned;
  }));
}

TEST(Operate, CancelsWorkUnderWayWhenItStops) {
  Operated it;
  std::atomic<bool> waiting = false;
  std::atomic<bool> cancelled = false;
  it.provider.gate = [&](std::string_view call, const provider::Call& with) -> Outcome<> {
    if (call != "provision" || with.dry_run) return {};
    waiting = true;
    Outcome<> out = with.sleep(std::chrono::hours(1));
    cancelled = !out;
    return out;
  };
  OperateControllers controllers(it.options());
  ASSERT_TRUE(it.becomes([&] { return it.has_definitions(); }));
  it.declare();
  ASSERT_TRUE(it.becomes([&] { return waiting.load(); }));
  controllers.stop();
  EXPECT_TRUE(cancelled);
  EXPECT_FALSE(controllers.leads());
}

TEST(Operate, StopsToLeadWhenTheLeaseIsTakenFromIt) {
  Operated it;
  OperateControllers controllers(it.options());
  ASSERT_TRUE(it.becomes([&] { return controllers.leads(); }));
  ASSERT_TRUE(it.becomes([&] { return it.has_definitions(); }));
  it.cluster.server().merge(
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/strake-operate",
      R"({"spec":{"holderIdentity":"somebody","leaseDurationSeconds":2}})");
  EXPECT_TRUE(it.becomes([&] { return !controllers.leads(); }));
  // Nobody renews it: it comes back.
  EXPECT_TRUE(it.becomes([&] { return controllers.leads(); }));
}

TEST(Operate, AsksAsManyAtOnceAsItHasWorkersAndEachObjectOnce) {
  Operated it;
  std::mutex mu;
  std::multiset<std::thread::id> inside;
  std::size_t most = 0;
  it.provider.gate = [&](std::string_view, const provider::Call&) -> Outcome<> {
    {
      const std::scoped_lock lock(mu);
      inside.insert(std::this_thread::get_id());
      most = std::max(most, inside.size());
    }
    std::this_thread::sleep_for(milliseconds(2));
    const std::scoped_lock lock(mu);
    inside.erase(inside.find(std::this_thread::get_id()));
    return {};
  };
  OperateOptions options = it.options();
  options.term.workers = 2;
  OperateControllers controllers(options);
  ASSERT_TRUE(it.becomes([&] { return it.has_definitions(); }));
  it.declare();
  for (int i = 0; i < 8; ++i)
    it.apply(fmt::format("disks/d{}", i),
             fmt::format(R"({{"apiVersion":"ops.kompox.dev/v1alpha1","kind":"Disk","metadata":)"
                         R"({{"name":"d{}"}},"spec":{{"appRef":{{"name":"shop"}},)"
                         R"("volumeName":"data"}}}})",
                         i));
  for (int i = 0; i < 8; ++i)
    EXPECT_TRUE(it.becomes([&] { return it.is_ready(fmt::format("disks/d{}", i)); }));
  controllers.stop();
  EXPECT_LE(most, 2U);
  EXPECT_EQ(it.provider.disks["shop/data"].size(), 9U);
}

}  // namespace
}  // namespace strake::ops
