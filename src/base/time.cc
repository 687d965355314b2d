#include "base/time.h"

#include "base/assert.h"

namespace strake {

static_assert(WallTime::period::den == 1'000'000'000);
static_assert(SteadyTime::period::den == 1'000'000'000);

const SystemClock& system_clock() {
  static const SystemClock* const clock = new SystemClock;
  return *clock;
}

void FakeClock::advance(std::chrono::nanoseconds by) {
  STRAKE_ASSERT(by.count() >= 0);
  wall_.fetch_add(by.count());
  steady_.fetch_add(by.count());
}

Instant Instant::from(WallTime time) {
  const std::int64_t count = time.time_since_epoch().count();
  std::int64_t seconds = count / 1'000'000'000;
  std::int64_t rest = count % 1'000'000'000;
  if (rest < 0) {
    rest += 1'000'000'000;
    --seconds;
  }
  return {seconds, static_cast<std::uint32_t>(rest)};
}

WallTime Instant::to_wall() const {
  std::int64_t count = 0;
  // Counted from the end of the second, so that the earliest WallTime can be reached.
  const std::int64_t back = std::int64_t{nanoseconds} - 1'000'000'000;
  if (__builtin_mul_overflow(seconds + 1, 1'000'000'000, &count) ||
      __builtin_add_overflow(count, back, &count)) {
    return seconds < 0 ? WallTime::min() : WallTime::max();
  }
  return WallTime(WallTime::duration(count));
}

}  // namespace strake
