#pragma once
// How fast requests may follow each other: so many a second, and so many at once after a rest.
#include <chrono>

#include "base/time.h"

namespace strake::kube {

struct RateLimit {
  double per_second = 0;  // above 0
  double burst = 1;       // at least 1
};

// Not locked.
class RateLimiter {
 public:
  explicit RateLimiter(RateLimit limit);
  // Takes the next turn; how long it is until then, 0 when it is now.
  std::chrono::nanoseconds take(SteadyTime now);

 private:
  const std::chrono::nanoseconds step_;   // between turns
  const std::chrono::nanoseconds ahead_;  // so much earlier than its step a turn may be taken
  SteadyTime next_{};                     // when the turns are all back but for the one to take
};

}  // namespace strake::kube
