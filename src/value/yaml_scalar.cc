#include "value/yaml_scalar.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "base/number_format.h"

// Which type an untagged plain scalar has. kKubernetes follows go-yaml as the API server uses it
// (YAML 1.1: yes and on are booleans, a leading 0 is octal, underscores are allowed in numbers);
// kKustomize differs in the words that are booleans; kCore is the core schema of YAML 1.2. The
// writer asks the same functions which strings need quotes, so what was written reads back as the
// same string.
//
// The first byte decides first (kScalarHints): most scalars are strings and cost one lookup.

namespace strake::value {
namespace {

using internal::kLongestWord;
using internal::kScalarHints;
using internal::ScalarHint;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits alone, without a leading zero and too few to overflow: most numbers are, and every schema
// reads them alike.
std::optional<std::int64_t> simple_integer(std::string_view text) {
  if (text.size() > 18 || (text[0] == '0' && text.size() > 1)) return std::nullopt;
  std::int64_t out = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    out = out * 10 + (c - '0');
  }
  return out;
}

// "word", "Word" or "WORD".
bool in_three_cases(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  const auto upper = [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  };
  if (text == lower) return true;
  if (text[0] != upper(lower[0])) return false;
  bool title = true;
  bool capital = true;
  for (std::size_t i = 1; i < text.size(); ++i) {
    title = title && text[i] == lower[i];
    capital = capital && text[i] == upper(lower[i]);
  }
  return title || capital;
}

Scalar boolean(bool b) { return {.kind = ScalarKind::kBool, .boolean = b}; }
Scalar real(double d) { return {.kind = ScalarKind::kFloat, .real = d}; }

std::optional<Scalar> resolve_word(std::string_view text, YamlSchema schema) {
  if (text.empty() || text == "~" || in_three_cases(text, "null"))
    return Scalar{.kind = ScalarKind::kNull};
  if (in_three_cases(text, "true")) return boolean(true);
  if (in_three_cases(text, "false")) return boolean(false);
  if (schema != YamlSchema::kKubernetes) return std::nullopt;
  if (in_three_cases(text, "yes") || in_three_cases(text, "on") || text == "y" || text == "Y")
    return boolean(true);
  if (in_three_cases(text, "no") || in_three_cases(text, "off") || text == "n" || text == "N")
    return boolean(false);
  return std::nullopt;
}

std::optional<Scalar> resolve_special_float(std::string_view text) {
  const std::string_view bare =
      !text.empty() && (text[0] == '+' || text[0] == '-') ? text.substr(1) : text;
  if (bare == ".inf" || bare == ".Inf" || bare == ".INF")
    return real(text[0] == '-' ? -HUGE_VAL : HUGE_VAL);
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return real(std::nan(""));
  return std::nullopt;
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looks_like_float(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i - from;
  };
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  const bool whole = digits() != 0;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0 && !whole) return false;
  } else if (!whole) {
    return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

// The text must look like a float. Nothing when it is too large for a double; the small ones become
// 0.
std::optional<double> parse_float(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double d = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), d);
  if (error == std::errc()) return d;
  d = std::strtod(std::string(text).c_str(), nullptr);
  if (std::isinf(d)) return std::nullopt;
  return d;
}

// An integer with its base in the prefix, as Go's strconv reads it: 0x, 0o, 0b, or a bare 0 for
// octal.
std::optional<Scalar> parse_integer(std::string_view text) {
  std::string_view digits = text;
  const bool sign = !digits.empty() && (digits[0] == '+' || digits[0] == '-');
  const bool negative = sign && digits[0] == '-';
  if (sign) digits.remove_prefix(1);
  int base = 10;
  if (digits.size() >= 2 && digits[0] == '0') {
    const char mark = static_cast<char>(digits[1] | 0x20);
    const std::size_t prefix = mark == 'x' || mark == 'o' || mark == 'b' ? 2 : 1;
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    digits.remove_prefix(prefix);
  }
  if (digits.empty() || digits[0] == '-')
    return std::nullopt;  // from_chars would take a second sign
  std::uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  constexpr std::uint64_t kMax = INT64_MAX;
  if (magnitude <= kMax || (negative && magnitude == kMax + 1)) {
    return Scalar{
        .kind = ScalarKind::kInt,
        .integer = static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude)};
  }
  // A sign is taken only within int64.
  if (sign) return std::nullopt;
  return Scalar{.kind = ScalarKind::kUint, .unsigned_integer = magnitude};
}

std::string_view without_underscores(std::string_view text, std::string& storage) {
  if (text.find('_') == std::string_view::npos) return text;
  for (const char c : text) {
    if (c != '_') storage += c;
  }
  return storage;
}

// A float that starts with a point may have underscores between its digits, as in Go's own
// literals.
bool underscores_between_digits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') continue;
    if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1]))
      return false;
  }
  return true;
}

Scalar resolve_number(std::string_view text, ScalarHint hint) {
  if (hint == ScalarHint::kPoint && !underscores_between_digits(text)) return {};
  std::string storage;
  const std::string_view plain = without_underscores(text, storage);
  if (hint != ScalarHint::kPoint) {
    if (const auto integer = parse_integer(plain)) return *integer;
  }
  if (looks_like_float(plain)) {
    const auto d = parse_float(plain);
    return d ? real(*d) : Scalar{};
  }
  // go-yaml takes a sign behind this prefix, too: 0b-11.
  if (plain.size() > 3 && plain.starts_with("0b") && (plain[2] == '-' || plain[2] == '+')) {
    const auto integer = parse_integer(fmt::format("{}0b{}", plain[2], plain.substr(3)));
    if (integer) return *integer;
  }
  return {};
}

bool all_of_base(std::string_view digits, int base) {
  for (const char c : digits) {
    const char lower = static_cast<char>(c | 0x20);
    const bool fits = base == 8 ? c >= '0' && c <= '7'
                                : is_digit(c) || (base == 16 && lower >= 'a' && lower <= 'f');
    if (!fits) return false;
  }
  return !digits.empty();
}

Scalar resolve_core_number(std::string_view text) {
  const bool sign = text[0] == '+' || text[0] == '-';
  const std::string_view digits = text.substr(sign ? 1 : 0);
  std::optional<Scalar> integer;
  if (text.starts_with("0x") && all_of_base(text.substr(2), 16)) {
    integer = parse_integer(text);
  } else if (text.starts_with("0o") && all_of_base(text.substr(2), 8)) {
    integer = parse_integer(text);
  } else if (all_of_base(digits, 10)) {
    const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    integer = parse_integer(std::string(text.substr(0, sign ? 1 : 0)).append(digits.substr(zeros)));
  }
  if (integer) return *integer;
  if (!looks_like_float(text)) return {};
  const auto d = parse_float(text);
  return d ? real(*d) : Scalar{};
}

// Reads the pieces of a date or time from the front of a text.
class Clock {
 public:
  explicit Clock(std::string_view rest) : rest_(rest) {}
  bool done() const { return rest_.empty(); }
  bool take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // One or two digits, or exactly two.
  bool number(int& out, bool both = false) {
    if (rest_.empty() || !is_digit(rest_[0])) return false;
    const bool two = rest_.size() > 1 && is_digit(rest_[1]);
    if (both && !two) return false;
    out = rest_[0] - '0';
    if (two) out = out * 10 + (rest_[1] - '0');
    rest_.remove_prefix(two ? 2 : 1);
    return true;
  }
  bool date() {
    int year = 0;
    for (int i = 0; i < 4; ++i, rest_.remove_prefix(1)) {
      if (rest_.empty() || !is_digit(rest_[0])) return false;
      year = year * 10 + (rest_[0] - '0');
    }
    int month = 0;
    int day = 0;
    if (!take('-') || !number(month) || month < 1 || month > 12 || !take('-') || !number(day))
      return false;
    constexpr std::array<int, 13> kDays = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= kDays[static_cast<std::size_t>(month)] + (month == 2 && leap ? 1 : 0);
  }
  bool time() {
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (!number(hour) || hour > 23 || !take(':')) return false;
    if (!number(minute) || minute > 59 || !take(':')) return false;
    if (!number(second) || second > 59) return false;
    if (rest_.size() >= 2 && (rest_[0] == '.' || rest_[0] == ',') && is_digit(rest_[1])) {
      rest_.remove_prefix(1);
      while (!rest_.empty() && is_digit(rest_[0])) rest_.remove_prefix(1);
    }
    return true;
  }
  bool zone() {
    if (take('Z')) return true;
    int hour = 0;
    int minute = 0;
    if (!take('+') && !take('-')) return false;
    return number(hour, true) && hour <= 24 && take(':') && number(minute, true) && minute <= 60;
  }
  void spaces() {
    while (take(' ')) {
    }
  }

 private:
  std::string_view rest_;
};

}  // namespace

Scalar resolve_scalar(std::string_view text, YamlSchema schema, bool timestamps) {
  if (text.empty()) return {.kind = ScalarKind::kNull};
  const ScalarHint hint = kScalarHints[static_cast<unsigned char>(text[0])];
  switch (hint) {
    case ScalarHint::kString: return {};
    case ScalarHint::kWord:
      return text.size() <= kLongestWord ? resolve_word(text, schema).value_or(Scalar{}) : Scalar{};
    case ScalarHint::kDigit:
      if (const auto integer = simple_integer(text))
        return {.kind = ScalarKind::kInt, .integer = *integer};
      break;
    case ScalarHint::kSign:
    case ScalarHint::kPoint: break;
  }
  if (const auto special = resolve_special_float(text)) return *special;
  if (schema == YamlSchema::kCore) return resolve_core_number(text);
  if (timestamps && hint == ScalarHint::kDigit && is_timestamp(text))
    return {.kind = ScalarKind::kTimestamp};
  return resolve_number(text, hint);
}

std::string_view short_tag(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::kString: return "!!str";
    case ScalarKind::kNull: return "!!null";
    case ScalarKind::kBool: return "!!bool";
    case ScalarKind::kInt:
    case ScalarKind::kUint: return "!!int";
    case ScalarKind::kFloat: return "!!float";
    case ScalarKind::kTimestamp: return "!!timestamp";
  }
  return "!!str";
}

bool is_base60(std::string_view text) {
  if (text.find(':') == std::string_view::npos) return false;
  std::size_t i = text[0] == '+' || text[0] == '-' ? 1 : 0;
  if (i == text.size() || !is_digit(text[i])) return false;
  while (i < text.size() && (is_digit(text[i]) || text[i] == '_')) ++i;
  bool parts = false;
  while (i + 1 < text.size() && text[i] == ':' && is_digit(text[i + 1])) {
    const bool two = i + 2 < text.size() && is_digit(text[i + 2]);
    if (two && text[i + 1] > '5') return false;
    i += two ? 3 : 2;
    parts = true;
  }
  if (!parts) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    while (i < text.size() && (is_digit(text[i]) || text[i] == '_')) ++i;
  }
  return i == text.size();
}

bool is_timestamp(std::string_view text) {
  if (text.size() < 8 || text[4] != '-') return false;
  Clock clock(text);
  if (!clock.date()) return false;
  if (clock.done()) return true;
  if (clock.take('T') || clock.take('t')) return clock.time() && clock.zone() && clock.done();
  if (!clock.take(' ')) return false;
  clock.spaces();
  return clock.time() && clock.done();
}

bool is_json_number(std::string_view text) {
  std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || !is_digit(digits[0])) return false;
  if (digits[0] == '0' && digits.size() > 1 && is_digit(digits[1])) return false;
  const std::size_t point = digits.find('.');
  if (point != std::string_view::npos &&
      (point + 1 == digits.size() || !is_digit(digits[point + 1])))
    return false;
  return looks_like_float(text);
}

std::string format_float(double d) {
  if (std::isnan(d)) return ".nan";
  if (std::isinf(d)) return d < 0 ? "-.inf" : ".inf";
  return format_go_g(d);
}

std::string format_float32(double d) {
  const auto single = static_cast<float>(d);
  if (!std::isfinite(single)) return format_float(single);
  const float size = std::fabs(single);
  const bool exponent = size != 0 && (size < 1e-4F || size >= 1e6F);
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, single,
                    exponent ? std::chars_format::scientific : std::chars_format::fixed)
          .ptr;
  return {buffer, end};
}

Scalar whole_float(double d) {
  constexpr double kExact = 9007199254740992.0;
  if (std::abs(d) < kExact)
    return {.kind = ScalarKind::kInt, .integer = static_cast<std::int64_t>(d)};
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, d, std::chars_format::scientific).ptr;
  std::string digits;
  const char* p = buffer;
  for (; *p != 'e'; ++p) {
    if (*p != '.') digits += *p;
  }
  std::size_t exponent = 0;
  std::from_chars(p + 2, end, exponent);  // behind "e+"
  digits.resize(exponent + (d < 0 ? 2 : 1), '0');
  return parse_integer(digits).value_or(real(d));
}

}  // namespace strake::value
