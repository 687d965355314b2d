#include "kube/rate_limit.h"

#include <algorithm>

namespace strake::kube {
namespace {

std::chrono::nanoseconds nanoseconds_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

RateLimiter::RateLimiter(RateLimit limit)
    : step_(nanoseconds_of(1 / limit.per_second)),
      ahead_(nanoseconds_of((limit.burst - 1) / limit.per_second)) {}

// The bucket as one moment (the "generic cell rate algorithm"): each turn moves it on by a step,
// and a turn may be taken when it is less than the burst's steps away.
std::chrono::nanoseconds RateLimiter::take(SteadyTime now) {
  const SteadyTime turn = std::max(next_, now);
  next_ = turn + step_;
  return std::max(turn - ahead_ - now, std::chrono::nanoseconds(0));
}

}  // namespace strake::kube
