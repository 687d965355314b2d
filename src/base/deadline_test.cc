#include "base/deadline.h"

#include <gtest/gtest.h>

namespace strake {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

TEST(Deadline, PassesWithTheClock) {
  FakeClock clock;
  const Deadline deadline = Deadline::after(10s, clock);
  EXPECT_FALSE(deadline.expired(clock));
  EXPECT_EQ(deadline.remaining(clock), 10s);
  clock.advance(4s);
  EXPECT_EQ(deadline.remaining(clock), 6s);
  clock.advance(6s - 1ns);
  EXPECT_FALSE(deadline.expired(clock));
  EXPECT_EQ(deadline.remaining(clock), 1ns);
  clock.advance(1ns);
  EXPECT_TRUE(deadline.expired(clock));
  EXPECT_EQ(deadline.remaining(clock), 0s);
  clock.advance(1h);
  EXPECT_EQ(deadline.remaining(clock), 0s);
}

TEST(Deadline, DoesNotHearOfChangedWallTime) {
  FakeClock clock;
  const Deadline deadline = Deadline::after(10s, clock);
  clock.set_wall(clock.now() + 24h);
  EXPECT_EQ(deadline.remaining(clock), 10s);
}

TEST(Deadline, MayBeNever) {
  FakeClock clock;
  EXPECT_TRUE(Deadline().is_never());
  EXPECT_FALSE(Deadline::never().expired(clock));
  EXPECT_EQ(Deadline::never().remaining(clock), nanoseconds::max());
  EXPECT_TRUE(Deadline::after(nanoseconds::max(), clock).is_never());
  EXPECT_FALSE(Deadline::after(1s, clock).is_never());
}

TEST(Deadline, IsNowForAWaitBelowZero) {
  FakeClock clock;
  EXPECT_TRUE(Deadline::after(0s, clock).expired(clock));
  EXPECT_TRUE(Deadline::after(-5s, clock).expired(clock));
  EXPECT_EQ(Deadline::after(nanoseconds::min(), clock).time(), clock.steady_now());
}

TEST(Deadline, CanBeDrawnInButNotPutOff) {
  FakeClock clock;
  const Deadline soon = Deadline::after(1s, clock), late = Deadline::after(9s, clock);
  EXPECT_EQ(soon.or_earlier(late), soon);
  EXPECT_EQ(late.or_earlier(soon), soon);
  EXPECT_EQ(Deadline::never().or_earlier(soon), soon);
  EXPECT_LT(soon, late);
  EXPECT_LT(late, Deadline::never());
}

TEST(Deadline, AsksTheSystemClockUnlessToldOtherwise) {
  EXPECT_FALSE(Deadline::after(1h).expired());
  EXPECT_TRUE(Deadline::at(SteadyTime()).expired());
}

}  // namespace
}  // namespace strake
