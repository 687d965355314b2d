#include "provider/conformance/conformance.h"

#include <gmock/gmock.h>

#include <ostream>

namespace strake::provider {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::int64_t kVolumeBytes = std::int64_t{8} << 20;

AppVolume volume_named(std::string name) {
  return {.name = std::move(name), .size = kVolumeBytes, .type = VolumeType::kDisk, .options = {}};
}

std::vector<std::string> names_of(const std::vector<Disk>& disks) {
  std::vector<std::string> out;
  for (const Disk& one : disks) out.push_back(one.name);
  return out;
}

}  // namespace

DriverWorld::DriverWorld(std::unique_ptr<DriverUnderTest> subject)
    : cluster(subject->cluster()), subject_(std::move(subject)) {
  app.name = "shop";
  app.volumes = {volume_named("data"), volume_named("other")};
  driver = subject_->driver(calls);
}

Call DriverWorld::call() {
  clock.advance(std::chrono::seconds(1));
  return {.clock = &clock};
}

void DriverConformance::SetUp() {
  std::string why_not;
  auto subject = offers().make(why_not);
  if (subject == nullptr) GTEST_SKIP() << why_not;
  world_ = std::make_unique<DriverWorld>(std::move(subject));
}

void DriverConformance::TearDown() {
  if (world_ == nullptr || !offers().makes_clusters) return;
  const auto gone = clusters().deprovision(world().call(), world().cluster, {});
  EXPECT_TRUE(gone) << shown(gone);
}

void DriverConformance::provision() {
  const auto done = clusters().provision(world().call(), world().cluster, {});
  ASSERT_TRUE(done) << shown(done);
}

TEST_P(DriverConformance, SaysWhoItIs) {
  EXPECT_FALSE(world().driver.id.empty());
  EXPECT_FALSE(world().driver.workspace_name.empty());
  EXPECT_FALSE(world().driver.provider_name.empty());
}

// Clusters

TEST_P(DriverConformance, HasAStatusBeforeAndAfterAClusterIsMade) {
  if (!offers().makes_clusters) GTEST_SKIP() << "it makes no clusters";
  auto status = clusters().status(world().call(), world().cluster);
  ASSERT_TRUE(status) << shown(status);
  EXPECT_FALSE(status->provisioned);
  EXPECT_FALSE(status->installed);
  provision();
  status = clusters().status(world().call(), world().cluster);
  ASSERT_TRUE(status) << shown(status);
  EXPECT_TRUE(status->provisioned);
  EXPECT_FALSE(status->installed);
}

TEST_P(DriverConformance, DeprovisionsWhatIsNotThere) {
  if (!offers().makes_clusters) GTEST_SKIP() << "it makes no clusters";
  const auto gone = clusters().deprovision(world().call(), world().cluster, {});
  EXPECT_TRUE(gone) << shown(gone);
  EXPECT_THAT(world().calls.writes(), IsEmpty());
}

TEST_P(DriverConformance, SaysThatItMakesNoClusters) {
  if (offers().makes_clusters) GTEST_SKIP() << "it makes clusters";
  Cluster made = world().cluster;
  made.existing = false;
  const auto got = clusters().provision(world().call(), made, {});
  EXPECT_EQ(got.error().error_class(), FailureClass::kNotImplemented);
  EXPECT_THAT(got.error().message(), HasSubstr("ClusterProvision is not implemented"));
}

TEST_P(DriverConformance, InstallsAndUninstalls) {
  if (!offers().has_clusters) GTEST_SKIP() << "it has no clusters";
  provision();
  auto done = clusters().install(world().call(), world().cluster, {});
  ASSERT_TRUE(done) << shown(done);
  EXPECT_TRUE(clusters().status(world().call(), world().cluster)->installed);
  done = clusters().uninstall(world().call(), world().cluster, {});
  ASSERT_TRUE(done) << shown(done);
  EXPECT_FALSE(clusters().status(world().call(), world().cluster)->installed);
}

TEST_P(DriverConformance, GivesAKubeconfigAndWritesIntoNoLog) {
  if (!offers().has_clusters) GTEST_SKIP() << "it has no clusters";
  provision();
  ToldSteps told;
  Call call = world().call();
  call.journal = &told;
  const auto text = clusters().kubeconfig(call, world().cluster);
  ASSERT_TRUE(text) << shown(text);
  EXPECT_THAT(text->reveal(), HasSubstr("clusters:"));
  EXPECT_EQ(told.text().find("-data"), std::string::npos);
}

// Disks

TEST_P(DriverConformance, AssignsTheFirstDiskAndNoOther) {
  if (!offers().has_volumes) GTEST_SKIP() << "it has no volumes";
  const auto first = volumes().create_disk(world().call(), world().volume(), "b", "", {});
  ASSERT_TRUE(first) << shown(first);
  EXPECT_TRUE(first->assigned);
  const auto second = volumes().create_disk(world().call(), world().volume(), "a", "", {});
  ASSERT_TRUE(second) << shown(second);
  EXPECT_FALSE(second->assigned);
  const auto other = volumes().create_disk(world().call(), world().other_volume(), "a", "", {});
  ASSERT_TRUE(other) << shown(other);
  EXPECT_TRUE(other->assigned) << "each volume has a first disk";
  EXPECT_EQ(volumes().list_disks(world().call(), world().volume())->size(), 2U);
}

TEST_P(DriverConformance, ListsTheNewestFirstAndThenByName) {
  if (!offers().has_volumes) GTEST_SKIP() << "it has no volumes";
  // Two at one time, two at a later one.
  for (const char* name : {"c", "a", "b", "a2"}) {
    const Call call =
        std::string_view(name) == "b" ? world().call() : Call{.clock = &world().clock};
    ASSERT_TRUE(volumes().create_disk(call, world().volume(), name, "", {}));
  }
  const auto all = volumes().list_disks(world().call(), world().volume());
  ASSERT_TRUE(all) << shown(all);
  EXPECT_THAT(names_of(*all), ElementsAre("a2", "b", "a", "c"));
}

TEST_P(DriverConformance, ListsNothingWhereNothingIs) {
  if (!offers().has_volumes) GTEST_SKIP() << "it has no volumes";
  const auto disks = volumes().list_disks(world().call(), world().volume());
  ASSERT_TRUE(disks) << shown(disks);
  EXPECT_THAT(*disks, IsEmpty());
  if (offers().has_snapshots) {
    EXPECT_THAT(volumes().list_snapshots(world().call(), world().volume()).value(), IsEmpty());
  }
}

TEST_P(DriverConformance, GivesDisksANameThatHaveNone) {
  if (!offers().has_volumes) GTEST_SKIP() << "it has no volumes";
  const auto one = volumes().create_disk(world().call(), world().volume(), "", "", {});
  const auto two = volumes().create_disk(world().call(), world().volume(), "", "", {});
  ASSERT_TRUE(one && two) << shown(one) << shown(two);
  EXPECT_EQ(one->name.size(), 12U);
  EXPECT_NE(one->name, two->name);
  EXPECT_NE(one->handle, two->handle);
}

TEST_P(DriverConformance, RefusesNamesThatAreTakenOrWrong) {
  if (!offers().has_volumes) GTEST_SKIP() << "it has no volumes";
  ASSERT_TRUE(volumes().create_disk(world().call(), world().volume(), "d1", "", {}));
  auto got = volumes().create_disk(world().call(), world().volume(), "d1", "", {});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().error_class(), FailureClass::kConflict);
  EXPECT_EQ(got.error().message(), "disk \"d1\" already exists");
  for (const std::string& name : {std::string("-a"), std::string("A"), std::string(25, 'a')}) {
    got = volumes().create_disk(world().call(), world().volume(), name, "", {});
    ASSERT_FALSE(got) << name;
    EXPECT_EQ(got.error().error_class(), FailureClass::kValidation);
  }
  if (!offers().has_snapshots) return;
  ASSERT_TRUE(volumes().create_snapshot(world().call(), world().volume(), "s1", "", {}));
  const auto again = volumes().create_snapshot(world().call(), world().volume(), "s1", "", {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().error_class(), FailureClass::kConflict);
  EXPECT_EQ(again.error().message(), "snapshot \"s1\" already exists");
}

TEST_P(DriverConformance, AssignsOneDiskAndNoOther) {
  if (!offers().has_volumes) GTEST_SKIP() << "it has no volumes";
  for (const char* name : {"a", "b", "c"})
    ASSERT_TRUE(volumes().create_disk(world().call(), world().volume(), name, "", {}));
  ASSERT_TRUE(volumes().assign_disk(world().call(), world().volume(), "c", {}));
  for (const Disk& one : volumes().list_disks(world().call(), world().volume()).value())
    EXPECT_EQ(one.assigned, one.name == "c") << one.name;
  const auto gone = volumes().assign_disk(world().call(), world().volume(), "x", {});
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().error_class(), FailureClass::kNotFound);
  EXPECT_EQ(gone.error().message(), "disk not found: x");
}

TEST_P(DriverConformance, DeletesWhatIsNotThere) {
  if (offers().has_volumes) {
    const auto disk = volumes().delete_disk(world().call(), world().volume(), "x", {});
    EXPECT_TRUE(disk) << shown(disk);
  }
  if (offers().has_snapshots) {
    const auto snapshot = volumes().delete_snapshot(world().call(), world().volume(), "x", {});
    EXPECT_TRUE(snapshot) << shown(snapshot);
  }
  if (offers().has_node_pools && offers().has_clusters) {
    provision();
    world().calls.disarm();
    const auto pool = pools().remove(world().call(), world().cluster, "x", {});
    EXPECT_TRUE(pool) << shown(pool);
  }
  EXPECT_THAT(world().calls.writes(), IsEmpty());
}

TEST_P(DriverConformance, MakesDisksAndSnapshotsFromSources) {
  if (!offers().has_snapshots) GTEST_SKIP() << "it has no snapshots";
  ASSERT_TRUE(volumes().create_disk(world().call(), world().volume(), "d1", "", {}));
  const auto s1 = volumes().create_snapshot(world().call(), world().volume(), "s1", "", {});
  ASSERT_TRUE(s1) << shown(s1);
  const std::string native = offers().native_disk_source_prefix + s1->handle;
  int number = 1;
  for (const std::string& source : {std::string("s1"), std::string("snapshot:s1"),
                                    std::string(" SNAPSHOT:s1 "), std::string("disk:d1"), native}) {
    const auto made = volumes().create_disk(world().call(), world().volume(),
                                            "d" + std::to_string(++number), source, {});
    EXPECT_TRUE(made) << source << ": " << shown(made);
    const auto snapped =
        volumes().create_snapshot(world().call(), world().volume(), "s" + std::to_string(number),
                                  source == "s1" ? "d1" : source, {});
    EXPECT_TRUE(snapped) << source << ": " << shown(snapped);
  }
  for (const std::string source : {"gone", "disk:gone", "snapshot:gone", "disk:", "snapshot:"}) {
    const auto made = volumes().create_disk(world().call(), world().volume(), "x", source, {});
    ASSERT_FALSE(made) << source;
    const bool empty = source.ends_with(':');
    EXPECT_EQ(made.error().error_class(),
              empty ? FailureClass::kValidation : FailureClass::kNotFound);
    EXPECT_THAT(made.error().message(),
                HasSubstr(empty ? "name cannot be empty" : "resolve source "));
  }
}

TEST_P(DriverConformance, TakesTheAssignedDiskForASnapshotOfNoSource) {
  if (!offers().has_snapshots) GTEST_SKIP() << "it has no snapshots";
  auto got = volumes().create_snapshot(world().call(), world().volume(), "s1", "", {});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message(), "no assigned disk found for volume \"data\"");
  ASSERT_TRUE(volumes().create_disk(world().call(), world().volume(), "d1", "", {}));
  got = volumes().create_snapshot(world().call(), world().volume(), "s1", "", {});
  ASSERT_TRUE(got) << shown(got);
  EXPECT_EQ(got->size, kVolumeBytes);
}

TEST_P(DriverConformance, SaysThatItHasNoVolumes) {
  if (offers().has_volumes) GTEST_SKIP() << "it has volumes";
  const VolumeOf of = world().volume();
  const Call call = world().call();
  const auto expect = [](const auto& got, std::string_view method) {
    ASSERT_FALSE(got) << method;
    EXPECT_EQ(got.error().error_class(), FailureClass::kNotImplemented);
    EXPECT_THAT(got.error().message(), StartsWith(std::string(method) + " is not implemented"));
  };
  expect(volumes().list_disks(call, of), "VolumeDiskList");
  expect(volumes().create_disk(call, of, "d", "", {}), "VolumeDiskCreate");
  expect(volumes().delete_disk(call, of, "d", {}), "VolumeDiskDelete");
  expect(volumes().assign_disk(call, of, "d", {}), "VolumeDiskAssign");
  expect(volumes().list_snapshots(call, of), "VolumeSnapshotList");
  expect(volumes().create_snapshot(call, of, "s", "", {}), "VolumeSnapshotCreate");
  expect(volumes().delete_snapshot(call, of, "s", {}), "VolumeSnapshotDelete");
}

// Node pools

namespace {

NodePool pool_named(std::string name) {
  NodePool out;
  out.name = std::move(name);
  out.mode = "user";
  out.zones = {{"1", "2"}};
  out.labels.emplace()["tier"] = "web";
  out.autoscaling = Autoscaling{.enabled = true, .min = 1, .max = 4, .desired = 2};
  return out;
}

}  // namespace

TEST_P(DriverConformance, MakesAndListsNodePools) {
  if (!offers().has_node_pools) GTEST_SKIP() << "it has no node pools";
  provision();
  const auto made = pools().create(world().call(), world().cluster, pool_named("np1"), {});
  ASSERT_TRUE(made) << shown(made);
  EXPECT_TRUE(made->provider_name.has_value());
  EXPECT_EQ(made->labels->at("kompox.dev/node-pool"), "np1");
  EXPECT_EQ(made->labels->at("kompox.dev/node-zone"), "1");
  ASSERT_TRUE(pools().create(world().call(), world().cluster, pool_named("np2"), {}));
  EXPECT_EQ(pools().list(world().call(), world().cluster, "")->size(), 2U);
  EXPECT_EQ(pools().list(world().call(), world().cluster, "np2")->size(), 1U);
  EXPECT_EQ(pools().list(world().call(), world().cluster, "np3")->size(), 0U);
  EXPECT_EQ(pools().list(world().call(), world().cluster, "np1")->front(), *made);
}

TEST_P(DriverConformance, UpdatesWhatIsSetAndNothingElse) {
  if (!offers().has_node_pools) GTEST_SKIP() << "it has no node pools";
  provision();
  const auto made = pools().create(world().call(), world().cluster, pool_named("np1"), {});
  ASSERT_TRUE(made) << shown(made);
  NodePool update;
  update.name = "np1";
  update.autoscaling = Autoscaling{.enabled = true, .min = 1, .max = 5, .desired = 3};
  update.labels.emplace()["color"] = "red";
  const auto changed = pools().update(world().call(), world().cluster, update, {});
  ASSERT_TRUE(changed) << shown(changed);
  EXPECT_EQ(changed->autoscaling, update.autoscaling);
  EXPECT_EQ(changed->status->current_node_count, 3);
  EXPECT_EQ(changed->labels->at("tier"), "web");
  EXPECT_EQ(changed->labels->at("color"), "red");
  EXPECT_EQ(changed->zones, made->zones);
  EXPECT_EQ(changed->mode, made->mode);
}

TEST_P(DriverConformance, RefusesToChangeWhatCannotChange) {
  if (!offers().has_node_pools) GTEST_SKIP() << "it has no node pools";
  provision();
  ASSERT_TRUE(pools().create(world().call(), world().cluster, pool_named("np1"), {}));
  NodePool update;
  update.name = "np1";
  update.mode = "system";
  update.priority = "spot";
  auto got = pools().update(world().call(), world().cluster, update, {});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().error_class(), FailureClass::kValidation);
  EXPECT_EQ(got.error().message(),
            "validation error: cannot modify immutable fields: Mode is immutable, Priority is "
            "immutable");
  got = pools().create(world().call(), world().cluster, update, {});
  EXPECT_EQ(got.error().error_class(), FailureClass::kValidation);
  update = {};
  update.name = "gone";
  EXPECT_EQ(pools().update(world().call(), world().cluster, update, {}).error().error_class(),
            FailureClass::kNotFound);
  got = pools().create(world().call(), world().cluster, NodePool{}, {});
  EXPECT_EQ(got.error().message(), "validation error: pool.Name is required");
}

TEST_P(DriverConformance, SaysThatItHasNoNodePools) {
  if (offers().has_node_pools) GTEST_SKIP() << "it has node pools";
  const auto got = pools().list(world().call(), world().cluster, "");
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().error_class(), FailureClass::kNotImplemented);
}

// DNS

TEST_P(DriverConformance, RefusesRecordsThatMakeNoSenseEvenAtBestEffort) {
  for (const DnsRecordSet& bad :
       {DnsRecordSet{.fqdn = "", .type = "A", .rdata = {"192.0.2.1"}},
        DnsRecordSet{.fqdn = "a." + offers().zone, .type = "A", .rdata = {"no address"}},
        DnsRecordSet{.fqdn = "a." + offers().zone, .type = "NONE", .rdata = {"x"}}}) {
    const auto got = dns().apply(world().call(), world().cluster, bad, {});
    ASSERT_FALSE(got) << bad.fqdn << ' ' << bad.type;
    EXPECT_EQ(got.error().error_class(), FailureClass::kValidation);
  }
}

TEST_P(DriverConformance, TellsCancellationEvenAtBestEffort) {
  CancelSource source;
  source.cancel();
  Call call = world().call();
  call.cancel = source.token();
  const auto got = dns().apply(call, world().cluster,
                               {.fqdn = "a.example.com", .type = "A", .rdata = {"192.0.2.1"}}, {});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().error_class(), FailureClass::kCanceled);
}

TEST_P(DriverConformance, DeletesRecordsThatAreNotThere) {
  const auto got = dns().apply(
      world().call(), world().cluster,
      {.fqdn = "a." + (offers().zone.empty() ? "example.com" : offers().zone), .type = "A"},
      {.strict = true});
  EXPECT_TRUE(got) << shown(got);
  EXPECT_THAT(world().calls.writes(), IsEmpty());
}

std::string name_of(const ::testing::TestParamInfo<DriverCase>& info) { return info.param.name; }
std::string name_of(const ::testing::TestParamInfo<ScenarioCase>& info) {
  return std::get<Scenario>(info.param).name;
}
void PrintTo(const DriverCase& one, std::ostream* out) { *out << one.name; }
void PrintTo(const Scenario& one, std::ostream* out) { *out << one.name; }
void PrintTo(const Thing& one, std::ostream* out) {
  *out << one.text << (one.tagged ? "" : " (without tags)");
}

}  // namespace strake::provider
