#pragma once
// resource.Quantity: amounts of CPU, memory and the like, such as "500m", "1.5Gi" or "12e6". It
// reads, compares, adds and writes as k8s.io/apimachinery does, except where that loses digits: an
// amount too large for its largest suffix keeps that suffix ("1000E") instead of losing it. Values
// finer than a billionth are rounded away from zero.
//
//   STRAKE_TRY(Quantity memory, Quantity::parse("1024Mi"));
//   memory.to_string()  "1Gi"
//   memory.value()      1073741824
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/decimal.h"
#include "base/result.h"

namespace strake {

class Quantity {
 public:
  // How a quantity was written and is written again.
  enum class Format : std::uint8_t {
    kDecimalSi,        // 500m, 12M
    kBinarySi,         // 12Mi
    kDecimalExponent,  // 12e6
  };

  Quantity() = default;  // zero
  // value * 10^scale
  explicit Quantity(std::int64_t value, Format format = Format::kDecimalSi, std::int32_t scale = 0)
      : value_(value), scale_(scale), format_(format) {}
  static Quantity milli(std::int64_t value, Format format = Format::kDecimalSi) {
    return Quantity(value, format, -3);
  }

  // Fails with kParse and apimachinery's text, or with kLimit for one that would need thousands of
  // digits.
  static Result<Quantity> parse(std::string_view text);

  Format format() const { return format_; }

  // The text it was read from where that was canonical already (or passes for it in
  // apimachinery 1.36: "1.500", "+5"), else the form with no fraction and the largest suffix.
  std::string to_string() const;

  int sign() const;
  bool is_zero() const { return sign() == 0; }

  // A zero takes the format of what is added to it. Fails with kLimit when the sum would need
  // thousands of digits.
  Result<> add(const Quantity& other);
  Result<> subtract(const Quantity& other);
  void negate();

  // The value where it is kept in 64 bits with no fraction; nothing else is an integer, not even
  // "1.0" or "0.5Ki".
  std::optional<std::int64_t> as_int64() const;
  bool is_integer() const { return as_int64().has_value(); }

  // Rounded up; 0 when a quantity that is kept in 64 bits would overflow them.
  std::int64_t value() const { return scaled_value(0); }
  std::int64_t milli_value() const { return scaled_value(-3); }
  // In units of 10^scale.
  std::int64_t scaled_value(std::int32_t scale) const;

  double as_approximate_double() const;

  // value * 10^scale, for those kept in 64 bits.
  struct Small {
    std::int64_t value = 0;
    std::int32_t scale = 0;
    Format format = Format::kDecimalSi;
  };
  std::optional<Small> small() const {
    if (big_) return std::nullopt;
    return Small{value_, scale_, format_};
  }

  // By value: 1000m equals 1.
  friend std::strong_ordering operator<=>(const Quantity& a, const Quantity& b);
  friend bool operator==(const Quantity& a, const Quantity& b) { return (a <=> b) == 0; }

 private:
  Decimal as_decimal() const { return big_ ? *big_ : Decimal(value_, scale_); }
  std::string canonical() const;
  std::string canonical_decimal(Format format) const;
  static std::string canonical_binary(Decimal whole);

  // Kept in 64 bits where apimachinery 1.36 does so, because as_int64 and overflow depend on it.
  std::int64_t value_ = 0;
  std::int32_t scale_ = 0;
  Format format_ = Format::kDecimalSi;
  std::optional<Decimal> big_;  // then value_ and scale_ are not used
  std::string text_;            // canonical text when known
};

}  // namespace strake
