#include "kinds/workloads/job_indexes.h"

#include <algorithm>
#include <optional>

#include "base/quote.h"
#include "kinds/workloads/integers.h"

namespace strake::kinds {
namespace {

struct Interval {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

Result<std::int64_t> read_index(std::string_view text, std::int64_t completions) {
  const ReadNumber read = read_number(text);
  if (!read.ok())
    return fail(Code::kInvalid, "cannot convert string to integer for index: {}", quote(text));
  if (read.value >= completions) return fail(Code::kInvalid, "too large index: {}", quote(text));
  return read.value;
}

Result<Interval> read_interval(std::string_view text, std::int64_t completions) {
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos && text.find('-', dash + 1) != std::string_view::npos) {
    return fail(Code::kInvalid,
                "the fragment {} violates the requirement that an index interval can have at most "
                "two parts separated by '-'",
                quote(text));
  }
  STRAKE_TRY(const std::int64_t first, read_index(text.substr(0, dash), completions));
  if (dash == std::string_view::npos) return Interval{first, first};
  STRAKE_TRY(const std::int64_t last, read_index(text.substr(dash + 1), completions));
  if (first >= last) {
    return fail(Code::kInvalid, "non-increasing order, previous: {}, current: {}", first, last);
  }
  return Interval{first, last};
}

// Takes the part before the next comma.
std::string_view take_part(std::optional<std::string_view>& rest) {
  const std::size_t comma = rest->find(',');
  const std::string_view out = rest->substr(0, comma);
  rest = comma == std::string_view::npos ? std::nullopt : std::optional(rest->substr(comma + 1));
  return out;
}

// The intervals of a list, without those that cannot be read.
class Intervals {
 public:
  Intervals(std::string_view text, std::int64_t completions)
      : rest_(text), completions_(completions) {}

  std::optional<Interval> next() {
    while (rest_) {
      if (const auto read = read_interval(take_part(rest_), completions_)) return *read;
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string_view> rest_;
  std::int64_t completions_;
};

}  // namespace

Result<std::int64_t> count_indexes(std::string_view text, std::int64_t completions) {
  if (text.empty()) return 0;
  std::int64_t total = 0;
  std::optional<std::int64_t> last;
  for (std::optional rest(text); rest;) {
    STRAKE_TRY(const Interval one, read_interval(take_part(rest), completions));
    if (last && *last >= one.first) {
      return fail(Code::kInvalid, "non-increasing order, previous: {}, current: {}", *last,
                  one.first);
    }
    total += one.last - one.first + 1;
    last = one.last;
  }
  return total;
}

Result<> check_no_overlap(std::string_view completed, std::string_view failed,
                          std::int64_t completions) {
  if (completed.empty() || failed.empty()) return {};
  Intervals all_completed(completed, completions);
  Intervals all_failed(failed, completions);
  std::optional<Interval> c = all_completed.next();
  std::optional<Interval> f = all_failed.next();
  while (c && f) {
    if (c->first <= f->last && f->first <= c->last) {
      return fail(Code::kInvalid, "failedIndexes and completedIndexes overlap at index: {}",
                  std::max(c->first, f->first));
    }
    if (c->first <= f->first) {
      c = all_completed.next();
    } else {
      f = all_failed.next();
    }
  }
  return {};
}

}  // namespace strake::kinds
