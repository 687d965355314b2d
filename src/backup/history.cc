#include "backup/history.h"

#include <algorithm>

#include "base/rfc3339.h"

namespace strake::backup {
namespace {

constexpr std::chrono::minutes kFirstPause{1};
constexpr std::chrono::hours kLongestPause{1};

WallTime by_schedule(const Schedule& schedule, const History& history, WallTime started,
                     WallTime now) {
  // A time to come was noted by a clock that was wrong.
  const bool known = history.last_success && *history.last_success <= now;
  if (schedule.is_interval()) return known ? schedule.next(*history.last_success) : started;
  return schedule.next(known ? *history.last_success : std::min(started, now));
}

}  // namespace

WallTime next_due(const Schedule& schedule, const History& history, WallTime started,
                  WallTime now) {
  const WallTime scheduled = by_schedule(schedule, history, started, now);
  if (history.failures == 0 || !history.last_attempt) return scheduled;
  std::chrono::nanoseconds pause = kFirstPause;
  for (std::size_t i = 1; i < history.failures && pause < kLongestPause; ++i) pause *= 2;
  pause = std::min<std::chrono::nanoseconds>(pause, kLongestPause);
  const WallTime attempted = std::min(*history.last_attempt, now);
  const WallTime again = attempted + std::chrono::duration_cast<WallTime::duration>(pause);
  // What was due when the attempt was made is not due again at once.
  return scheduled > attempted ? std::min(scheduled, again) : again;
}

std::string to_text(WallTime last_success) {
  return format_rfc3339(Instant::from(last_success)) + "\n";
}

std::optional<WallTime> last_success_of(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const auto read = parse_rfc3339(text);
  return read ? std::optional(read->to_wall()) : std::nullopt;
}

}  // namespace strake::backup
