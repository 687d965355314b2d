#include "kube/rate_limit.h"

#include <gtest/gtest.h>

namespace strake::kube {
namespace {

using std::chrono::milliseconds;

TEST(RateLimiter, LetsABurstThroughAndThenOneAStep) {
  RateLimiter limiter({.per_second = 20, .burst = 50});
  const SteadyTime start = SteadyTime() + std::chrono::hours(1);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(limiter.take(start).count(), 0) << i;
  EXPECT_EQ(limiter.take(start), milliseconds(50));
  EXPECT_EQ(limiter.take(start), milliseconds(100));
  EXPECT_EQ(limiter.take(start + milliseconds(100)), milliseconds(50))
      << "turns that were taken are waited for";
}

TEST(RateLimiter, GathersNoMoreThanABurstWhileItRests) {
  RateLimiter limiter({.per_second = 10, .burst = 2});
  const SteadyTime start = SteadyTime() + std::chrono::hours(1);
  EXPECT_EQ(limiter.take(start).count(), 0);
  const SteadyTime later = start + std::chrono::hours(5);
  EXPECT_EQ(limiter.take(later).count(), 0);
  EXPECT_EQ(limiter.take(later).count(), 0);
  EXPECT_EQ(limiter.take(later), milliseconds(100));
}

}  // namespace
}  // namespace strake::kube
