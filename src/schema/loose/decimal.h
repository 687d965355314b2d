#pragma once
// A number exactly as its decimal digits say, of any size: for bounds and multiples that float64
// would blur.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "value/value.h"

namespace strake::schema::loose {

class Decimal {
 public:
  Decimal() = default;  // zero
  // A JSON number. Exponents beyond any use are held at a far limit.
  static Decimal parse(std::string_view literal);
  // Of any number; a double counts as the shortest digits that read back as it.
  static Decimal of(const value::Value& number);

  bool negative() const { return negative_; }
  bool is_zero() const { return digits_.empty(); }
  bool is_integer() const { return exponent_ >= 0; }
  std::optional<std::int64_t> to_int64() const;  // nothing when it has a fraction or does not fit
  // Whether this is a whole multiple of the other, which must not be zero.
  bool is_multiple_of(const Decimal& divisor) const;

  // Equal numbers have equal keys: "-12e3", "0".
  std::string key() const;

  // Less, equal, greater: below, at, above zero.
  friend int compare(const Decimal& a, const Decimal& b);

 private:
  bool negative_ = false;
  std::string digits_;         // without zeros at either end
  std::int64_t exponent_ = 0;  // of the last digit
};

// A number as float64 has it. Other values, and integers that are the same there, stay what they
// are.
value::Value as_float64(const value::Value& v);
// The same for every number in a value, in place.
void round_to_float64(value::Value& v);

// A number of a schema, in the shapes that comparisons want.
struct Number {
  Decimal exact;
  double approximate = 0;
  std::optional<std::int64_t> integer;  // when it is one and fits
  std::string text;                     // as JSON

  static Number of(const value::Value& number);
};

}  // namespace strake::schema::loose
