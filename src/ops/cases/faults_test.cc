// Use cases under faults: each external step of each (of the driver, and each request to the
// cluster) fails, is throttled, is cut off or is cancelled; then a run without faults must end
// where one that met none ends.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>

#include "ops/cases/box_cases.h"
#include "ops/cases/secret_cases.h"
#include "ops/cases/test_site.h"

namespace strake::ops {
namespace {

using provider::FailureClass;
using provider::Fault;
using provider::Outcome;
using testing::KubeSite;
using testing::shown;

template <typename T>
Outcome<> without_value(Outcome<T> outcome) {
  if (!outcome) return std::unexpected(std::move(outcome).error());
  return {};
}

struct Story {
  std::string name;
  std::function<void(KubeSite&)> prepare;
  std::function<Outcome<>(KubeSite&, const provider::Call&)> run;
};

void PrintTo(const Story& one, std::ostream* out) { *out << one.name; }

void nothing(KubeSite&) {}
void deployed(KubeSite& site) {
  ASSERT_TRUE(site.deploy({.bootstrap_disks = true}));
  site.give_address("app1-app-custom", "192.0.2.7");
}

const std::vector<Story>& stories() {
  static const std::vector<Story> all = {
      {"bootstrap_disks", nothing,
       [](KubeSite& site, const provider::Call& call) {
         return without_value(bootstrap_disks(site.session(), call, site.app));
       }},
      {"bootstrap_disks_made_unassigned",
       [](KubeSite& site) { site.fake.first_disk_is_assigned = false; },
       [](KubeSite& site, const provider::Call& call) -> Outcome<> {
         // The state that is left in the middle has a disk and none assigned.
         if (site.fake.disks["data"].size() == 1 && site.fake.assigned("data") == 0)
           STRAKE_CHECK(assign_disk(site.session(), call, site.app, "data", "d1"));
         if (site.fake.disks["db"].size() == 1 && site.fake.assigned("db") == 0)
           STRAKE_CHECK(assign_disk(site.session(), call, site.app, "db", "d1"));
         return without_value(bootstrap_disks(site.session(), call, site.app));
       }},
      {"deploy", nothing,
       [](KubeSite& site, const provider::Call& call) {
         return without_value(
             deploy_app(site.session(), call, site.app, {.bootstrap_disks = true}));
       }},
      {"deploy_a_change",
       [](KubeSite& site) {
         deployed(site);
         const std::size_t at = site.app.compose.find("  api:");
         site.app.compose.erase(at, site.app.compose.find("  db:") - at);
         site.app.compose.replace(site.app.compose.find("welcome"), 7, "goodbye");
       },
       [](KubeSite& site, const provider::Call& call) {
         return without_value(deploy_app(site.session(), call, site.app, {.update_dns = true}));
       }},
      {"destroy", deployed,
       [](KubeSite& site, const provider::Call& call) {
         return without_value(destroy_app(site.session(), call, site.app,
                                          {.delete_namespace = true, .update_dns = true}));
       }},
      {"set_secrets", deployed,
       [](KubeSite& site, const provider::Call& call) -> Outcome<> {
         STRAKE_CHECK(set_env_secret(site.session(), call, site.app, {.service = "web"}, "x.env",
                                     Secret("A=b\n")));
         return set_pull_secret(site.session(), call, site.app, "app",
                                Secret(R"({"auths":{"r.test":{"auth":"eDp5"}}})"));
       }},
  };
  return all;
}

std::string end_state(KubeSite& site) {
  std::string out = site.state();
  for (const auto& [volume, disks] : site.fake.disks)
    out += fmt::format("{}: {} disks, {} assigned\n", volume, disks.size(),
                       site.fake.assigned(volume));
  for (const auto& [record, ip] : site.fake.dns) out += fmt::format("{} {}\n", record, ip);
  return out;
}

class UseCaseFaults : public ::testing::TestWithParam<Story> {};

TEST_P(UseCaseFaults, LeaveWhatASecondRunCompletes) {
  std::string wanted;
  std::size_t steps = 0;
  {
    KubeSite site;
    ASSERT_NO_FATAL_FAILURE(GetParam().prepare(site));
    site.calls.disarm();
    const Outcome<> clean = GetParam().run(site, site.call());
    ASSERT_TRUE(clean) << shown(clean);
    steps = site.calls.steps();
    wanted = end_state(site);
    site.calls.disarm();
    ASSERT_TRUE(GetParam().run(site, site.call()));
    EXPECT_TRUE(site.calls.writes().empty()) << "the second run writes " << site.calls.writes()[0];
    EXPECT_EQ(end_state(site), wanted);
  }
  ASSERT_GT(steps, 3U);
  constexpr Fault kAll[] = {Fault::kFail, Fault::kCut, Fault::kThrottle, Fault::kTimeOut,
                            Fault::kCancel};
  const bool all = std::getenv("STRAKE_ALL_FAULTS") != nullptr;
  for (std::size_t at = 0; at < steps; ++at) {
    // A site takes a while: without all faults each step meets one, another one than the next.
    for (std::size_t i = 0; i < (all ? std::size(kAll) : 1U); ++i) {
      const Fault fault = kAll[(at + i) % std::size(kAll)];
      KubeSite site;
      ASSERT_NO_FATAL_FAILURE(GetParam().prepare(site));
      CancelSource source;
      provider::Call call = site.call();
      call.cancel = source.token();
      site.calls.arm(fault, at, &source);
      const Outcome<> outcome = GetParam().run(site, call);
      SCOPED_TRACE(fmt::format("{} at step {}: {}", to_string(fault), at, site.calls.where()));
      if (!site.calls.met()) {
        // How often a wait asks depends on how fast the cluster is.
        EXPECT_GE(at + 4, steps) << shown(outcome);
        continue;
      }
      if (fault == Fault::kCancel) {
        ASSERT_FALSE(outcome);
        EXPECT_EQ(outcome.error().error_class(), FailureClass::kCanceled) << shown(outcome);
      }
      if (!outcome) {
        EXPECT_EQ(outcome.error().message().find("canary"), std::string::npos);
      }
      for (const auto& [volume, disks] : site.fake.disks) EXPECT_LE(site.fake.assigned(volume), 1U);
      site.calls.disarm();
      const Outcome<> again = GetParam().run(site, site.call());
      ASSERT_TRUE(again) << shown(again);
      EXPECT_EQ(end_state(site), wanted);
      EXPECT_EQ(site.told.text().find("canary"), std::string::npos);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, UseCaseFaults, ::testing::ValuesIn(stories()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace strake::ops
