#include "server/test_clock.h"

#include <fmt/format.h>

#include "base/rfc3339.h"

namespace strake::server {
namespace {

// The calendar of a WallTime ends in 2262; there must be room for what is added to a time.
const WallTime kLast = WallTime(std::chrono::seconds(days_from_civil(2200, 1, 1) * 86'400));

}  // namespace

TestClock::TestClock(WallTime start, double speed, const Clock& machine)
    : machine_(machine), at_(std::min(start, kLast)), since_(machine.steady_now()), speed_(speed) {}

WallTime TestClock::now_locked() const {
  const std::chrono::duration<double, std::nano> passed =
      std::chrono::nanoseconds(machine_.steady_now() - since_) * speed_;
  const std::chrono::duration<double, std::nano> room = kLast - at_;
  if (passed >= room) return kLast;
  return at_ + std::chrono::nanoseconds(static_cast<std::int64_t>(passed.count()));
}

WallTime TestClock::now() const {
  const std::lock_guard lock(mu_);
  return now_locked();
}

double TestClock::speed() const {
  const std::lock_guard lock(mu_);
  return speed_;
}

Result<> TestClock::set_speed(double speed) {
  if (!(speed >= 0 && speed <= kMostSpeed))
    return fail(Code::kInvalid, "must be from 0, where the clock stands still, to {}", kMostSpeed);
  const std::lock_guard lock(mu_);
  at_ = now_locked();
  since_ = machine_.steady_now();
  speed_ = speed;
  return {};
}

Result<> TestClock::set_locked(WallTime to) {
  const WallTime now = now_locked();
  if (to < now || to > kLast)
    return fail(Code::kInvalid, "must be from {}, the time that it is, to {}",
                format_rfc3339_nano(Instant::from(now)), format_rfc3339(Instant::from(kLast)));
  at_ = to;
  since_ = machine_.steady_now();
  return {};
}

Result<> TestClock::set(WallTime to) {
  const std::lock_guard lock(mu_);
  return set_locked(to);
}

Result<> TestClock::advance(std::chrono::nanoseconds by) {
  const std::lock_guard lock(mu_);
  const WallTime now = now_locked();
  if (by.count() < 0 || by > kLast - now)
    return fail(Code::kInvalid, "must not be less than 0, nor lead beyond {}",
                format_rfc3339(Instant::from(kLast)));
  return set_locked(now + by);
}

}  // namespace strake::server
