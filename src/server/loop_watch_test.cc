#include "server/loop_watch.h"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <future>

#include "async/progress.h"
#include "async/run.h"

namespace strake::server {
namespace {

using namespace std::chrono_literals;

TEST(LoopWatch, GivesASignOfLifeOnlyWhileEveryLoopTurns) {
  async::Loops loops(3);
  async::Progress signs;
  LoopWatch watch(loops, 1ms, [&] { signs.reach(signs.reached() + 1); });
  watch.start();
  const auto wait_for = [&](std::int64_t count, std::chrono::nanoseconds most) {
    const auto reached =
        async::run_blocking(loops.at(1), signs.wait_for(count, Deadline::after(most)));
    return reached && *reached;
  };
  EXPECT_TRUE(wait_for(3, 60s));
  std::promise<void> hangs;
  std::promise<void> goes_on;
  boost::asio::post(loops.at(2), [&] {
    hangs.set_value();
    goes_on.get_future().wait();
  });
  hangs.get_future().wait();
  // The round that was under way may have passed that loop already.
  const std::int64_t before = signs.reached();
  EXPECT_FALSE(wait_for(before + 2, 200ms));
  goes_on.set_value();
  EXPECT_TRUE(wait_for(before + 2, 60s));
  EXPECT_TRUE(async::run_blocking(loops.at(0), watch.stop()));
}

TEST(LoopWatch, NeedsItsOwnLoopToo) {
  async::Loops loops(2);
  async::Progress signs;
  LoopWatch watch(loops, 1ms, [&] { signs.reach(signs.reached() + 1); });
  watch.start();
  std::promise<void> hangs;
  std::promise<void> goes_on;
  boost::asio::post(loops.at(0), [&] {
    hangs.set_value();
    goes_on.get_future().wait();
  });
  hangs.get_future().wait();
  const std::int64_t before = signs.reached();
  const auto reached =
      async::run_blocking(loops.at(1), signs.wait_for(before + 1, Deadline::after(200ms)));
  EXPECT_FALSE(reached && *reached);
  goes_on.set_value();
  EXPECT_TRUE(async::run_blocking(loops.at(0), watch.stop()));
}

}  // namespace
}  // namespace strake::server
