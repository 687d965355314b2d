#pragma once
// What every driver must do, as one suite over provider/driver.h. A driver's test says how to make
// one, and what it offers:
//
//   STRAKE_DRIVER_CONFORMANCE(Local, local_case());
//
// Single rules are DriverConformance (conformance.cc). DriverScenarios (scenarios.cc) takes each
// operation through a dry run, a second run, and a fault at each of its external calls.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "provider/conformance/faults.h"
#include "provider/driver.h"

namespace strake::provider {

// Something that the provider has: the same thing is the same text, whenever it was made.
struct Thing {
  std::string text;
  bool tagged = false;  // it says whose it is
  friend bool operator==(const Thing&, const Thing&) = default;
};

class DriverUnderTest {
 public:
  virtual ~DriverUnderTest() = default;
  // Each over the same provider, which is empty at first. The calls outlive the driver.
  virtual Driver driver(ExternalCalls& calls) = 0;
  virtual Cluster cluster() = 0;
  // Everything, sorted. Also what is half made, and would have to be removed by hand.
  virtual std::vector<Thing> things() = 0;
};

struct DriverCase {
  std::string name;
  // Null, with the reason, where it cannot be had here.
  std::function<std::unique_ptr<DriverUnderTest>(std::string& why_not)> make;
  bool makes_clusters = true;  // otherwise they exist, and making them is not implemented
  bool has_clusters = true;    // that can be installed to
  bool has_volumes = true;
  bool has_snapshots = true;
  bool has_node_pools = true;
  std::string zone;                       // of DNS; empty: there is none
  std::string native_disk_source_prefix;  // in front of a handle as a source; usually nothing
};

// One driver, and what it is asked about.
class DriverWorld {
 public:
  explicit DriverWorld(std::unique_ptr<DriverUnderTest> subject);

  VolumeOf volume() const {
    return {.cluster = cluster, .app = app, .volume = app.volumes.front()};
  }
  VolumeOf other_volume() const {
    return {.cluster = cluster, .app = app, .volume = app.volumes.back()};
  }
  Call call();  // a quiet one; time moves by a second
  std::vector<Thing> things() const { return subject_->things(); }

  FaultyCalls calls;
  FakeClock clock;
  Cluster cluster;
  App app;

 private:
  std::unique_ptr<DriverUnderTest> subject_;

 public:
  Driver driver;
};

class DriverConformance : public ::testing::TestWithParam<DriverCase> {
 protected:
  void SetUp() override;
  void TearDown() override;

  const DriverCase& offers() const { return GetParam(); }
  DriverWorld& world() { return *world_; }
  ClusterDriver& clusters() { return *world_->driver.clusters; }
  VolumeDriver& volumes() { return *world_->driver.volumes; }
  NodePoolDriver& pools() { return *world_->driver.node_pools; }
  DnsDriver& dns() { return *world_->driver.dns; }
  // A cluster that runs, unless it cannot be had.
  void provision();

 private:
  std::unique_ptr<DriverWorld> world_;
};

// One operation, which may be run again and again.
struct Scenario {
  std::string name;
  std::function<bool(const DriverCase& offers)> offered;
  std::function<Outcome<>(DriverWorld& world)> prepare;  // once
  std::function<Outcome<>(DriverWorld& world, const Call& call)> run;
  std::function<Outcome<>(DriverWorld& world)> undo;  // back to what `prepare` made
  // Making something of a name again is a conflict, as the contract has it.
  bool conflicts_when_done = false;
  bool passes_over_failures = false;  // best effort
  // Runs wait for servers: each external call meets one kind of fault, another one at the next
  // call. With STRAKE_ALL_FAULTS set each meets all, as in all other scenarios.
  bool slow = false;
};
const std::vector<Scenario>& all_scenarios();

using ScenarioCase = std::tuple<DriverCase, Scenario>;
class DriverScenarios : public ::testing::TestWithParam<ScenarioCase> {
 protected:
  void SetUp() override;
  void TearDown() override;

  const Scenario& scenario() const { return std::get<Scenario>(GetParam()); }
  DriverWorld& world() { return *world_; }
  // Runs it once, by itself.
  Outcome<> run(const Call& call) { return scenario().run(world(), call); }
  void undo();
  void expect_one_assigned_at_most();
  // Runs it without faults, until it is done; expects what a clean run left behind.
  void expect_converges(const std::vector<Thing>& wanted);

 private:
  std::unique_ptr<DriverWorld> world_;
};

std::string name_of(const ::testing::TestParamInfo<DriverCase>& info);
std::string name_of(const ::testing::TestParamInfo<ScenarioCase>& info);
// The class and the text of a failure, for messages of tests.
template <typename T>
std::string shown(const Outcome<T>& outcome) {
  if (outcome) return "done";
  return std::string(to_string(outcome.error().error_class())) + ": " + outcome.error().message();
}
void PrintTo(const DriverCase& one, std::ostream* out);
void PrintTo(const Scenario& one, std::ostream* out);
void PrintTo(const Thing& one, std::ostream* out);

}  // namespace strake::provider

#define STRAKE_DRIVER_CONFORMANCE(Name, ...)                                         \
  namespace strake::provider {                                                       \
  INSTANTIATE_TEST_SUITE_P(Name, DriverConformance, ::testing::Values(__VA_ARGS__),  \
                           [](const auto& info) { return name_of(info); });          \
  INSTANTIATE_TEST_SUITE_P(Name, DriverScenarios,                                    \
                           ::testing::Combine(::testing::Values(__VA_ARGS__),        \
                                              ::testing::ValuesIn(all_scenarios())), \
                           [](const auto& info) { return name_of(info); });          \
  }
