#include "base/go_duration.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "base/quote.h"

namespace strake {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 63;

std::optional<std::uint64_t> nanoseconds_in(std::string_view unit) {
  if (unit == "ns") return 1;
  if (unit == "us" || unit == "\u00b5s" || unit == "\u03bcs") return 1000;  // micro sign, Greek mu
  if (unit == "ms") return 1'000'000;
  if (unit == "s") return 1'000'000'000;
  if (unit == "m") return 60'000'000'000;
  if (unit == "h") return 3'600'000'000'000;
  return std::nullopt;
}

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

std::unexpected<Error> duration_error(std::string_view what, std::string_view text) {
  return fail(Code::kParse, "time: {} {}", what, quote_time(text));
}

// Takes digits off the front. False when the number is more than 2^63.
bool take_whole(std::string_view& left, std::uint64_t& out) {
  while (!left.empty() && is_decimal(left[0])) {
    if (out > kMost / 10) return false;
    out = out * 10 + static_cast<std::uint64_t>(left[0] - '0');
    if (out > kMost) return false;
    left.remove_prefix(1);
  }
  return true;
}

// Takes digits off the front as the digits of a fraction out/scale. Those past what 63 bits hold
// are dropped.
void take_fraction_digits(std::string_view& left, std::uint64_t& out, double& scale) {
  bool full = false;
  for (; !left.empty() && is_decimal(left[0]); left.remove_prefix(1)) {
    if (full) continue;
    const std::uint64_t next = out * 10 + static_cast<std::uint64_t>(left[0] - '0');
    if (out > (kMost - 1) / 10 || next > kMost) {
      full = true;
      continue;
    }
    out = next;
    scale *= 10;
  }
}

// Writes number / 10^digits without the zeros at its end.
std::string with_fraction(std::uint64_t number, int digits) {
  std::uint64_t power = 1;
  for (int i = 0; i < digits; ++i) power *= 10;
  std::string out = fmt::format("{}", number / power);
  if (number % power != 0) {
    out += fmt::format(".{:0{}}", number % power, digits);
    out.erase(out.find_last_not_of('0') + 1);
  }
  return out;
}

}  // namespace

Result<std::chrono::nanoseconds> parse_go_duration(std::string_view text) {
  constexpr std::string_view kInvalid = "invalid duration";
  std::string_view left = text;
  bool negative = false;
  if (!left.empty() && (left[0] == '-' || left[0] == '+')) {
    negative = left[0] == '-';
    left.remove_prefix(1);
  }
  if (left == "0") return std::chrono::nanoseconds(0);
  if (left.empty()) return duration_error(kInvalid, text);

  std::uint64_t total = 0;
  while (!left.empty()) {
    if (left[0] != '.' && !is_decimal(left[0])) return duration_error(kInvalid, text);
    const bool has_whole = is_decimal(left[0]);
    std::uint64_t whole = 0;
    if (!take_whole(left, whole)) return duration_error(kInvalid, text);
    std::uint64_t fraction = 0;
    double scale = 1;
    bool has_fraction = false;
    if (left.starts_with('.')) {
      left.remove_prefix(1);
      has_fraction = !left.empty() && is_decimal(left[0]);
      take_fraction_digits(left, fraction, scale);
    }
    if (!has_whole && !has_fraction) return duration_error(kInvalid, text);

    const std::string_view unit = left.substr(0, left.find_first_of(".0123456789"));
    if (unit.empty()) return duration_error("missing unit in duration", text);
    left.remove_prefix(unit.size());
    const std::optional<std::uint64_t> size = nanoseconds_in(unit);
    if (!size)
      return duration_error(fmt::format("unknown unit {} in duration", quote_time(unit)), text);
    if (whole > kMost / *size) return duration_error(kInvalid, text);
    whole *= *size;
    if (fraction > 0) {
      // In floating point and in this order, as Go does it: the last digit depends on it.
      whole += static_cast<std::uint64_t>(static_cast<double>(fraction) *
                                          (static_cast<double>(*size) / scale));
      if (whole > kMost) return duration_error(kInvalid, text);
    }
    total += whole;
    if (total > kMost) return duration_error(kInvalid, text);
  }
  if (negative) return std::chrono::nanoseconds(static_cast<std::int64_t>(0 - total));
  if (total == kMost) return duration_error(kInvalid, text);
  return std::chrono::nanoseconds(static_cast<std::int64_t>(total));
}

std::string format_go_duration(std::chrono::nanoseconds duration) {
  const bool negative = duration.count() < 0;
  const auto count = static_cast<std::uint64_t>(duration.count());
  const std::uint64_t n = negative ? 0 - count : count;
  if (n == 0) return "0s";
  std::string out = negative ? "-" : "";
  if (n < 1000) return out + with_fraction(n, 0) + "ns";
  if (n < 1'000'000) return out + with_fraction(n, 3) + "\u00b5s";
  if (n < 1'000'000'000) return out + with_fraction(n, 6) + "ms";
  const std::uint64_t minutes = n / 60'000'000'000;
  if (minutes >= 60) out += fmt::format("{}h", minutes / 60);
  if (minutes > 0) out += fmt::format("{}m", minutes % 60);
  return out + with_fraction(n % 60'000'000'000, 9) + "s";
}

}  // namespace strake
