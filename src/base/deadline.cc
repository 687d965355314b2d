#include "base/deadline.h"

namespace strake {

Deadline Deadline::after(std::chrono::nanoseconds wait, const Clock& clock) {
  const SteadyTime now = clock.steady_now();
  if (wait.count() > 0 && wait > SteadyTime::max() - now) return never();
  if (wait.count() < 0) return at(now);
  return at(now + wait);
}

std::chrono::nanoseconds Deadline::remaining(const Clock& clock) const {
  if (is_never()) return std::chrono::nanoseconds::max();
  return std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(at_ - clock.steady_now()));
}

}  // namespace strake
