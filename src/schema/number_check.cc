#include "schema/number_check.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/number_format.h"
#include "base/utf8.h"

// The arithmetic of kube-openapi in kube-apiserver 1.36, with its rounding: whether 4.0 is an
// integer, whether a bound fits its format, and what Go's conversions make of numbers out of range.
// Where a line looks wrong (truncate, is_json_integer, matches_enum), it is what the server does.

namespace strake::schema {

using value::Type;
using value::Value;

bool is_json_integer(double d) {
  constexpr double kLargest = 9007199254740991.0;
  constexpr double kTolerance = 1e-9;
  if (!(d >= -kLargest && d <= kLargest)) return false;
  if (d == std::trunc(d)) return true;
  // kube-apiserver 1.36 truncates through an unsigned integer, so negative fractions are never
  // close to their whole part.
  const double whole =
      d < 0 ? static_cast<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(d)))
            : std::trunc(d);
  const double difference = std::fabs(d - whole);
  if (d == 0 || whole == 0 || difference < std::numeric_limits<double>::denorm_min()) {
    return difference < kTolerance * std::numeric_limits<double>::denorm_min();
  }
  return difference /
             std::fmin(std::fabs(d) + std::fabs(whole), std::numeric_limits<double>::max()) <
         kTolerance;
}

bool fits_format(const Value& v, const Node& schema) {
  if (schema.int_or_string) return true;
  if (schema.type == JsonType::kInteger) {
    const double d = v.as_double();
    if (v.type() != Type::kInt) {
      if (d != std::trunc(d) || d < -0x1p63 || d >= 0x1p63) return false;
    }
    if (schema.format == Format::kInt32) return d >= -0x1p31 && d < 0x1p31;
    return true;
  }
  if (schema.type == JsonType::kNumber && schema.format == Format::kFloat) {
    // What rounds past the largest float does not fit.
    return std::fabs(v.as_double()) < 0x1.ffffffp127;
  }
  return true;
}

std::int64_t truncate(double bound) {
  // What Go's conversion gives on amd64 for a float out of range.
  if (!(bound >= -0x1p63 && bound < 0x1p63)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(bound);
}

bool above(const Value& v, double minimum, bool exclusive, bool whole) {
  if (whole) return exclusive ? v.as_int() > truncate(minimum) : v.as_int() >= truncate(minimum);
  return exclusive ? v.as_double() > minimum : v.as_double() >= minimum;
}

bool below(const Value& v, double maximum, bool exclusive, bool whole) {
  if (whole) return exclusive ? v.as_int() < truncate(maximum) : v.as_int() <= truncate(maximum);
  return exclusive ? v.as_double() < maximum : v.as_double() <= maximum;
}

bool is_multiple(double v, double factor) {
  return is_json_integer(factor < 1 ? 1 / factor * v : v / factor);
}

std::string bound_text(double bound, bool whole) {
  return whole ? fmt::format("{}", truncate(bound)) : format_go_v(bound);
}

bool matches_enum(const Value& v, const Value& allowed) {
  if (v.is_null() || allowed.is_null())
    return false;  // null never matches, even one that is listed
  if (v.is_number() && allowed.is_number()) {
    if (allowed.type() == Type::kInt) {
      return (v.type() == Type::kInt ? v.as_int() : truncate(v.as_double())) == allowed.as_int();
    }
    return v.as_double() == allowed.as_double();
  }
  // Go converts an integer to the string of that code point.
  if (v.type() == Type::kInt && allowed.is_string()) {
    const bool in_range = v.as_int() >= 0 && v.as_int() <= 0x10ffff;
    return utf8::encode(in_range ? static_cast<char32_t>(v.as_int()) : utf8::kReplacement) ==
           allowed.as_string();
  }
  return value::identical(v, allowed);
}

}  // namespace strake::schema
