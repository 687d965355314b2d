#include "provider/failure.h"

#include <gtest/gtest.h>

#include "base/result.h"
#include "provider/call.h"
#include "provider/registry.h"

namespace strake::provider {
namespace {

Outcome<int> below(Result<int> from) {
  STRAKE_TRY(const int got, std::move(from));
  return got + 1;
}

TEST(Failures, HaveTheClassOfTheErrorThatTheyComeFrom) {
  const std::pair<Code, FailureClass> cases[] = {
      {Code::kForbidden, FailureClass::kAuth},          {Code::kNotFound, FailureClass::kNotFound},
      {Code::kAlreadyExists, FailureClass::kConflict},  {Code::kCancelled, FailureClass::kCanceled},
      {Code::kTooManyRequests, FailureClass::kThrottled},
      {Code::kServiceUnavailable, FailureClass::kServer}, {Code::kTimeout, FailureClass::kTimeout},
      {Code::kUnsupported, FailureClass::kNotImplemented}, {Code::kParse, FailureClass::kValidation},
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
    return registry.make(nullptr, {.id = {}, .name = {}, .workspace_id = {}, .driver = std::move(name), .settings = {}}, {});
  };
  EXPECT_EQ(driver("one")->id, "second");
  EXPECT_EQ(driver("two").error().message(), "unknown provider driver: two");
  EXPECT_EQ(driver("broken").error().message(), "failed to create driver broken: no region");
  EXPECT_EQ(driver("broken").error().error_class(), FailureClass::kValidation);
}

}  // namespace
}  // namespace strake::provider
