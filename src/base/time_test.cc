#include "base/time.h"

#include <gtest/gtest.h>

namespace strake {
namespace {

using namespace std::chrono_literals;

TEST(SystemClock, GoesForward) {
  const SteadyTime before = system_clock().steady_now();
  EXPECT_GE(system_clock().steady_now(), before);
  EXPECT_GT(system_clock().now(), WallTime(1704067200s));
}

TEST(FakeClock, StandsStillUntilAdvanced) {
  FakeClock clock;
  EXPECT_EQ(clock.now(), WallTime(1704067200s));
  EXPECT_EQ(clock.now(), clock.now());
  const SteadyTime before = clock.steady_now();
  clock.advance(1500ms);
  EXPECT_EQ(clock.now(), WallTime(1704067201500ms));
  EXPECT_EQ(clock.steady_now() - before, 1500ms);
}

TEST(FakeClock, CanHaveItsWallTimeSetBack) {
  FakeClock clock(WallTime(100s));
  const SteadyTime before = clock.steady_now();
  clock.set_wall(WallTime(50s));
  EXPECT_EQ(clock.now(), WallTime(50s));
  EXPECT_EQ(clock.steady_now(), before);
}

TEST(Instant, CountsNanosecondsForwardBefore1970) {
  EXPECT_EQ(Instant::from(WallTime(0s)), (Instant{0, 0}));
  EXPECT_EQ(Instant::from(WallTime(1500ms)), (Instant{1, 500'000'000}));
  EXPECT_EQ(Instant::from(WallTime(-1ns)), (Instant{-1, 999'999'999}));
  EXPECT_EQ(Instant::from(WallTime(-1s)), (Instant{-1, 0}));
}

TEST(Instant, GivesBackEveryWallTime) {
  for (const WallTime time :
       {WallTime(0s), WallTime(-1ns), WallTime(1ns), WallTime(1704067200s), WallTime::max(),
        WallTime::min(), WallTime::min() + 1s, WallTime::max() - 1s}) {
    EXPECT_EQ(Instant::from(time).to_wall(), time);
  }
}

TEST(Instant, StopsAtTheEndsOfWallTime) {
  EXPECT_EQ((Instant{253402300799, 0}).to_wall(), WallTime::max());
  EXPECT_EQ((Instant{-62135596800, 0}).to_wall(), WallTime::min());
}

TEST(Instant, IsOrdered) {
  EXPECT_LT((Instant{1, 5}), (Instant{1, 6}));
  EXPECT_LT((Instant{-1, 999'999'999}), (Instant{0, 0}));
}

}  // namespace
}  // namespace strake
