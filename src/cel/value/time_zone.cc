#include "cel/value/time_zone.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "base/input_file.h"
#include "base/rfc3339.h"
#include "cel/value/time.h"

// Reads TZif files (RFC 8536) and the POSIX rule in their footer. Times between the first and the
// last transition are looked up by binary search; later ones follow the yearly rule, earlier ones
// have the first offset of the file. The files are the system's; C++20's std::chrono zones are not
// in libstdc++ 12.

namespace strake::cel {
namespace {

constexpr std::size_t kHeaderBytes = 44;
constexpr std::size_t kMaxFileBytes = 1 << 20;

std::int64_t big_endian(std::string_view bytes) {
  std::uint64_t n = static_cast<signed char>(bytes[0]) < 0 ? ~std::uint64_t{0} : 0;
  for (char c : bytes) n = n << 8 | static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(n);
}

struct Counts {
  std::size_t utc, standard, leap, times, types, chars;
  std::size_t body(std::size_t time_bytes) const {
    return times * time_bytes + times + types * 6 + chars + leap * (time_bytes + 4) + standard +
           utc;
  }
};

Counts counts_of(std::string_view header) {
  auto n = [&](std::size_t i) {
    return static_cast<std::size_t>(big_endian(header.substr(20 + i * 4, 4))) & 0xFFFFFFFF;
  };
  return {n(0), n(1), n(2), n(3), n(4), n(5)};
}

// "hh[:mm[:ss]]" with a sign, at the front of the text.
std::int32_t take_time(std::string_view& text) {
  std::int32_t sign = 1;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    sign = text[0] == '-' ? -1 : 1;
    text.remove_prefix(1);
  }
  std::int32_t total = 0;
  for (std::int32_t unit : {3600, 60, 1}) {
    std::int32_t n = 0;
    while (!text.empty() && text[0] >= '0' && text[0] <= '9' && n < 1000) {
      n = n * 10 + (text[0] - '0');
      text.remove_prefix(1);
    }
    total += n * unit;
    if (text.empty() || text[0] != ':') break;
    text.remove_prefix(1);
  }
  return sign * total;
}

void skip_name(std::string_view& text) {
  if (text.starts_with('<')) {
    const std::size_t end = text.find('>');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return;
  }
  while (!text.empty() && ((text[0] | 32) >= 'a' && (text[0] | 32) <= 'z')) text.remove_prefix(1);
}

bool is_zone_name(std::string_view name) {
  const bool letters = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
           c == '_' || c == '-' || c == '+';
  });
  return letters && !name.empty() && name.size() < 128 && name.front() != '/';
}

}  // namespace

Result<TimeZone> TimeZone::parse(std::string_view tzif) {
  auto bad = [] { return fail(Code::kParse, "not time zone data"); };
  if (tzif.size() < kHeaderBytes || !tzif.starts_with("TZif")) return bad();
  std::size_t time_bytes = 4;
  Counts counts = counts_of(tzif);
  if (tzif[4] >= '2') {
    // The second block repeats the first with 64-bit times.
    const std::size_t skip = kHeaderBytes + counts.body(4);
    if (tzif.size() < skip + kHeaderBytes) return bad();
    tzif.remove_prefix(skip);
    counts = counts_of(tzif);
    time_bytes = 8;
  }
  tzif.remove_prefix(kHeaderBytes);
  if (tzif.size() < counts.body(time_bytes) || counts.types == 0) return bad();
  const std::string_view times = tzif;
  const std::string_view indexes = tzif.substr(counts.times * time_bytes);
  const std::string_view types = indexes.substr(counts.times);
  auto offset_of = [&](std::size_t type) {
    return static_cast<std::int32_t>(big_endian(types.substr(type * 6, 4)));
  };
  TimeZone zone;
  zone.first_offset_ = offset_of(0);
  for (std::size_t i = 0; i < counts.times; ++i) {
    const auto type = static_cast<unsigned char>(indexes[i]);
    if (type >= counts.types) return bad();
    zone.transitions_.push_back(
        {big_endian(times.substr(i * time_bytes, time_bytes)), offset_of(type)});
  }
  std::string_view footer = tzif.substr(counts.body(time_bytes));
  if (time_bytes == 8 && footer.size() > 2)
    zone.parse_footer(footer.substr(1, footer.find('\n', 1) - 1));
  return zone;
}

// "EST5EDT,M3.2.0,M11.1.0": offsets count westwards.
void TimeZone::parse_footer(std::string_view posix) {
  skip_name(posix);
  standard_ = -take_time(posix);
  if (posix.empty()) return;
  skip_name(posix);
  summer_ = standard_ + 3600;
  if (!posix.empty() && posix[0] != ',') summer_ = -take_time(posix);
  for (YearlyRule* rule : {&to_summer_, &to_standard_}) {
    // Rules by day of the year (Jn, n) are not read. Without rules the offset of the last
    // transition stays.
    if (!posix.starts_with(",M")) return;
    posix.remove_prefix(2);
    for (int* part : {&rule->month, &rule->week, &rule->weekday}) {
      *part = 0;
      while (!posix.empty() && posix[0] >= '0' && posix[0] <= '9' && *part < 100) {
        *part = *part * 10 + (posix[0] - '0');
        posix.remove_prefix(1);
      }
      if (posix.starts_with('.')) posix.remove_prefix(1);
    }
    if (rule->month < 1 || rule->month > 12) return;
    if (posix.starts_with('/')) {
      posix.remove_prefix(1);
      rule->time = take_time(posix);
    }
  }
  has_rules_ = true;
}

std::int64_t TimeZone::YearlyRule::seconds_in(std::int64_t year) const {
  const auto m = static_cast<unsigned>(month);
  const std::int64_t first = days_from_civil(year, m, 1);
  const std::int64_t first_weekday = ((first + 4) % 7 + 7) % 7;
  // Week 5 means the last one, which may be the fourth.
  std::int64_t day = (weekday - first_weekday + 7) % 7 + (week - 1) * 7;
  while (day >= days_in_month(year, m)) day -= 7;
  return (first + day) * 86'400 + time;
}

std::int64_t TimeZone::offset_at(std::int64_t seconds) const {
  if (transitions_.empty()) return has_rules_ ? standard_ : first_offset_;
  if (seconds < transitions_.front().at) return first_offset_;
  if (seconds >= transitions_.back().at && has_rules_) {
    const std::int64_t year = to_civil(seconds + standard_).year;
    const std::int64_t start = to_summer_.seconds_in(year) - standard_;
    const std::int64_t end = to_standard_.seconds_in(year) - summer_;
    // South of the equator summer spans the turn of the year, so its start is behind its end.
    const bool summer =
        start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end;
    return summer ? summer_ : standard_;
  }
  const auto after = std::ranges::upper_bound(transitions_, seconds, {}, &Transition::at);
  return std::prev(after)->offset;
}

const TimeZone* find_time_zone(std::string_view name) {
  if (!is_zone_name(name)) return nullptr;
  static std::mutex mu;
  static auto* const zones = new std::map<std::string, std::unique_ptr<TimeZone>, std::less<>>();
  const std::lock_guard lock(mu);
  if (const auto it = zones->find(name); it != zones->end()) return it->second.get();
  const auto file = InputFile::open("/usr/share/zoneinfo/" + std::string(name), Pipes::kRefused);
  if (!file) return nullptr;  // only zones that exist are kept
  const auto text = file->read_all(kMaxFileBytes);
  if (!text || text->empty()) return nullptr;
  Result<TimeZone> zone = TimeZone::parse(*text);
  if (!zone) return nullptr;
  return zones->emplace(name, std::make_unique<TimeZone>(*std::move(zone))).first->second.get();
}

}  // namespace strake::cel
