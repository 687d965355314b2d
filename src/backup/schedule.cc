#include "backup/schedule.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <vector>

#include "base/go_duration.h"
#include "base/rfc3339.h"
#include "base/trim.h"

namespace strake::backup {
namespace {

using Seconds = std::chrono::sys_seconds;

constexpr std::chrono::minutes kLeast{1};
constexpr std::chrono::hours kMost{24 * 3660};
constexpr std::int64_t kSecondsOfDay = 86'400;
// From February 29, 2096 to the next one are eight years; those that follow are sought no longer.
constexpr std::int64_t kMostDays = 9 * 366;
// Nobody means more than that.
constexpr std::size_t kMostText = 1024;

constexpr std::string_view kMonths[] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                        "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::string_view kWeekdays[] = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};

struct Field {
  std::string_view name;
  unsigned least;
  unsigned most;
  std::span<const std::string_view> words;  // of `least` and so on
};
constexpr Field kFields[] = {{"minute", 0, 59, {}},
                             {"hour", 0, 23, {}},
                             {"day of month", 1, 31, {}},
                             {"month", 1, 12, kMonths},
                             {"day of week", 0, 7, kWeekdays}};

struct Named {
  std::string_view name;
  std::string_view fields;
};
constexpr Named kNamed[] = {{"@yearly", "0 0 1 1 *"},  {"@annually", "0 0 1 1 *"},
                            {"@monthly", "0 0 1 * *"}, {"@weekly", "0 0 * * 0"},
                            {"@daily", "0 0 * * *"},   {"@midnight", "0 0 * * *"},
                            {"@hourly", "0 * * * *"}};

std::vector<std::string_view> split(std::string_view text, std::string_view at) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = text.find_first_of(at);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::optional<unsigned> number_in(std::string_view text) {
  unsigned out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
    return std::nullopt;
  return out;
}

bool same_word(std::string_view a, std::string_view upper) {
  return std::ranges::equal(a, upper, [](char x, char y) {
    return (x >= 'a' && x <= 'z' ? static_cast<char>(x - 'a' + 'A') : x) == y;
  });
}

Result<unsigned> value_in(const Field& field, std::string_view text) {
  for (std::size_t i = 0; i < field.words.size(); ++i) {
    if (same_word(text, field.words[i])) return field.least + static_cast<unsigned>(i);
  }
  const auto number = number_in(text);
  if (!number || *number < field.least || *number > field.most)
    return fail(Code::kUsage, "{}: must be from {} to {}{}, got \"{}\"", field.name, field.least,
                field.most, field.words.empty() ? "" : " or a name", text);
  return *number;
}

struct Values {
  std::bitset<64> set;
  bool any = false;
};

// `*`, `*/5`, `7`, `7/5` (which goes on to the end), `7-9`, `7-9/2`.
Result<> add_range(const Field& field, std::string_view text, Values& out) {
  const std::vector<std::string_view> stepped = split(text, "/");
  if (stepped.size() > 2) return fail(Code::kUsage, "{}: two steps in \"{}\"", field.name, text);
  unsigned step = 1;
  if (stepped.size() == 2) {
    const auto given = number_in(stepped[1]);
    if (!given || *given == 0)
      return fail(Code::kUsage, "{}: a step must be 1 or more, got \"{}\"", field.name, stepped[1]);
    step = *given;
  }
  // Sunday counts once.
  const unsigned last = field.words.data() == kWeekdays ? 6 : field.most;
  unsigned from = field.least;
  unsigned to = last;
  if (stepped[0] == "*" || stepped[0] == "?") {
    if (step == 1) out.any = true;
  } else {
    const std::vector<std::string_view> ends = split(stepped[0], "-");
    if (ends.size() > 2) return fail(Code::kUsage, "{}: two ranges in \"{}\"", field.name, text);
    STRAKE_TRY(from, value_in(field, ends[0]));
    to = stepped.size() == 2 ? std::max(last, from) : from;
    if (ends.size() == 2) {
      STRAKE_TRY(to, value_in(field, ends[1]));
    }
    if (from > to)
      return fail(Code::kUsage, "{}: the range \"{}\" ends before it begins", field.name, text);
  }
  for (unsigned i = from; i <= to; i += std::min(step, field.most + 1)) out.set.set(i);
  return {};
}

Result<Values> read_field(const Field& field, std::string_view text) {
  Values out;
  for (const std::string_view one : split(text, ",")) STRAKE_CHECK(add_range(field, one, out));
  return out;
}

template <std::size_t N>
std::bitset<N> low_bits(const std::bitset<64>& from) {
  return std::bitset<N>(from.to_ullong() & ((1ULL << N) - 1));
}

Seconds floor_seconds(WallTime time) { return std::chrono::floor<std::chrono::seconds>(time); }

}  // namespace

Result<Schedule> Schedule::parse(std::string_view text) {
  Schedule out;
  const std::string_view given = trim(text);
  out.text_ = given;
  if (given.empty() || given.size() > kMostText)
    return fail(Code::kUsage,
                "must be a duration such as 6h or five fields such as \"30 2 * * *\"");
  const bool is_cron = given.find_first_of(" \t") != std::string_view::npos || given[0] == '@';
  if (!is_cron) {
    const auto interval = parse_go_duration(given);
    if (!interval)
      return fail(Code::kUsage,
                  "must be a duration such as 6h or five fields such as \"30 2 * * *\", got \"{}\"",
                  given);
    if (*interval < kLeast || *interval > kMost)
      return fail(Code::kUsage, "must be a duration from 1m to 87840h, got \"{}\"", given);
    out.when_ = *interval;
    return out;
  }
  std::string_view fields = given;
  if (given[0] == '@') {
    const auto* named = std::ranges::find(kNamed, given, &Named::name);
    if (named == std::end(kNamed))
      return fail(Code::kUsage,
                  "must be one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly and "
                  "@annually, got \"{}\"",
                  given);
    fields = named->fields;
  }
  STRAKE_TRY(const Cron cron, parse_cron(fields));
  // From a fixed day, so that what is accepted does not depend on when it is read.
  if (!next_of(cron, WallTime()))
    return fail(Code::kUsage, "never comes: no month has such a day, got \"{}\"", given);
  out.when_ = cron;
  return out;
}

Result<Schedule::Cron> Schedule::parse_cron(std::string_view text) {
  std::vector<std::string_view> fields = split(text, " \t");
  std::erase(fields, "");
  if (fields.size() != std::size(kFields))
    return fail(Code::kUsage,
                "must have five fields (minute, hour, day of month, month, day of week), got {}",
                fields.size());
  std::array<Values, std::size(kFields)> read;
  for (std::size_t i = 0; i < read.size(); ++i) {
    STRAKE_TRY(read[i], read_field(kFields[i], fields[i]));
  }
  Cron out;
  out.minutes = low_bits<60>(read[0].set);
  out.hours = low_bits<24>(read[1].set);
  out.days = low_bits<32>(read[2].set);
  out.months = low_bits<13>(read[3].set);
  out.weekdays = low_bits<7>(read[4].set);
  if (read[4].set[7]) out.weekdays.set(0);
  out.any_day = read[2].any;
  out.any_weekday = read[4].any;
  return out;
}

bool Schedule::is_day_of(const Cron& cron, std::int64_t days) {
  const CivilDate date = civil_from_days(days);
  if (!cron.months[date.month]) return false;
  // 1970-01-01 was a Thursday.
  const bool weekday = cron.weekdays[static_cast<std::size_t>(((days + 4) % 7 + 7) % 7)];
  const bool day = cron.days[date.day];
  return cron.any_day || cron.any_weekday ? day && weekday : day || weekday;
}

std::optional<WallTime> Schedule::next_of(const Cron& cron, WallTime after) {
  const std::int64_t first =
      std::chrono::floor<std::chrono::minutes>(floor_seconds(after)).time_since_epoch().count() *
          60 +
      60;
  std::int64_t day = std::chrono::floor<std::chrono::days>(Seconds(std::chrono::seconds(first)))
                         .time_since_epoch()
                         .count();
  std::int64_t minute = (first - day * kSecondsOfDay) / 60;
  for (std::int64_t i = 0; i < kMostDays; ++i, ++day, minute = 0) {
    if (!is_day_of(cron, day)) continue;
    for (std::int64_t at = minute; at < 24 * 60; ++at) {
      const auto hour = static_cast<std::size_t>(at / 60);
      if (!cron.hours[hour] || !cron.minutes[static_cast<std::size_t>(at % 60)]) continue;
      return WallTime(std::chrono::seconds(day * kSecondsOfDay + at * 60));
    }
  }
  return std::nullopt;
}

WallTime Schedule::next(WallTime after) const {
  if (const auto* interval = std::get_if<std::chrono::nanoseconds>(&when_))
    return after + std::chrono::duration_cast<WallTime::duration>(*interval);
  return next_of(std::get<Cron>(when_), after).value_or(WallTime::max());
}

}  // namespace strake::backup
