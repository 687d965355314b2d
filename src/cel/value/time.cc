#include "cel/value/time.h"

#include <fmt/format.h>

#include "base/go_duration.h"
#include "base/rfc3339.h"
#include "cel/value/time_zone.h"

namespace strake::cel {
namespace {

// "+02:00", "-9:30", "02:00".
std::optional<std::int64_t> fixed_offset(std::string_view zone) {
  bool negative = false;
  if (zone.starts_with('+') || zone.starts_with('-')) {
    negative = zone.front() == '-';
    zone.remove_prefix(1);
  }
  const std::size_t colon = zone.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  auto two_digits = [](std::string_view text) -> std::optional<int> {
    if (text.empty() || text.size() > 2) return std::nullopt;
    int n = 0;
    for (char c : text) {
      if (c < '0' || c > '9') return std::nullopt;
      n = n * 10 + (c - '0');
    }
    return n;
  };
  const auto hours = two_digits(zone.substr(0, colon));
  const auto minutes = two_digits(zone.substr(colon + 1));
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const std::int64_t seconds = *hours * 3600 + *minutes * 60;
  return negative ? -seconds : seconds;
}

}  // namespace

bool in_range(Instant t) {
  return t.seconds >= kMinTimestampSeconds && t.seconds <= kMaxTimestampSeconds;
}

std::optional<Instant> parse_timestamp(std::string_view text) {
  const Result<Instant> t = parse_rfc3339(text);
  if (!t || !in_range(*t)) return std::nullopt;
  return *t;
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
  const auto d = parse_go_duration(text);
  if (!d) return std::nullopt;
  return d->count();
}

std::string format_duration(std::int64_t nanoseconds) {
  const bool negative = nanoseconds < 0;
  const std::uint64_t size = negative ? 0 - static_cast<std::uint64_t>(nanoseconds)
                                      : static_cast<std::uint64_t>(nanoseconds);
  std::string out = fmt::format("{}{}", negative ? "-" : "", size / kNanosPerSecond);
  if (const std::uint64_t fraction = size % kNanosPerSecond; fraction != 0) {
    out += fmt::format(".{:09}", fraction);
    while (out.back() == '0') out.pop_back();
  }
  return out + "s";
}

std::optional<Instant> add_duration(Instant t, std::int64_t nanoseconds) {
  std::int64_t seconds = t.seconds + nanoseconds / kNanosPerSecond;
  std::int64_t nanos = t.nanoseconds + nanoseconds % kNanosPerSecond;
  if (nanos < 0) {
    nanos += kNanosPerSecond;
    --seconds;
  } else if (nanos >= kNanosPerSecond) {
    nanos -= kNanosPerSecond;
    ++seconds;
  }
  const Instant out{seconds, static_cast<std::uint32_t>(nanos)};
  if (!in_range(out)) return std::nullopt;
  return out;
}

std::optional<std::int64_t> subtract(Instant t, Instant other) {
  std::int64_t out = 0;
  const std::int64_t nanos =
      static_cast<std::int64_t>(t.nanoseconds) - static_cast<std::int64_t>(other.nanoseconds);
  if (__builtin_mul_overflow(t.seconds - other.seconds, kNanosPerSecond, &out)) return std::nullopt;
  if (__builtin_add_overflow(out, nanos, &out)) return std::nullopt;
  return out;
}

Civil to_civil(std::int64_t seconds) {
  std::int64_t days = seconds / 86'400;
  std::int64_t rest = seconds % 86'400;
  if (rest < 0) {
    rest += 86'400;
    --days;
  }
  const CivilDate date = civil_from_days(days);
  Civil out;
  out.year = date.year;
  out.month = static_cast<int>(date.month);
  out.day = static_cast<int>(date.day);
  out.hour = static_cast<int>(rest / 3600);
  out.minute = static_cast<int>(rest / 60 % 60);
  out.second = static_cast<int>(rest % 60);
  out.day_of_week = static_cast<int>(((days + 4) % 7 + 7) % 7);  // 1970 began on a Thursday
  out.day_of_year = static_cast<int>(days - days_from_civil(date.year, 1, 1));
  return out;
}

std::optional<std::int64_t> zone_offset(std::string_view zone, std::int64_t seconds) {
  if (zone.empty() || zone == "UTC") return 0;
  if (zone.find(':') != std::string_view::npos) return fixed_offset(zone);
  const TimeZone* found = find_time_zone(zone);
  if (found == nullptr) return std::nullopt;
  return found->offset_at(seconds);
}

}  // namespace strake::cel
