#include "meta/age.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/rfc3339.h"

namespace strake::meta {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kYear = 365 * kDay;

// "5m3s": so many of the large unit and the rest in the small one, which is left out when none is
// left.
std::string two_units(std::int64_t seconds, std::int64_t large, char large_name, std::int64_t small,
                      char small_name) {
  const std::int64_t rest = seconds % large / small;
  if (rest == 0) return fmt::format("{}{}", seconds / large, large_name);
  return fmt::format("{}{}{}{}", seconds / large, large_name, rest, small_name);
}

std::string age_of_seconds(std::int64_t seconds) {
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 2 * kMinute) return fmt::format("{}s", seconds);
  if (seconds < 10 * kMinute) return two_units(seconds, kMinute, 'm', 1, 's');
  if (seconds < 3 * kHour) return fmt::format("{}m", seconds / kMinute);
  if (seconds < 8 * kHour) return two_units(seconds, kHour, 'h', kMinute, 'm');
  if (seconds < 2 * kDay) return fmt::format("{}h", seconds / kHour);
  if (seconds < 8 * kDay) return two_units(seconds, kDay, 'd', kHour, 'h');
  if (seconds < 2 * kYear) return fmt::format("{}d", seconds / kDay);
  if (seconds < 8 * kYear) return two_units(seconds, kYear, 'y', kDay, 'd');
  return fmt::format("{}y", seconds / kYear);
}

}  // namespace

std::string human_age(std::chrono::nanoseconds age) {
  // Parts of a second are cut off toward zero, so that -1.9 s is still "now".
  return age_of_seconds(std::chrono::duration_cast<std::chrono::seconds>(age).count());
}

std::string human_age_since(std::string_view rfc3339, WallTime now) {
  if (rfc3339.empty()) return "<unknown>";
  const Result<Instant> then = parse_rfc3339(rfc3339);
  if (!then) return "<invalid>";
  const Instant at = Instant::from(now);
  std::int64_t seconds = at.seconds - then->seconds;
  const auto nanos =
      static_cast<std::int64_t>(at.nanoseconds) - static_cast<std::int64_t>(then->nanoseconds);
  if (seconds > 0 && nanos < 0) --seconds;
  if (seconds < 0 && nanos > 0) ++seconds;
  // Durations end at some 292 years either way.
  constexpr std::int64_t kLongest = INT64_MAX / 1'000'000'000;
  if (seconds > kLongest) seconds = kLongest;
  return age_of_seconds(seconds);
}

}  // namespace strake::meta
