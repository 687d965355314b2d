#pragma once
// Timestamps and durations of CEL: their texts, their limits, and the calendar.
// A timestamp lies in the years 1 to 9999; a duration is nanoseconds in an int64, as in Go.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace strake::cel {

inline constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
inline constexpr std::int64_t kMinTimestampSeconds = -62'135'596'800;  // 0001-01-01T00:00:00Z
inline constexpr std::int64_t kMaxTimestampSeconds = 253'402'300'799;  // 9999-12-31T23:59:59Z

// RFC 3339 text of a moment in range.
std::optional<Instant> parse_timestamp(std::string_view text);
bool in_range(Instant t);

// "1h2m3.5s", as Go reads it.
std::optional<std::int64_t> parse_duration(std::string_view text);
// Seconds with the fractional digits that matter: "8747s", "0.5s".
std::string format_duration(std::int64_t nanoseconds);

std::optional<Instant> add_duration(Instant t, std::int64_t nanoseconds);
// t - other, where it fits a duration.
std::optional<std::int64_t> subtract(Instant t, Instant other);

struct Civil {
  std::int64_t year = 1970;
  int month = 1;  // from 1
  int day = 1;    // from 1
  int hour = 0;
  int minute = 0;
  int second = 0;
  int day_of_week = 0;  // from 0, Sunday
  int day_of_year = 0;  // from 0
};
Civil to_civil(std::int64_t seconds);

// Seconds east of UTC at that moment in a zone: a name of the time zone database, or an offset such
// as "-02:30".
std::optional<std::int64_t> zone_offset(std::string_view zone, std::int64_t seconds);

}  // namespace strake::cel
