#include "provider/failure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "base/result.h"
#include "provider/call.h"
#include "provider/registry.h"

namespace strake::provider {
namespace {

Outcome<Driver> make_driver_of_this_test(const Workspace* workspace, const ProviderEntity& provider,
                                         const DriverEnvironment&) {
  Driver out;
  out.id = "for_a_test";
  out.workspace_name = workspace != nullptr ? workspace->name : kNoWorkspace;
  out.provider_name = provider.name;
  return out;
}

Outcome<int> below(Result<int> from) {
  STRAKE_TRY(const int got, std::move(from));
  return got + 1;
}

TEST(Failures, HaveTheClassOfTheErrorThatTheyComeFrom) {
  const std::pair<Code, FailureClass> cases[] = {
      {Code::kForbidden, FailureClass::kAuth},
      {Code::kNotFound, FailureClass::kNotFound},
      {Code::kAlreadyExists, FailureClass::kConflict},
      {Code::kCancelled, FailureClass::kCanceled},
      {Code::kTooManyRequests, FailureClass::kThrottled},
      {Code::kServiceUnavailable, FailureClass::kServer},
      {Code::kTimeout, FailureClass::kTimeout},
      {Code::kUnsupported, FailureClass::kNotImplemented},
      {Code::kParse, FailureClass::kValidation},
      {Code::kIo, FailureClass::kInternal}};
  for (const auto& [code, wanted] : cases) {
    const auto got = below(fail(code, "why"));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().error_class(), wanted) << to_string(code);
    EXPECT_EQ(got.error().message(), "why");
  }
  EXPECT_EQ(below(1).value(), 2);
}

TEST(Failures, KeepWhatTheProviderAnsweredAndWhy) {
  const Failure one = Failure(FailureClass::kServer, "the disk was not made")
                          .answered(503, "ServerBusy", "r-1")
                          .because(Failure(FailureClass::kThrottled, "slow down"))
                          .prefixed("create disk");
  EXPECT_EQ(one.message(), "create disk: the disk was not made");
  EXPECT_EQ(one.http_status(), 503);
  EXPECT_EQ(one.provider_code(), "ServerBusy");
  EXPECT_EQ(one.request_id(), "r-1");
  ASSERT_NE(one.cause(), nullptr);
  EXPECT_EQ(one.cause()->error_class(), FailureClass::kThrottled);
  EXPECT_TRUE(one.may_pass());
  EXPECT_FALSE(one.stops_everything());
}

TEST(Failures, NameTheMethodThatIsMissing) {
  const auto got = not_implemented("VolumeDiskCreate", "k3s");
  EXPECT_EQ(got.error().message(), "VolumeDiskCreate is not implemented for k3s provider");
  EXPECT_EQ(got.error().error_class(), FailureClass::kNotImplemented);
}

TEST(Failures, GetContextAndOutcomesWithoutThemDoNot) {
  const auto got = in_context("create disk", below(fail(Code::kConflict, "busy")));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message(), "create disk: busy");
  EXPECT_EQ(got.error().error_class(), FailureClass::kConflict);
  EXPECT_EQ(in_context("create disk", below(1)).value(), 2);
  EXPECT_TRUE(in_context("create disk", Outcome<>()));
}

TEST(Failures, KeepTheCauseOfAnError) {
  const Failure one = Error(Code::kIo, "no answer").because(Error(Code::kTimeout, "too late"));
  ASSERT_NE(one.cause(), nullptr);
  EXPECT_EQ(one.cause()->message(), "too late");
  EXPECT_EQ(one.cause()->error_class(), FailureClass::kTimeout);
}

TEST(Calls, WaitForeverUntilNobodyWaitsForThem) {
  CancelSource source;
  const Call call{.cancel = source.token()};
  std::thread other([&] { source.cancel(); });
  const auto slept = call.sleep(std::chrono::nanoseconds::max());
  other.join();
  ASSERT_FALSE(slept);
  EXPECT_EQ(slept.error().error_class(), FailureClass::kCanceled);
}

TEST(Calls, TellTheirJournal) {
  class Lines final : public Journal {
   public:
    void step(std::string_view verb, std::string_view what, const Fields& fields) override {
      lines.push_back(fmt::format("{} {} {}", verb, what, fields.size()));
    }
    void warn(std::string_view what, const Fields& fields) override {
      lines.push_back(fmt::format("warn {} {}", what, fields.at(0).second));
    }
    std::vector<std::string> lines;
  } journal;
  const Call call{.journal = &journal};
  call.step("created", "disk");
  call.within(std::chrono::hours(1)).warn("role", {{"zone", "z1"}});
  EXPECT_EQ(journal.lines, (std::vector<std::string>{"created disk 0", "warn role z1"}));
  Call{}.step("created", "disk");  // nobody listens
  Call{}.warn("role");
}

TEST(Calls, EndWhenNobodyWaitsForThem) {
  CancelSource source;
  const Call call{.cancel = source.token()};
  EXPECT_TRUE(call.check());
  source.cancel();
  ASSERT_FALSE(call.sleep(std::chrono::hours(1)));
  EXPECT_EQ(call.check().error().error_class(), FailureClass::kCanceled);
}

TEST(Calls, EndAtTheirDeadline) {
  FakeClock clock;
  const Call call = Call{.clock = &clock}.within(std::chrono::seconds(5));
  EXPECT_TRUE(call.check());
  clock.advance(std::chrono::seconds(6));
  EXPECT_EQ(call.check().error().error_class(), FailureClass::kTimeout);
}

TEST(Drivers, AreFoundByNameAndTheLastOfANameCounts) {
  Registry registry;
  const auto made = [](std::string id) {
    return [id](const Workspace*, const ProviderEntity&, const DriverEnvironment&) {
      Driver out;
      out.id = id;
      return Outcome<Driver>(std::move(out));
    };
  };
  registry.add("one", made("first"));
  registry.add("one", made("second"));
  registry.add("broken", [](const Workspace*, const ProviderEntity&, const DriverEnvironment&) {
    return Outcome<Driver>(refuse(FailureClass::kValidation, "no region"));
  });
  const auto driver = [&](std::string name) {
    return registry.make(
        nullptr,
        {.id = {}, .name = {}, .workspace_id = {}, .driver = std::move(name), .settings = {}}, {});
  };
  EXPECT_EQ(driver("one")->id, "second");
  EXPECT_EQ(driver("two").error().message(), "unknown provider driver: two");
  EXPECT_EQ(driver("broken").error().message(), "failed to create driver broken: no region");
  EXPECT_EQ(driver("broken").error().error_class(), FailureClass::kValidation);
}

TEST(Drivers, RegisterThemselvesAsTheProgramStarts) {
  const Workspace workspace = {.id = "/ws/w", .name = "w"};
  ProviderEntity provider;
  provider.name = "p";
  provider.driver = "for_a_test";
  const auto driver = Registry::global().make(&workspace, provider, {});
  ASSERT_TRUE(driver) << driver.error().message();
  EXPECT_EQ(driver->id, "for_a_test");
  EXPECT_EQ(driver->workspace_name, "w");
  EXPECT_EQ(Registry::global().make(nullptr, provider, {})->workspace_name, "(nil)");
  const auto names = Registry::global().names();
  EXPECT_EQ(std::ranges::count(names, "for_a_test"), 1);
}

TEST(Disks, AreListedNewestFirstThenByName) {
  const auto at = [](int seconds) { return WallTime(std::chrono::seconds(seconds)); };
  const auto disk = [&](std::string name, int seconds) {
    Disk out;
    out.name = std::move(name);
    out.created_at = at(seconds);
    return out;
  };
  std::vector<Disk> disks = {disk("b", 1), disk("c", 2), disk("a", 1), disk("d", 3)};
  sort_for_list(disks);
  std::string order;
  for (const Disk& one : disks) order += one.name;
  EXPECT_EQ(order, "dcab");

  std::vector<Snapshot> snapshots(2);
  snapshots[0].name = "old";
  snapshots[1].created_at = at(1);
  sort_for_list(snapshots);
  EXPECT_EQ(snapshots[1].name, "old");
}

TEST(Clusters, HaveAnIngressThatNeedNotBeDeclared) {
  Cluster cluster;
  EXPECT_EQ(ingress_namespace(cluster), "traefik");
  EXPECT_EQ(ingress_service_account(cluster), "ingress-service-account");
  cluster.ingress.emplace();
  EXPECT_EQ(ingress_namespace(cluster), "traefik");
  cluster.ingress->namespace_name = "front";
  cluster.ingress->service_account = "door";
  EXPECT_EQ(ingress_namespace(cluster), "front");
  EXPECT_EQ(ingress_service_account(cluster), "door");
}

}  // namespace
}  // namespace strake::provider

STRAKE_REGISTER_DRIVER(for_a_test, make_driver_of_this_test)
STRAKE_USE_DRIVER(for_a_test)
