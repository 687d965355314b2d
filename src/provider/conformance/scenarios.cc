#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

#include "provider/conformance/conformance.h"

namespace strake::provider {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

template <typename T>
Outcome<> done(const Outcome<T>& outcome) {
  if (!outcome) return std::unexpected(outcome.error());
  return {};
}

Outcome<> nothing(DriverWorld&) { return {}; }

// Steps of scenarios.

Outcome<> provision(DriverWorld& world) {
  return world.driver.clusters->provision(world.call(), world.cluster, {});
}
Outcome<> deprovision(DriverWorld& world) {
  return world.driver.clusters->deprovision(world.call(), world.cluster, {});
}
Outcome<> install(DriverWorld& world) {
  return world.driver.clusters->install(world.call(), world.cluster, {});
}
Outcome<> uninstall(DriverWorld& world) {
  return world.driver.clusters->uninstall(world.call(), world.cluster, {});
}

Outcome<> create_disk(DriverWorld& world, const Call& call, std::string name, std::string source) {
  return done(world.driver.volumes->create_disk(call, world.volume(), std::move(name),
                                                std::move(source), {}));
}
Outcome<> delete_disk(DriverWorld& world, const Call& call, const std::string& name) {
  return world.driver.volumes->delete_disk(call, world.volume(), name, {});
}
Outcome<> create_snapshot(DriverWorld& world, const Call& call, std::string name) {
  return done(world.driver.volumes->create_snapshot(call, world.volume(), std::move(name), "", {}));
}
Outcome<> delete_snapshot(DriverWorld& world, const Call& call, const std::string& name) {
  return world.driver.volumes->delete_snapshot(call, world.volume(), name, {});
}
// d1 (assigned), d2, and the snapshot s1 of d1.
Outcome<> make_disks(DriverWorld& world) {
  STRAKE_CHECK(create_disk(world, world.call(), "d1", ""));
  STRAKE_CHECK(create_disk(world, world.call(), "d2", ""));
  return {};
}
Outcome<> make_disks_and_snapshot(DriverWorld& world) {
  STRAKE_CHECK(make_disks(world));
  return create_snapshot(world, world.call(), "s1");
}

NodePool pool(std::int64_t nodes) {
  NodePool out;
  out.name = "np1";
  out.labels.emplace()["tier"] = "web";
  out.autoscaling = Autoscaling{.enabled = true, .min = 0, .max = 9, .desired = nodes};
  return out;
}
Outcome<> create_pool(DriverWorld& world, const Call& call) {
  return done(world.driver.node_pools->create(call, world.cluster, pool(2), {}));
}
Outcome<> scale_pool(DriverWorld& world, const Call& call, std::int64_t nodes) {
  NodePool update = pool(nodes);
  update.labels->insert_or_assign("nodes", std::to_string(nodes));
  return done(world.driver.node_pools->update(call, world.cluster, update, {}));
}
Outcome<> remove_pool(DriverWorld& world, const Call& call) {
  return world.driver.node_pools->remove(call, world.cluster, "np1", {});
}

Outcome<> apply_records(DriverWorld& world, const Call& call, bool strict,
                        std::vector<std::string> rdata) {
  return world.driver.dns->apply(
      call, world.cluster,
      {.fqdn = "www.example.com", .type = "A", .ttl = 60, .rdata = std::move(rdata)},
      {.strict = strict});
}

bool offers_clusters(const DriverCase& offers) { return offers.makes_clusters; }
bool offers_install(const DriverCase& offers) { return offers.has_clusters; }
bool offers_volumes(const DriverCase& offers) { return offers.has_volumes; }
bool offers_snapshots(const DriverCase& offers) { return offers.has_snapshots; }
bool offers_pools(const DriverCase& offers) { return offers.has_node_pools; }
bool offers_dns(const DriverCase& offers) { return offers.zone == "example.com"; }

std::vector<Scenario> make_scenarios() {
  std::vector<Scenario> out;
  out.push_back({.name = "Provision",
                 .offered = offers_clusters,
                 .prepare = nothing,
                 .run =
                     [](DriverWorld& world, const Call& call) {
                       return world.driver.clusters->provision(call, world.cluster, {});
                     },
                 .undo = deprovision,
                 .slow = true});
  out.push_back({.name = "Deprovision",
                 .offered = offers_clusters,
                 .prepare = provision,
                 .run =
                     [](DriverWorld& world, const Call& call) {
                       return world.driver.clusters->deprovision(call, world.cluster, {});
                     },
                 .undo = provision,
                 .slow = true});
  out.push_back({.name = "Install",
                 .offered = offers_install,
                 .prepare = provision,
                 .run =
                     [](DriverWorld& world, const Call& call) {
                       return world.driver.clusters->install(call, world.cluster, {});
                     },
                 .undo = uninstall,
                 .slow = true});
  out.push_back({.name = "Uninstall",
                 .offered = offers_install,
                 .prepare = [](DriverWorld& world) -> Outcome<> {
                   STRAKE_CHECK(provision(world));
                   return install(world);
                 },
                 .run =
                     [](DriverWorld& world, const Call& call) {
                       return world.driver.clusters->uninstall(call, world.cluster, {});
                     },
                 .undo = install,
                 .slow = true});
  out.push_back({.name = "CreateFirstDisk",
                 .offered = offers_volumes,
                 .prepare = nothing,
                 .run = [](DriverWorld& world,
                           const Call& call) { return create_disk(world, call, "d1", ""); },
                 .undo = [](DriverWorld& world) { return delete_disk(world, world.call(), "d1"); },
                 .conflicts_when_done = true});
  out.push_back({.name = "CreateDiskFromDisk",
                 .offered = offers_volumes,
                 .prepare = make_disks,
                 .run = [](DriverWorld& world,
                           const Call& call) { return create_disk(world, call, "d3", "disk:d1"); },
                 .undo = [](DriverWorld& world) { return delete_disk(world, world.call(), "d3"); },
                 .conflicts_when_done = true});
  out.push_back({.name = "CreateDiskFromSnapshot",
                 .offered = offers_snapshots,
                 .prepare = make_disks_and_snapshot,
                 .run = [](DriverWorld& world,
                           const Call& call) { return create_disk(world, call, "d3", "s1"); },
                 .undo = [](DriverWorld& world) { return delete_disk(world, world.call(), "d3"); },
                 .conflicts_when_done = true});
  out.push_back({.name = "AssignDisk",
                 .offered = offers_volumes,
                 .prepare = make_disks,
                 .run =
                     [](DriverWorld& world, const Call& call) {
                       return world.driver.volumes->assign_disk(call, world.volume(), "d2", {});
                     },
                 .undo =
                     [](DriverWorld& world) {
                       return world.driver.volumes->assign_disk(world.call(), world.volume(), "d1",
                                                                {});
                     }});
  out.push_back(
      {.name = "DeleteDisk",
       .offered = offers_volumes,
       .prepare = make_disks,
       .run = [](DriverWorld& world, const Call& call) { return delete_disk(world, call, "d2"); },
       .undo = [](DriverWorld& world) { return create_disk(world, world.call(), "d2", ""); }});
  out.push_back(
      {.name = "DeleteLastDisk",
       .offered = offers_volumes,
       .prepare = [](DriverWorld& world) { return create_disk(world, world.call(), "d1", ""); },
       .run = [](DriverWorld& world, const Call& call) { return delete_disk(world, call, "d1"); },
       .undo = [](DriverWorld& world) { return create_disk(world, world.call(), "d1", ""); }});
  out.push_back(
      {.name = "CreateSnapshot",
       .offered = offers_snapshots,
       .prepare = make_disks,
       .run = [](DriverWorld& world,
                 const Call& call) { return create_snapshot(world, call, "s1"); },
       .undo = [](DriverWorld& world) { return delete_snapshot(world, world.call(), "s1"); },
       .conflicts_when_done = true});
  out.push_back(
      {.name = "DeleteSnapshot",
       .offered = offers_snapshots,
       .prepare = make_disks_and_snapshot,
       .run = [](DriverWorld& world,
                 const Call& call) { return delete_snapshot(world, call, "s1"); },
       .undo = [](DriverWorld& world) { return create_snapshot(world, world.call(), "s1"); }});
  out.push_back({.name = "CreateNodePool",
                 .offered = offers_pools,
                 .prepare = provision,
                 .run = create_pool,
                 .undo = [](DriverWorld& world) { return remove_pool(world, world.call()); }});
  out.push_back(
      {.name = "GrowNodePool",
       .offered = offers_pools,
       .prepare = [](DriverWorld& world) -> Outcome<> {
         STRAKE_CHECK(provision(world));
         STRAKE_CHECK(create_pool(world, world.call()));
         return scale_pool(world, world.call(), 1);
       },
       .run = [](DriverWorld& world, const Call& call) { return scale_pool(world, call, 3); },
       .undo = [](DriverWorld& world) { return scale_pool(world, world.call(), 1); }});
  out.push_back(
      {.name = "ShrinkNodePool",
       .offered = offers_pools,
       .prepare = [](DriverWorld& world) -> Outcome<> {
         STRAKE_CHECK(provision(world));
         STRAKE_CHECK(create_pool(world, world.call()));
         return scale_pool(world, world.call(), 3);
       },
       .run = [](DriverWorld& world, const Call& call) { return scale_pool(world, call, 1); },
       .undo = [](DriverWorld& world) { return scale_pool(world, world.call(), 3); }});
  out.push_back({.name = "DeleteNodePool",
                 .offered = offers_pools,
                 .prepare = [](DriverWorld& world) -> Outcome<> {
                   STRAKE_CHECK(provision(world));
                   return create_pool(world, world.call());
                 },
                 .run = remove_pool,
                 .undo = [](DriverWorld& world) { return create_pool(world, world.call()); }});
  for (const bool strict : {true, false}) {
    const std::string how = strict ? "Strictly" : "AtBestEffort";
    out.push_back(
        {.name = "ApplyRecords" + how,
         .offered = offers_dns,
         .prepare = nothing,
         .run =
             [strict](DriverWorld& world, const Call& call) {
               return apply_records(world, call, strict, {"192.0.2.1", "192.0.2.2"});
             },
         .undo = [](DriverWorld& world) { return apply_records(world, world.call(), true, {}); },
         .passes_over_failures = !strict});
    out.push_back(
        {.name = "DeleteRecords" + how,
         .offered = offers_dns,
         .prepare =
             [](DriverWorld& world) {
               return apply_records(world, world.call(), true, {"192.0.2.1"});
             },
         .run = [strict](DriverWorld& world,
                         const Call& call) { return apply_records(world, call, strict, {}); },
         .undo =
             [](DriverWorld& world) {
               return apply_records(world, world.call(), true, {"192.0.2.1"});
             },
         .passes_over_failures = !strict});
  }
  for (Scenario& one : out) one.slow = one.slow || one.name.ends_with("NodePool");
  return out;
}

std::vector<Thing> without_tags(const std::vector<Thing>& all) {
  std::vector<Thing> out;
  std::ranges::copy_if(all, std::back_inserter(out), [](const Thing& one) { return !one.tagged; });
  return out;
}

}  // namespace

const std::vector<Scenario>& all_scenarios() {
  static const std::vector<Scenario> all = make_scenarios();
  return all;
}

void DriverScenarios::SetUp() {
  const DriverCase& offers = std::get<DriverCase>(GetParam());
  if (!scenario().offered(offers)) GTEST_SKIP() << offers.name << " does not offer it";
  std::string why_not;
  auto subject = offers.make(why_not);
  if (subject == nullptr) GTEST_SKIP() << why_not;
  world_ = std::make_unique<DriverWorld>(std::move(subject));
  const auto prepared = scenario().prepare(world());
  ASSERT_TRUE(prepared) << shown(prepared);
}

void DriverScenarios::TearDown() {
  if (world_ == nullptr || !std::get<DriverCase>(GetParam()).makes_clusters) return;
  world().calls.disarm();
  const auto gone = deprovision(world());
  EXPECT_TRUE(gone) << shown(gone);
}

void DriverScenarios::undo() {
  world().calls.disarm();
  const auto undone = scenario().undo(world());
  ASSERT_TRUE(undone) << shown(undone);
}

// Two assigned disks would be two truths about which data an app has.
void DriverScenarios::expect_one_assigned_at_most() {
  if (!std::get<DriverCase>(GetParam()).has_volumes) return;
  world().calls.disarm();
  const auto all = world().driver.volumes->list_disks(world().call(), world().volume());
  ASSERT_TRUE(all) << shown(all);
  EXPECT_LE(std::ranges::count_if(*all, &Disk::assigned), 1);
}

void DriverScenarios::expect_converges(const std::vector<Thing>& wanted) {
  world().calls.disarm();
  const auto again = run(world().call());
  const bool was_done = scenario().conflicts_when_done && !again &&
                        again.error().error_class() == FailureClass::kConflict;
  ASSERT_TRUE(again || was_done) << shown(again);
  ASSERT_THAT(world().things(), ElementsAreArray(wanted));
}

TEST_P(DriverScenarios, TellsAPlanAndChangesNothingInADryRun) {
  const auto before = world().things();
  world().calls.disarm();
  ToldSteps told;
  Call call = world().call();
  call.dry_run = true;
  call.journal = &told;
  const auto got = run(call);
  ASSERT_TRUE(got) << shown(got);
  EXPECT_THAT(world().calls.writes(), IsEmpty());
  EXPECT_TRUE(told.has("plan")) << told.text();
  for (const std::string_view verb : {"create", "update", "delete"})
    EXPECT_FALSE(told.has(verb)) << told.text();
  EXPECT_THAT(world().things(), ElementsAreArray(before));
}

TEST_P(DriverScenarios, WritesNothingTheSecondTime) {
  ToldSteps first;
  Call call = world().call();
  call.journal = &first;
  world().calls.disarm();
  auto got = run(call);
  ASSERT_TRUE(got) << shown(got);
  EXPECT_FALSE(world().calls.writes().empty()) << "the first run writes";
  EXPECT_TRUE(first.has("create") || first.has("update") || first.has("delete")) << first.text();
  const auto wanted = world().things();
  EXPECT_THAT(without_tags(wanted), IsEmpty());

  world().calls.disarm();
  ToldSteps second;
  call = world().call();
  call.journal = &second;
  got = run(call);
  if (scenario().conflicts_when_done) {
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().error_class(), FailureClass::kConflict);
  } else {
    ASSERT_TRUE(got) << shown(got);
    EXPECT_TRUE(second.has("skip")) << second.text();
  }
  EXPECT_THAT(world().calls.writes(), IsEmpty());
  for (const std::string_view verb : {"create", "update", "delete"})
    EXPECT_FALSE(second.has(verb)) << second.text();
  EXPECT_THAT(world().things(), ElementsAreArray(wanted));
}

// Of each kind, at each external call of a clean run: what happens then is told as it was, and
// running it again leaves what the clean run left, nothing twice, nothing lost, nothing untagged.
TEST_P(DriverScenarios, ConvergesAfterAFaultAtEveryExternalCall) {
  const auto before = world().things();
  world().calls.disarm();
  const auto clean = run(world().call());
  ASSERT_TRUE(clean) << shown(clean);
  const std::size_t steps = world().calls.steps();
  ASSERT_GT(steps, 0U);
  const auto wanted = world().things();
  ASSERT_NO_FATAL_FAILURE(undo());
  ASSERT_THAT(world().things(), ElementsAreArray(before));

  constexpr std::array kFaults = {Fault::kFail, Fault::kCut, Fault::kCancel, Fault::kTimeOut,
                                  Fault::kThrottle};
  const bool all = !scenario().slow || std::getenv("STRAKE_ALL_FAULTS") != nullptr;
  for (std::size_t number = 0; number < kFaults.size(); ++number) {
    const Fault fault = kFaults.at(number);
    for (std::size_t at = all ? 0 : number; at < steps; at += all ? 1 : kFaults.size()) {
      SCOPED_TRACE(fmt::format("{} at step {} of {}", to_string(fault), at, steps));
      CancelSource source;
      Call call = world().call();
      call.cancel = source.token();
      ToldSteps told;
      call.journal = &told;
      world().calls.arm(fault, at, &source);
      const auto got = run(call);
      SCOPED_TRACE(world().calls.where());
      EXPECT_TRUE(world().calls.met()) << "a run takes the same steps";
      if (fault == Fault::kCancel) {
        EXPECT_FALSE(got);
        if (!got) EXPECT_EQ(got.error().error_class(), FailureClass::kCanceled) << shown(got);
        // Nothing is begun for somebody who is gone.
        EXPECT_LE(world().calls.steps(), at + 1);
      } else if (!got) {
        const FailureClass one = got.error().error_class();
        const FailureClass expected = fault == Fault::kThrottle  ? FailureClass::kThrottled
                                      : fault == Fault::kTimeOut ? FailureClass::kTimeout
                                                                 : FailureClass::kServer;
        EXPECT_EQ(one, expected) << shown(got);
        EXPECT_FALSE(scenario().passes_over_failures && one != FailureClass::kTimeout)
            << shown(got);
      }
      EXPECT_THAT(without_tags(world().things()), IsEmpty());
      expect_one_assigned_at_most();
      ASSERT_NO_FATAL_FAILURE(expect_converges(wanted));
      ASSERT_NO_FATAL_FAILURE(undo());
      ASSERT_THAT(world().things(), ElementsAreArray(before));
    }
  }
}

}  // namespace strake::provider
