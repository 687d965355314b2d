#include "kinds/workloads/cron_schedule.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <vector>

#include "base/go_duration.h"
#include "base/trim.h"
#include "base/utf8.h"
#include "kinds/workloads/integers.h"
#include "kinds/workloads/time_zones.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

struct FieldRange {
  std::int64_t least;
  std::int64_t most;
  std::span<const std::string_view> names;  // of the numbers from `least` on
};

constexpr std::string_view kMonths[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                        "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::string_view kDays[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
constexpr FieldRange kFields[] = {
    {0, 59, {}}, {0, 23, {}}, {1, 31, {}}, {1, 12, kMonths}, {0, 6, kDays}};

Result<std::int64_t> read_count(std::string_view text) {
  const ReadNumber read = read_number(text);
  if (!read.ok()) {
    return fail(Code::kInvalid, "failed to parse int from {}: {}", text,
                describe_fault(text, read.fault));
  }
  if (read.value < 0)
    return fail(Code::kInvalid, "negative number ({}) not allowed: {}", read.value, text);
  return read.value;
}

Result<std::int64_t> read_count_or_name(std::string_view text, const FieldRange& range) {
  const auto named = std::ranges::find(range.names, meta::to_lower_ascii(text));
  if (named != range.names.end()) return range.least + (named - range.names.begin());
  return read_count(text);
}

// The parts of "a-b-c"; of an empty text there is one, which is empty.
std::vector<std::string_view> split(std::string_view text, char divider) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t at = text.find(divider);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

struct Bounds {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// "*", "?", "5" or "5-8", of a term that is shown as `term`.
Result<Bounds> read_bounds(std::span<const std::string_view> parts, const FieldRange& range,
                           std::string_view term) {
  if (parts[0] == "*" || parts[0] == "?") return Bounds{range.least, range.most};
  STRAKE_TRY(const std::int64_t first, read_count_or_name(parts[0], range));
  if (parts.size() == 1) return Bounds{first, first};
  if (parts.size() > 2) return fail(Code::kInvalid, "too many hyphens: {}", term);
  STRAKE_TRY(const std::int64_t last, read_count_or_name(parts[1], range));
  return Bounds{first, last};
}

// "5", "5-8", "*/2" or "5-8/2".
Result<> check_term(std::string_view term, const FieldRange& range) {
  const std::vector<std::string_view> halves = split(term, '/');
  const std::vector<std::string_view> parts = split(halves[0], '-');
  STRAKE_TRY(Bounds bounds, read_bounds(parts, range, term));
  std::int64_t step = 1;
  if (halves.size() > 2) return fail(Code::kInvalid, "too many slashes: {}", term);
  if (halves.size() == 2) {
    STRAKE_TRY(step, read_count(halves[1]));
    // "5/2" goes on to the end.
    if (parts.size() == 1) bounds.last = range.most;
  }
  if (bounds.first < range.least) {
    return fail(Code::kInvalid, "beginning of range ({}) below minimum ({}): {}", bounds.first,
                range.least, term);
  }
  if (bounds.last > range.most) {
    return fail(Code::kInvalid, "end of range ({}) above maximum ({}): {}", bounds.last, range.most,
                term);
  }
  if (bounds.first > bounds.last) {
    return fail(Code::kInvalid, "beginning of range ({}) beyond end of range ({}): {}",
                bounds.first, bounds.last, term);
  }
  if (step == 0) return fail(Code::kInvalid, "step of range should be a positive number: {}", term);
  return {};
}

Result<> check_field(std::string_view field, const FieldRange& range) {
  for (const std::string_view term : split(field, ',')) {
    if (!term.empty()) STRAKE_CHECK(check_term(term, range));
  }
  return {};
}

Result<> check_word(std::string_view word) {
  for (const std::string_view known :
       {"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"}) {
    if (word == known) return {};
  }
  constexpr std::string_view kEvery = "@every ";
  if (!word.starts_with(kEvery)) return fail(Code::kInvalid, "unrecognized descriptor: {}", word);
  const auto duration = parse_go_duration(word.substr(kEvery.size()));
  if (duration) return {};
  return fail(Code::kInvalid, "failed to parse duration {}: {}", word, duration.error().message());
}

// The parts of a text between white space, as Unicode has it.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t start = std::string_view::npos;
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Decoded next = utf8::decode(text.substr(at));
    const bool space = is_unicode_space(next.code_point);
    if (space && start != std::string_view::npos) {
      out.push_back(text.substr(start, at - start));
      start = std::string_view::npos;
    } else if (!space && start == std::string_view::npos) {
      start = at;
    }
    at += next.width;
  }
  if (start != std::string_view::npos) out.push_back(text.substr(start));
  return out;
}

// Takes "TZ=Europe/Paris " off.
Result<> take_zone(std::string_view& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) {
    // kube-apiserver 1.36 looks for the end of the zone and finds none.
    return fail(Code::kInvalid,
                "invalid schedule format: runtime error: slice bounds out of range [:-1]");
  }
  const std::size_t start = text.find('=') + 1;
  const std::string_view zone = text.substr(start, space - start);
  if (auto found = find_time_zone(zone); !found) {
    return fail(Code::kInvalid, "provided bad location {}: {}", zone, found.error().message());
  }
  text = trim_unicode(text.substr(space));
  return {};
}

}  // namespace

Result<> check_cron_schedule(std::string_view text) {
  if (text.empty()) return fail(Code::kInvalid, "empty spec string");
  if (text.starts_with("TZ=") || text.starts_with("CRON_TZ=")) STRAKE_CHECK(take_zone(text));
  if (text.starts_with('@')) return check_word(text);
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() != std::size(kFields)) {
    return fail(Code::kInvalid, "expected exactly {} fields, found {}: [{}]", std::size(kFields),
                words.size(), fmt::join(words, " "));
  }
  for (std::size_t i = 0; i < words.size(); ++i) STRAKE_CHECK(check_field(words[i], kFields[i]));
  return {};
}

}  // namespace strake::kinds
