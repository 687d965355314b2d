#include "base/rfc3339.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/quote.h"

namespace strake {
namespace {

constexpr std::string_view kLayout = "2006-01-02T15:04:05Z07:00";
constexpr std::string_view kMicroLayout = "2006-01-02T15:04:05.000000Z07:00";
constexpr std::int64_t kSecondsInDay = 86400;

bool is_digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

// Reads a time element by element, as a layout is matched, so that an error names the element that
// did not fit.
class TimeReader {
 public:
  TimeReader(std::string_view text, std::string_view layout)
      : whole_(text), left_(text), layout_(layout) {}

  Result<Instant> run(bool micro) {
    STRAKE_TRY(const int year, take_year());
    STRAKE_CHECK(take_literal("-"));
    STRAKE_TRY(const int month, take_two_digits("01"));
    if (month < 1 || month > 12) return out_of_range("month");
    STRAKE_CHECK(take_literal("-"));
    STRAKE_TRY(const int day, take_two_digits("02"));
    STRAKE_CHECK(take_literal("T"));
    STRAKE_TRY(const int hour, take_hour());
    if (hour >= 24) return out_of_range("hour");
    STRAKE_CHECK(take_literal(":"));
    STRAKE_TRY(const int minute, take_two_digits("04"));
    if (minute >= 60) return out_of_range("minute");
    STRAKE_CHECK(take_literal(":"));
    STRAKE_TRY(const int second, take_two_digits("05"));
    if (second >= 60) return out_of_range("second");
    std::uint32_t nanoseconds = 0;
    if (micro) {
      STRAKE_TRY(nanoseconds, take_micro_fraction());
    } else {
      nanoseconds = take_fraction();
    }
    STRAKE_TRY(const int offset, take_zone());
    if (!left_.empty()) return described(": extra text: " + quote_time(left_));
    const auto month_number = static_cast<unsigned>(month);
    const auto day_number = static_cast<unsigned>(day);
    if (day < 1 || day_number > days_in_month(year, month_number)) return out_of_range("day");
    const std::int64_t days = days_from_civil(year, month_number, day_number);
    return Instant{days * kSecondsInDay + hour * 3600 + minute * 60 + second - offset, nanoseconds};
  }

 private:
  std::unexpected<Error> described(std::string_view what) const {
    return fail(Code::kParse, "parsing time {}{}", quote_time(whole_), what);
  }
  std::unexpected<Error> out_of_range(std::string_view what) const {
    return described(fmt::format(": {} out of range", what));
  }
  std::unexpected<Error> misfit(std::string_view element) const {
    return described(fmt::format(" as {}: cannot parse {} as {}", quote_time(layout_),
                                 quote_time(left_), quote_time(element)));
  }

  Result<> take_literal(std::string_view literal) {
    if (!left_.starts_with(literal)) return misfit(literal);
    left_.remove_prefix(literal.size());
    return {};
  }

  int take_number(std::size_t digits) {
    int number = 0;
    for (const char c : left_.substr(0, digits)) number = number * 10 + (c - '0');
    left_.remove_prefix(digits);
    return number;
  }

  bool has_digits(std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_digit_at(left_, i)) return false;
    }
    return true;
  }

  Result<int> take_year() {
    if (!has_digits(4)) return misfit("2006");
    return take_number(4);
  }

  Result<int> take_two_digits(std::string_view element) {
    if (!has_digits(2)) return misfit(element);
    return take_number(2);
  }

  Result<int> take_hour() {
    if (!has_digits(1)) return misfit("15");
    return take_number(is_digit_at(left_, 1) ? 2 : 1);
  }

  bool at_fraction_mark() const { return !left_.empty() && (left_[0] == '.' || left_[0] == ','); }

  std::uint32_t take_fraction() {
    if (!at_fraction_mark() || !is_digit_at(left_, 1)) return 0;
    std::uint32_t nanoseconds = 0;
    std::uint32_t unit = 100'000'000;
    std::size_t i = 1;
    for (; is_digit_at(left_, i); ++i, unit /= 10) {
      nanoseconds += static_cast<std::uint32_t>(left_[i] - '0') * unit;
    }
    left_.remove_prefix(i);
    return nanoseconds;
  }

  Result<std::uint32_t> take_micro_fraction() {
    if (left_.size() < 7 || !at_fraction_mark()) return misfit(".000000");
    // Go reads the six characters as an integer, so the first of them may be a sign.
    const bool has_sign = left_[1] == '+' || left_[1] == '-';
    const bool negative = left_[1] == '-';
    std::uint32_t micros = 0;
    for (const char c : left_.substr(has_sign ? 2 : 1, has_sign ? 5 : 6)) {
      if (c < '0' || c > '9') return misfit(".000000");
      micros = micros * 10 + static_cast<std::uint32_t>(c - '0');
    }
    if (negative && micros > 0) return out_of_range("fractional second");
    left_.remove_prefix(7);
    return micros * 1000;
  }

  // Seconds east of UTC.
  Result<int> take_zone() {
    constexpr std::string_view kElement = "Z07:00";
    if (left_.starts_with('Z')) {
      left_.remove_prefix(1);
      return 0;
    }
    if (left_.size() < 6 || left_[3] != ':') return misfit(kElement);
    const std::string_view zone = left_.substr(0, 6);
    const bool digits = is_digit_at(zone, 1) && is_digit_at(zone, 2) && is_digit_at(zone, 4) &&
                        is_digit_at(zone, 5);
    const bool hours_read = is_digit_at(zone, 1) && is_digit_at(zone, 2);
    const int hours = hours_read ? (zone[1] - '0') * 10 + (zone[2] - '0') : 0;
    const int minutes = digits ? (zone[4] - '0') * 10 + (zone[5] - '0') : 0;
    // An offset that is out of range is complained of before a sign that is none.
    if (minutes > 60) return out_of_range("time zone offset minute");
    if (hours > 24) return out_of_range("time zone offset hour");
    if (!digits || (zone[0] != '+' && zone[0] != '-')) return misfit(kElement);
    left_.remove_prefix(6);
    const int offset = (hours * 60 + minutes) * 60;
    return zone[0] == '-' ? -offset : offset;
  }

  std::string_view whole_;
  std::string_view left_;
  std::string_view layout_;
};

void append_two_digits(std::string& out, std::int64_t number) {
  out += static_cast<char>('0' + number / 10);
  out += static_cast<char>('0' + number % 10);
}

// "2024-01-01T00:00:00", ready for a fraction and the Z.
std::string format_to_seconds(Instant time) {
  std::int64_t days = time.seconds / kSecondsInDay;
  std::int64_t second = time.seconds % kSecondsInDay;
  if (second < 0) {
    second += kSecondsInDay;
    --days;
  }
  const CivilDate date = civil_from_days(days);
  std::string out;
  out.reserve(32);
  if (date.year < 0 || date.year > 9999) {
    out += fmt::format("{}{:04}", date.year < 0 ? "-" : "", std::abs(date.year));
  } else {
    append_two_digits(out, date.year / 100);
    append_two_digits(out, date.year % 100);
  }
  out += '-';
  append_two_digits(out, date.month);
  out += '-';
  append_two_digits(out, date.day);
  out += 'T';
  append_two_digits(out, second / 3600);
  out += ':';
  append_two_digits(out, second / 60 % 60);
  out += ':';
  append_two_digits(out, second % 60);
  return out;
}

}  // namespace

Result<Instant> parse_rfc3339(std::string_view text) {
  return TimeReader(text, kLayout).run(false);
}

Result<Instant> parse_rfc3339_micro(std::string_view text) {
  return TimeReader(text, kMicroLayout).run(true);
}

std::string format_rfc3339(Instant time) { return format_to_seconds(time) + 'Z'; }

std::string format_rfc3339_micro(Instant time) {
  return fmt::format("{}.{:06}Z", format_to_seconds(time), time.nanoseconds / 1000);
}

std::string format_rfc3339_nano(Instant time) {
  std::string out = format_to_seconds(time);
  if (time.nanoseconds != 0) {
    out += fmt::format(".{:09}", time.nanoseconds);
    out.erase(out.find_last_not_of('0') + 1);
  }
  return out + 'Z';
}

// Both conversions count in years that start in March, so that the leap day is the last one, and in
// eras of 400 years, after which the calendar repeats.
std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day) {
  if (month <= 2) --year;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

CivilDate civil_from_days(std::int64_t days) {
  days += 719468;
  const std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const std::int64_t day_of_era = days - era * 146097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const auto day = static_cast<unsigned>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  const auto month =
      static_cast<unsigned>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

unsigned days_in_month(std::int64_t year, unsigned month) {
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (month == 2) return leap ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

}  // namespace strake
