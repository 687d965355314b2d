#include "ops/controllers/reconcilers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ops/controllers/test_world.h"

namespace strake::ops {
namespace {

using provider::FailureClass;
using provider::Outcome;
using testing::controllers::TestWorld;
using enum OperatedKind;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(ClusterController, ProvisionsAndInstallsWhatIsDeclared) {
  TestWorld w;
  w.cluster();
  w.settle();
  EXPECT_EQ(w.take_changes(), "provision blue, install blue");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"), "True Ready");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Provisioned"), "True Provisioned");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Installed"), "True Installed");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Synced"), "True AsDeclared");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Drifted"), "False AsDeclared");
  EXPECT_EQ(w.server.status(kCluster, "blue", "provisioned"), "true");
  EXPECT_EQ(w.server.status(kCluster, "blue", "ingressGlobalIP"), "\"192.0.2.1\"");
  EXPECT_EQ(w.server.status(kCluster, "blue", "observedGeneration"), "1");
  EXPECT_EQ(w.take_events(),
            "Normal blue Provisioned: provision cluster\nNormal blue Installed: install cluster\n");
}

TEST(ClusterController, DoesNotInstallWithoutADeclaredIngress) {
  TestWorld w;
  w.cluster("{}");
  w.settle();
  EXPECT_EQ(w.take_changes(), "provision blue");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"), "True Ready");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Installed"), "False NotInstalled");
}

TEST(ClusterController, WritesNothingWhenAllIsAsDeclared) {
  TestWorld w;
  w.cluster();
  w.settle();
  w.take_changes();
  w.take_events();
  w.server.writes = 0;
  for (int i = 0; i < 5; ++i) w.later(minutes(6));
  EXPECT_EQ(w.take_changes(), "");
  EXPECT_EQ(w.take_events(), "");
  EXPECT_EQ(w.server.writes, 0U);
}

TEST(ClusterController, ShowsDriftAndPutsItRight) {
  TestWorld w;
  w.cluster();
  w.settle();
  w.take_changes();
  w.take_events();
  w.provider.clusters["blue"].installed = false;
  w.later(minutes(6));
  EXPECT_EQ(w.take_changes(), "install blue");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Drifted"), "False PutRight: install cluster");
  EXPECT_EQ(w.take_events(),
            "Warning blue Drifted: install cluster\nNormal blue Installed: install cluster\n"
            "Normal blue PutRight: it is as declared again\n");
  w.provider.clusters.clear();
  w.provider.gate = [&](std::string_view call, const provider::Call& with) -> Outcome<> {
    if (call == "provision" && !with.dry_run)
      return provider::refuse(FailureClass::kServer, "no room");
    return {};
  };
  w.later(minutes(6));
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Drifted"), "True Gone: provision cluster");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"),
            "False ProviderUnavailable: provision: no room");
  EXPECT_EQ(w.server.status(kCluster, "blue", "provisioned"), "false");
  w.provider.gate = nullptr;
  w.later(minutes(2));
  EXPECT_EQ(w.take_changes(), "provision blue, install blue");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"), "True Ready");
  EXPECT_TRUE(w.server.condition(kCluster, "blue", "Drifted").starts_with("False PutRight"));
}

TEST(ClusterController, WaitsLongerAfterFailuresAndDoesNotWaitAfterAChange) {
  TestWorld w;
  int tries = 0;
  w.provider.gate = [&](std::string_view call, const provider::Call&) -> Outcome<> {
    if (call != "status") return {};
    ++tries;
    return provider::refuse(FailureClass::kAuth, "who are you");
  };
  w.cluster();
  w.settle();
  EXPECT_EQ(tries, 1);
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"),
            "False Unauthorized: status: failed to get the status of the cluster: who are you");
  w.settle();
  EXPECT_EQ(tries, 1);
  w.later(seconds(2));
  EXPECT_EQ(tries, 2);
  w.later(seconds(1));
  EXPECT_EQ(tries, 2);
  w.cluster("{}");
  w.settle();
  EXPECT_EQ(tries, 3);
}

TEST(ClusterController, LeavesAClusterAloneThatIsReadOnlyAndSaysWhyItDiffers) {
  TestWorld w;
  w.cluster(R"({"ingress":{},"protection":{"installation":"readOnly","provisioning":"readOnly"}})");
  w.settle();
  EXPECT_EQ(w.take_changes(), "provision blue, install blue") << "making it is allowed";
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"), "True Ready");
  w.provider.gate = [&](std::string_view call, const provider::Call& with) -> Outcome<> {
    if (call == "install" && with.dry_run) with.step("plan", "update Deployment");
    return {};
  };
  w.later(minutes(6));
  EXPECT_EQ(w.take_changes(), "");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Drifted"), "True Differs: update Deployment");
  EXPECT_TRUE(
      w.server.condition(kCluster, "blue", "Synced").starts_with("False Protected: install: "))
      << w.server.condition(kCluster, "blue", "Synced");
}

TEST(ClusterController, UninstallsAndDeprovisionsOnDeletion) {
  TestWorld w;
  w.cluster();
  w.settle();
  w.take_changes();
  w.server.remove(kCluster, "blue");
  w.settle();
  EXPECT_EQ(w.take_changes(), "uninstall blue, deprovision blue");
  EXPECT_FALSE(w.server.has(kCluster, "blue"));
  EXPECT_TRUE(w.provider.empty());
}

TEST(ClusterController, RefusesADeletionThatProtectionForbidsUntilItIsAllowed) {
  TestWorld w;
  w.cluster(R"({"ingress":{},"protection":{"provisioning":"cannotDelete"}})");
  w.settle();
  w.take_changes();
  w.server.remove(kCluster, "blue");
  w.settle();
  EXPECT_TRUE(w.server.has(kCluster, "blue"));
  EXPECT_TRUE(w.server.condition(kCluster, "blue", "Ready").starts_with("False Protected: "))
      << w.server.condition(kCluster, "blue", "Ready");
  EXPECT_TRUE(w.provider.clusters.at("blue").provisioned);
  EXPECT_TRUE(w.provider.clusters.at("blue").installed)
      << "nothing is taken away of a cluster that stays";
  w.cluster(R"({"ingress":{}})");
  w.server.remove(kCluster, "blue");
  w.settle();
  EXPECT_FALSE(w.server.has(kCluster, "blue"));
}

TEST(ClusterController, LetsAnObjectGoThatNeverWasWorkedOn) {
  TestWorld w;
  w.server.apply(kCluster, "lost", "/ws/ws/prv/nowhere/cls/lost", "{}");
  w.settle();
  EXPECT_EQ(
      w.server.condition(kCluster, "lost", "Ready"),
      "False ProviderNotFound: there is no Provider \"/ws/ws/prv/nowhere\" in namespace default");
  w.server.remove(kCluster, "lost");
  w.settle();
  EXPECT_FALSE(w.server.has(kCluster, "lost"));
  EXPECT_EQ(w.take_changes(), "");
}

TEST(ClusterController, IsLookedAtWhenItsProviderComes) {
  TestWorld w;
  w.server.apply(kCluster, "late", "/ws/ws/prv/other/cls/late", "{}");
  w.settle();
  EXPECT_EQ(w.take_changes(), "");
  w.server.apply(kProvider, "other", "/ws/ws/prv/other", R"({"driver":"fake"})");
  w.settle();
  EXPECT_EQ(w.take_changes(), "provision late");
}

TEST(ClusterController, DoesNothingThatItCannotTellOfAndTriesAgain) {
  TestWorld w;
  w.server.status_failure = Error(Code::kServiceUnavailable, "busy");
  w.cluster();
  w.settle();
  EXPECT_EQ(w.take_changes(), "");
  w.server.status_failure.reset();
  w.later(minutes(1));
  EXPECT_EQ(w.take_changes(), "provision blue, install blue");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"), "True Ready");
}

TEST(ClusterController, OnlyInstallsWhatOthersMadeAndLeavesItThere) {
  TestWorld w;
  w.cluster(R"({"existing":true,"ingress":{}})");
  w.settle();
  EXPECT_EQ(w.take_changes(), "");
  EXPECT_TRUE(w.server.condition(kCluster, "blue", "Ready").starts_with("False "))
      << w.server.condition(kCluster, "blue", "Ready");
  w.provider.clusters["blue"].provisioned = true;
  w.later(minutes(2));
  EXPECT_EQ(w.take_changes(), "install blue");
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"), "True Ready");
  w.server.remove(kCluster, "blue");
  w.settle();
  EXPECT_EQ(w.take_changes(), "uninstall blue");
  EXPECT_FALSE(w.server.has(kCluster, "blue"));
  EXPECT_TRUE(w.provider.clusters.at("blue").provisioned);
}

TEST(ClusterController, LetsTheOlderOfTwoObjectsOfOneResourceIdHaveIt) {
  TestWorld w;
  w.cluster("{}");
  w.settle();
  w.take_changes();
  w.server.apply(kProvider, "there", "/ws/ws/prv/here", R"({"driver":"fake"})");
  w.settle();
  w.later(minutes(6));
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"), "True Ready");
  EXPECT_EQ(w.take_changes(), "");
}

TEST(ClusterController, GoesOnWhereALeaderWasCutOff) {
  // Cut off at each call in turn; the next look brings it to the same end.
  for (int cut = 1; cut < 30; ++cut) {
    SCOPED_TRACE(cut);
    TestWorld w;
    int calls = 0;
    w.provider.gate = [&](std::string_view, const provider::Call&) -> Outcome<> {
      if (++calls == cut) return provider::refuse(FailureClass::kCanceled, "canceled");
      return {};
    };
    w.cluster();
    w.app();
    w.disk("a");
    w.pool("user", R"(,"autoscaling":{"enabled":true,"min":1,"max":3})");
    w.settle();
    w.later(minutes(1));
    w.later(minutes(1));
    EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"), "True Ready");
    EXPECT_EQ(w.server.condition(kDisk, "a", "Ready"), "True Ready");
    EXPECT_EQ(w.server.condition(kNodePool, "user", "Ready"), "True Ready");
    EXPECT_EQ(w.provider.disks["shop/data"].size(), 1U);
    EXPECT_EQ(w.server.condition(kDisk, "a", "Drifted"), "False AsDeclared");
    if (calls < cut) break;
  }
}

TEST(DiskController, MakesADiskAndShowsIt) {
  TestWorld w;
  w.cluster();
  w.app();
  w.disk("a", R"(,"source":"snapshot:old","zone":"1","options":{"iops":100})");
  w.settle();
  EXPECT_EQ(w.take_changes(), "provision blue, install blue, create disk a of snapshot:old");
  EXPECT_EQ(w.server.condition(kDisk, "a", "Ready"), "True Ready");
  EXPECT_EQ(w.server.status(kDisk, "a", "handle"), "\"handle-a\"");
  EXPECT_EQ(w.server.status(kDisk, "a", "size"), "\"1Gi\"");
  EXPECT_EQ(w.server.status(kDisk, "a", "zone"), "\"1\"");
  EXPECT_EQ(w.server.status(kDisk, "a", "assigned"), "true");
  EXPECT_EQ(w.server.status(kDisk, "a", "createdAt"), "\"2024-01-01T00:00:00Z\"");
  EXPECT_EQ(std::get<std::int64_t>(w.provider.disks["shop/data"][0].options.at("iops")), 100);
}

TEST(DiskController, TakesADiskOverThatIsThere) {
  TestWorld w;
  w.cluster();
  w.app();
  provider::Disk disk;
  disk.name = "a";
  disk.size = std::int64_t{1} << 30;
  disk.handle = "by-the-command-line";
  w.provider.disks["shop/data"].push_back(disk);
  w.disk("a");
  w.settle();
  EXPECT_EQ(w.take_changes(), "provision blue, install blue");
  EXPECT_EQ(w.server.status(kDisk, "a", "handle"), "\"by-the-command-line\"");
}

TEST(DiskController, AssignsWhenTheSpecSaysSoAndTellsTheOthers) {
  TestWorld w;
  w.cluster();
  w.app();
  w.disk("a");
  w.settle();
  w.disk("b", R"(,"assigned":true)");
  w.settle();
  EXPECT_EQ(w.server.status(kDisk, "a", "assigned"), "false");
  EXPECT_EQ(w.server.status(kDisk, "b", "assigned"), "true");
  w.take_changes();
  // Two that want it: nothing is changed.
  w.disk("a", R"(,"assigned":true)");
  w.settle();
  EXPECT_EQ(w.take_changes(), "");
  EXPECT_TRUE(w.server.condition(kDisk, "a", "Ready").starts_with("False AssignedTwice"));
  w.disk("b");
  w.settle();
  EXPECT_EQ(w.take_changes(), "assign disk a");
  EXPECT_EQ(w.server.condition(kDisk, "a", "Ready"), "True Ready");
  EXPECT_EQ(w.server.status(kDisk, "b", "assigned"), "false");
}

TEST(DiskController, ShowsDriftAndPutsItRight) {
  TestWorld w;
  w.cluster();
  w.app();
  w.disk("a", R"(,"assigned":true)");
  w.settle();
  w.take_changes();
  w.take_events();
  w.provider.disks["shop/data"][0].assigned = false;
  w.later(minutes(6));
  EXPECT_EQ(w.take_changes(), "assign disk a");
  EXPECT_EQ(w.server.condition(kDisk, "a", "Drifted"),
            "False PutRight: disk a is not the assigned one any more");
  w.provider.disks.clear();
  w.later(minutes(6));
  EXPECT_EQ(w.take_changes(), "create disk a");
  EXPECT_EQ(w.server.condition(kDisk, "a", "Drifted"), "False PutRight: disk a is gone");
  EXPECT_NE(w.take_events().find("Warning a Drifted: disk a is gone"), std::string::npos);
  // What cannot be put right is shown.
  w.provider.disks["shop/data"][0].size = 5;
  w.later(minutes(6));
  EXPECT_TRUE(w.server.condition(kDisk, "a", "Drifted").starts_with("True SizeDiffers"));
  EXPECT_TRUE(w.server.condition(kDisk, "a", "Synced").starts_with("False SizeDiffers"));
}

TEST(DiskController, DeletesAnAssignedDiskWithItsAppOrByForceOnly) {
  TestWorld w;
  w.cluster();
  w.app();
  w.disk("a");
  w.disk("b");
  w.settle();
  w.take_changes();
  w.server.remove(kDisk, "b");
  w.settle();
  EXPECT_EQ(w.take_changes(), "delete disk b");
  EXPECT_FALSE(w.server.has(kDisk, "b"));
  w.server.remove(kDisk, "a");
  w.settle();
  EXPECT_EQ(w.take_changes(), "");
  EXPECT_TRUE(
      w.server.condition(kDisk, "a", "Ready").starts_with("False Assigned: disk a is assigned"));
  w.server.remove(kApp, "shop");
  w.settle();
  EXPECT_EQ(w.take_changes(), "delete disk a");
  EXPECT_FALSE(w.server.has(kDisk, "a"));
  EXPECT_FALSE(w.server.has(kApp, "shop"));

  w.app();
  w.disk("c", "", R"("ops.kompox.dev/force":"true")");
  w.settle();
  w.take_changes();
  w.server.remove(kDisk, "c");
  w.settle();
  EXPECT_EQ(w.take_changes(), "delete disk c");
}

TEST(DiskController, KeepsWhatIsToBeRetained) {
  TestWorld w;
  w.cluster();
  w.app();
  w.disk("a", R"(,"deletionPolicy":"Retain")");
  w.settle();
  w.take_changes();
  w.server.remove(kDisk, "a");
  w.settle();
  EXPECT_FALSE(w.server.has(kDisk, "a"));
  EXPECT_EQ(w.take_changes(), "");
  EXPECT_EQ(w.provider.disks["shop/data"].size(), 1U);
}

TEST(DiskController, LetsTheFirstOfTwoObjectsOfOneDiskHaveIt) {
  TestWorld w;
  w.cluster();
  w.app();
  w.disk("a");
  w.settle();
  w.disk("other", R"(,"diskName":"a")");
  w.settle();
  EXPECT_TRUE(w.server.condition(kDisk, "other", "Ready").starts_with("False DuplicateName"));
  w.server.remove(kDisk, "other");
  w.settle();
  EXPECT_EQ(w.provider.disks["shop/data"].size(), 1U);
}

TEST(SnapshotController, TakesASnapshotWhenItsDiskIsThereAndNotAgainWhenItIsLost) {
  TestWorld w;
  w.cluster();
  w.app();
  w.snapshot("s1");
  w.settle();
  EXPECT_TRUE(w.server.condition(kSnapshot, "s1", "Ready").starts_with("False Invalid"));
  w.disk("a");
  w.settle();
  EXPECT_EQ(w.server.condition(kSnapshot, "s1", "Ready"), "True Ready");
  EXPECT_EQ(w.server.status(kSnapshot, "s1", "handle"), "\"handle-s1\"");
  EXPECT_EQ(w.server.status(kSnapshot, "s1", "size"), "\"1Gi\"");
  w.take_changes();
  w.take_events();
  w.provider.snapshots.clear();
  w.later(minutes(6));
  w.later(minutes(6));
  EXPECT_EQ(w.take_changes(), "");
  EXPECT_TRUE(w.server.condition(kSnapshot, "s1", "Drifted").starts_with("True Gone"));
  EXPECT_TRUE(w.server.condition(kSnapshot, "s1", "Ready").starts_with("False Gone"));
  EXPECT_EQ(w.take_events(),
            "Warning s1 Drifted: snapshot s1 is gone: a new one would hold something else\n");
  w.server.remove(kSnapshot, "s1");
  w.settle();
  EXPECT_FALSE(w.server.has(kSnapshot, "s1"));
}

TEST(NodePoolController, MakesChangesAndDeletesPools) {
  TestWorld w;
  w.cluster();
  w.pool("user", R"(,"autoscaling":{"enabled":true,"min":2,"max":3})");
  w.settle();
  EXPECT_EQ(w.take_changes(), "provision blue, install blue, create pool user");
  EXPECT_EQ(w.server.condition(kNodePool, "user", "Ready"), "True Ready");
  EXPECT_EQ(w.server.status(kNodePool, "user", "currentNodeCount"), "2");
  EXPECT_EQ(w.server.status(kNodePool, "user", "provisioningState"), "\"Succeeded\"");
  w.pool("user", R"(,"autoscaling":{"enabled":true,"min":3,"max":3})");
  w.settle();
  EXPECT_EQ(w.take_changes(), "update pool user");
  EXPECT_EQ(w.server.condition(kNodePool, "user", "Drifted"), "False AsDeclared");
  EXPECT_EQ(w.server.status(kNodePool, "user", "currentNodeCount"), "3");
  w.provider.pools.begin()->second.autoscaling->max = 9;
  w.later(minutes(6));
  EXPECT_EQ(w.take_changes(), "update pool user");
  EXPECT_EQ(w.server.condition(kNodePool, "user", "Drifted"), "False PutRight: update node pool");
  w.provider.pools.clear();
  w.later(minutes(6));
  EXPECT_EQ(w.take_changes(), "create pool user");
  w.pool("user", R"(,"instanceType":"large")");
  w.settle();
  EXPECT_TRUE(
      w.server.condition(kNodePool, "user", "Ready")
          .starts_with(
              "False Invalid: update node pool: validation error: cannot modify immutable fields"));
  w.server.remove(kNodePool, "user");
  w.settle();
  EXPECT_EQ(w.take_changes(), "delete pool user");
  EXPECT_FALSE(w.server.has(kNodePool, "user"));
}

TEST(NodePoolController, WaitsForItsCluster) {
  TestWorld w;
  w.pool("user");
  w.settle();
  EXPECT_TRUE(w.server.condition(kNodePool, "user", "Ready").starts_with("False ClusterNotFound"));
  w.cluster();
  w.settle();
  EXPECT_EQ(w.server.condition(kNodePool, "user", "Ready"), "True Ready");
}

TEST(Deletion, OfEverythingInAnyOrderLeavesNothingBehind) {
  const std::vector<ObjectKey> all = {
      {kWorkspace, "default", "ws"}, {kProvider, "default", "here"}, {kCluster, "default", "blue"},
      {kApp, "default", "shop"},     {kDisk, "default", "a"},        {kDisk, "default", "b"},
      {kSnapshot, "default", "s"},   {kNodePool, "default", "user"}};
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    TestWorld w;
    w.cluster();
    w.app();
    w.disk("a");
    w.disk("b", R"(,"assigned":true)");
    w.snapshot("s");
    w.pool("user");
    w.settle();
    w.later(minutes(1));
    std::vector<ObjectKey> order = all;
    std::mt19937 random(seed);
    std::ranges::shuffle(order, random);
    for (const ObjectKey& one : order) {
      w.server.remove(one.kind, one.name);
      if (random() % 2 == 0) w.settle();
    }
    w.settle();
    w.later(minutes(1));
    for (const ObjectKey& one : all)
      EXPECT_FALSE(w.server.has(one.kind, one.name)) << to_string(one);
    EXPECT_TRUE(w.provider.empty());
  }
}

TEST(Secrets, AreInNoStatusAndNoEvent) {
  TestWorld w;
  w.cluster();
  w.app();
  w.disk("a");
  w.settle();
  std::string told = w.take_events();
  for (const char* member : {"conditions", "ingressGlobalIP"})
    told += w.server.status(kCluster, "blue", member);
  EXPECT_EQ(told.find("a-secret"), std::string::npos);
}

TEST(Cancellation, EndsALookAndTellsNothingUntrue) {
  TestWorld w;
  w.cluster();
  w.ending.cancel();
  w.settle();
  EXPECT_EQ(w.server.condition(kCluster, "blue", "Ready"), "no condition");
  EXPECT_EQ(w.take_events(), "");
}

}  // namespace
}  // namespace strake::ops
