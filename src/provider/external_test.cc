#include "provider/external.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace strake::provider {
namespace {

class Recorded final : public ExternalCalls {
 public:
  Outcome<> before(const Call&, const ExternalStep& step) override {
    told.push_back("before " + std::string(step.verb));
    if (refuses) return refuse(FailureClass::kThrottled, "slow down");
    return {};
  }
  Outcome<> after(const Call&, const ExternalStep& step) override {
    told.push_back("after " + std::string(step.verb));
    if (loses) return refuse(FailureClass::kServer, "cut off");
    return {};
  }
  std::vector<std::string> told;
  bool refuses = false;
  bool loses = false;
};

using Told = std::vector<std::string>;

TEST(ExternalSteps, AreToldBeforeAndAfter) {
  Recorded calls;
  const auto got = external(calls, Call{}, {"read", "a"}, [] { return Outcome<int>(3); });
  EXPECT_EQ(got.value(), 3);
  EXPECT_EQ(calls.told, (Told{"before read", "after read"}));
}

TEST(ExternalSteps, AreNotTakenWhenRefused) {
  Recorded calls;
  calls.refuses = true;
  bool taken = false;
  const auto got = external(calls, Call{}, {"write", "a", Effect::kWrite}, [&] {
    taken = true;
    return Result<>();
  });
  EXPECT_EQ(got.error().error_class(), FailureClass::kThrottled);
  EXPECT_FALSE(taken);
}

TEST(ExternalSteps, FailWithALostAnswerAlthoughTheyWereTaken) {
  Recorded calls;
  calls.loses = true;
  bool taken = false;
  const auto got = external(calls, Call{}, {"write", "a", Effect::kWrite}, [&] {
    taken = true;
    return Result<>();
  });
  EXPECT_EQ(got.error().error_class(), FailureClass::kServer);
  EXPECT_TRUE(taken);
}

TEST(ExternalSteps, KeepTheirOwnFailureAndAreThenNotToldAsTaken) {
  Recorded calls;
  const auto got = external(calls, Call{}, {"read", "a"},
                            [] { return Result<int>(fail(Code::kNotFound, "not there")); });
  EXPECT_EQ(got.error().error_class(), FailureClass::kNotFound);
  EXPECT_EQ(calls.told, (Told{"before read"}));
}

TEST(ExternalSteps, HearCancellationAndDeadlinesBeforeAnybodyIsTold) {
  Recorded calls;
  CancelSource source;
  source.cancel();
  FakeClock clock;
  const auto step = [&](const Call& call) {
    return external(calls, call, {"read", "a"}, [] { return Outcome<>(); });
  };
  EXPECT_EQ(step({.cancel = source.token()}).error().error_class(), FailureClass::kCanceled);
  const Call late = Call{.clock = &clock}.within(std::chrono::seconds(1));
  clock.advance(std::chrono::seconds(2));
  EXPECT_EQ(step(late).error().error_class(), FailureClass::kTimeout);
  EXPECT_TRUE(calls.told.empty());
}

TEST(ExternalSteps, WriteNothingInADryRun) {
  const Call dry{.dry_run = true};
  const auto work = [] { return Outcome<>(); };
  EXPECT_TRUE(external(direct_calls(), dry, {"read", "a"}, work));
  EXPECT_EQ(
      external(direct_calls(), dry, {"write", "a", Effect::kWrite}, work).error().error_class(),
      FailureClass::kInternal);
}

}  // namespace
}  // namespace strake::provider
