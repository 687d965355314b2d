#pragma once
// Times as the API writes them. Reading takes exactly what Go's time.Parse takes for the same
// layout, which is a little more than RFC 3339: an hour of one digit, a comma before the fraction,
// offsets up to +24:60. Digits past the nanosecond are dropped. Errors (kParse) have Go's text.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace strake {

// As metav1.Time is read: 2024-01-01T00:00:00Z, with any fraction, with Z or an offset.
Result<Instant> parse_rfc3339(std::string_view text);
// As metav1.MicroTime is read: the fraction has six digits and must be there.
Result<Instant> parse_rfc3339_micro(std::string_view text);

// All write UTC. Whole seconds, as metav1.Time: 2024-01-01T00:00:00Z.
std::string format_rfc3339(Instant time);
// Six digits, as metav1.MicroTime: 2024-01-01T00:00:00.000000Z.
std::string format_rfc3339_micro(Instant time);
// As many digits as are needed, up to nine: 2024-01-01T00:00:00.5Z.
std::string format_rfc3339_nano(Instant time);

struct CivilDate {
  std::int64_t year;
  unsigned month;  // 1 to 12
  unsigned day;    // 1 to 31
};
// The proleptic Gregorian calendar, days counted from 1970-01-01. The year may be any that days can
// reach.
std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day);
CivilDate civil_from_days(std::int64_t days);
unsigned days_in_month(std::int64_t year, unsigned month);

}  // namespace strake
