#pragma once
// A decimal number of any size: a whole number times a power of ten. Exact; made for quantities
// that leave 64 bits, so it is simple rather than fast. Whatever would need more than kMaxDigits
// digits is refused, never attempted.
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strake {

class Decimal {
 public:
  static constexpr std::size_t kMaxDigits = 4096;

  Decimal() = default;  // zero
  // coefficient * 10^exponent
  explicit Decimal(std::int64_t coefficient, std::int64_t exponent = 0);
  // The coefficient in decimal digits, without a sign. Nothing when it is not that or is too long.
  static std::optional<Decimal> from_digits(std::string_view digits, std::int64_t exponent);

  int sign() const { return limbs_.empty() ? 0 : negative_ ? -1 : 1; }
  std::int64_t exponent() const { return exponent_; }
  std::size_t digit_count() const;  // of the coefficient, 0 for zero

  // The coefficient, with a '-' when negative.
  std::string coefficient_text() const;
  // The lowest 64 bits of the coefficient in two's complement; the coefficient itself when it fits.
  std::int64_t coefficient_low64() const;
  bool coefficient_fits_int64() const;
  // The nearest double, ties to even.
  double coefficient_double() const;

  void negate() { negative_ = !negative_; }

  // Each changes the number in place. False: the result would be too long, and the number is as it
  // was.
  bool add(const Decimal& other);
  bool multiply(std::uint32_t factor);
  // Writes the same number with another, smaller exponent.
  bool lower_exponent(std::int64_t to);

  // Raises the exponent, rounding away from zero. True when nothing was lost. Does nothing where it
  // is as high already.
  bool round_up(std::int64_t to_exponent);
  // The same, cutting off what is lost.
  bool truncate(std::int64_t to_exponent);
  // Moves the zeros at the end of the coefficient into the exponent.
  void strip_zeros();
  // Divides the coefficient by a divisor that goes into it evenly; else changes nothing and returns
  // false.
  bool divide_exactly(std::uint32_t divisor);

  // By value: 10 * 10^0 equals 1 * 10^1.
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == 0; }

 private:
  using Limbs = std::vector<std::uint32_t>;  // base 10^9, lowest first, no zeros on top

  static std::strong_ordering compare_limbs(const Limbs& a, const Limbs& b);
  void multiply_pow10(std::uint64_t power);
  bool divide_pow10(std::uint64_t power);  // true when nothing was lost
  void trim();

  Limbs limbs_;
  std::int64_t exponent_ = 0;
  bool negative_ = false;
};

}  // namespace strake
