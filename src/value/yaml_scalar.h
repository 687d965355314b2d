#pragma once
// What an unquoted YAML scalar means. One function serves the reader (what value is this?) and the
// writer (would this string be taken for something else?), so the two cannot disagree.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "value/read_options.h"

namespace strake::value {

enum class ScalarKind : std::uint8_t {
  kString,
  kNull,
  kBool,
  kInt,
  kUint,       // above int64
  kFloat,      // infinities and NaN included
  kTimestamp,  // read as a string, but quoted when written
};

struct Scalar {
  ScalarKind kind = ScalarKind::kString;
  bool boolean = false;
  std::int64_t integer = 0;
  std::uint64_t unsigned_integer = 0;
  double real = 0;
};

namespace internal {

// What a plain scalar may be, from its first character.
enum class ScalarHint : std::uint8_t { kString, kSign, kDigit, kWord, kPoint };

inline constexpr std::array<ScalarHint, 256> kScalarHints = [] {
  std::array<ScalarHint, 256> hints{};
  const auto set = [&hints](std::string_view characters, ScalarHint hint) {
    for (const char c : characters) hints[static_cast<unsigned char>(c)] = hint;
  };
  set("+-", ScalarHint::kSign);
  set("0123456789", ScalarHint::kDigit);
  set("yYnNtTfFoO~", ScalarHint::kWord);
  set(".", ScalarHint::kPoint);
  return hints;
}();
inline constexpr std::size_t kLongestWord = 5;  // false

}  // namespace internal

// Whether a plain scalar is a string, without reading more than its first two characters; when this
// says no, resolve_scalar() knows. Most keys are short words such as name and type.
inline bool is_surely_string(std::string_view text) {
  if (text.empty()) return false;
  using internal::ScalarHint;
  const ScalarHint hint = internal::kScalarHints[static_cast<unsigned char>(text[0])];
  if (hint == ScalarHint::kString) return true;
  if (hint != ScalarHint::kWord || text.size() < 2) return false;
  if (text.size() > internal::kLongestWord) return true;
  const auto second = static_cast<char>(text[1] | 0x20);
  switch (text[0] | 0x20) {
    case 'y': return second != 'e';                   // yes
    case 'n': return second != 'o' && second != 'u';  // no, null
    case 't': return second != 'r';                   // true
    case 'f': return second != 'a';                   // false
    case 'o': return second != 'n' && second != 'f';  // on, off
    default: return true;
  }
}

// The meaning of a plain scalar without a tag. Timestamps are looked for only when asked: to a
// reader they are strings.
Scalar resolve_scalar(std::string_view text, YamlSchema schema, bool timestamps);

// The tag's short name of a kind: "!!str", "!!int" and so on.
std::string_view short_tag(ScalarKind kind);

// YAML 1.1 reads 12:30:45 as a base-60 number. No reader here does, but the writer quotes them for
// those that do.
bool is_base60(std::string_view text);

// The dates and times that go-yaml takes for timestamps: 2024-1-2, 2024-01-02T15:04:05Z,
// 2024-01-02 15:04:05.5
bool is_timestamp(std::string_view text);

// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?
bool is_json_number(std::string_view text);

// A float as Go's strconv prints it with the verb 'g' and the shortest precision:
// 1e+20, 1.2345675e+06, .inf, .nan
std::string format_float(double d);
// The same for the nearest float32, which is how float keys become strings.
std::string format_float32(double d);

// What a float without a fraction, below 1e21, becomes when it passes through JSON: its shortest
// digits, filled up with zeros, read again. kInt, kUint or, when it is too large for both, kFloat.
Scalar whole_float(double d);

}  // namespace strake::value
