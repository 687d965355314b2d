#include "server/ending.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <boost/asio/io_context.hpp>
#include <thread>

#include "async/loops.h"
#include "async/signal.h"
#include "server/file_limit.h"
#include "server/server.h"

namespace strake::server {
namespace {

constexpr std::chrono::milliseconds kMoment{5};

TEST(FileLimit, IsRaisedToWhatTheSystemAllows) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low{.rlim_cur = 128, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  EXPECT_EQ(raise_file_limit(), before.rlim_max);
  rlimit after{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &after), 0);
  EXPECT_EQ(after.rlim_cur, before.rlim_max);
  EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(FileLimit, BoundsConnectionsAndKeepsSomeFilesForOthers) {
  EXPECT_EQ(connections_within(1'048'576, 20'000), 20'000u);
  EXPECT_EQ(connections_within(20'000, 20'000), 19'936u);
  EXPECT_EQ(connections_within(1'024, 20'000), 960u);
  EXPECT_EQ(connections_within(65, 20'000), 1u);
  EXPECT_EQ(connections_within(20, 20'000), 1u);
}

TEST(Ending, IsOrderlyWhenTheWorkEndsInItsTime) {
  std::promise<Result<>> work;
  work.set_value({});
  const auto cancel = [] { FAIL() << "nothing was to be cancelled"; };
  EXPECT_EQ(wait_for_end(work.get_future(), {}, cancel), Ending::kOrderly);
}

TEST(Ending, CancelsWorkWhoseTimeIsOver) {
  std::promise<Result<>> work;
  const auto cancel = [&] { work.set_value({}); };
  EXPECT_EQ(wait_for_end(work.get_future(), {.drain = kMoment}, cancel), Ending::kCancelled);
}

TEST(Ending, GivesUpOnWorkThatDoesNotListen) {
  std::promise<Result<>> work;
  EXPECT_EQ(wait_for_end(work.get_future(), {.drain = kMoment, .grace = kMoment}, [] {}),
            Ending::kGivenUp);
}

// A task of a loop that runs until the fixture ends.
class RunUntilStopped : public ::testing::Test {
 protected:
  // Ends when `may_end_` does.
  async::Task<> wait() {
    co_return co_await async::sleep_until(Deadline::never(), may_end_.token());
  }

  CancelSource may_end_;
  async::Loops loops_{1};
};

TEST_F(RunUntilStopped, HasTheOutcomeOfWhatEnds) {
  const auto outcome = run_until_stopped(
      loops_.at(0), []() -> async::Task<> { co_return fail(Code::kIo, "broken"); }(), {}, {},
      [] { FAIL() << "nothing was to be cancelled"; });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->error().message(), "broken");
}

TEST_F(RunUntilStopped, CancelsWhatNobodyWantsAnyMore) {
  CancelSource stop;
  std::thread stopper([&] { stop.cancel(); });
  const auto outcome = run_until_stopped(loops_.at(0), wait(), stop.token(),
                                         std::chrono::seconds(60), [&] { may_end_.cancel(); });
  stopper.join();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->error().code(), Code::kCancelled);
}

TEST_F(RunUntilStopped, GivesUpOnWhatDoesNotListen) {
  CancelSource stop;
  stop.cancel();
  EXPECT_FALSE(run_until_stopped(loops_.at(0), wait(), stop.token(), kMoment, [] {}));
  may_end_.cancel();
}

Options in_memory() {
  Options out;
  out.in_memory = true;
  out.port = 0;
  return out;
}

TEST(Server, StartsAndStops) {
  Result<std::unique_ptr<Server>> server = Server::start(in_memory());
  ASSERT_TRUE(server) << server.error().to_string();
  EXPECT_TRUE((*server)->stop());
}

TEST(Server, GivesUpAStartWhenItIsToldToStop) {
  CancelSource stop;
  stop.cancel();
  Options options = in_memory();
  options.stop = stop.token();
  const Result<std::unique_ptr<Server>> server = Server::start(std::move(options));
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code(), Code::kCancelled);
}

}  // namespace
}  // namespace strake::server
