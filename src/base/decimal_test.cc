#include "base/decimal.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace strake {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

Decimal digits(std::string_view text, std::int64_t exponent = 0) {
  const bool negative = text.starts_with('-');
  Decimal out = *Decimal::from_digits(text.substr(negative ? 1 : 0), exponent);
  if (negative) out.negate();
  return out;
}

__extension__ using Wide = __int128;

Wide random_wide(std::mt19937_64& random) {
  // At most 100 bits, so that sums and small products stay within 128.
  const Wide size = (static_cast<Wide>(random() >> 28) << 64 | random()) >> (random() % 100);
  return random() % 2 == 0 ? size : -size;
}

std::string to_text(Wide number) {
  if (number == 0) return "0";
  std::string out;
  const bool negative = number < 0;
  for (; number != 0; number /= 10) {
    const int digit = static_cast<int>(number % 10);
    out.insert(out.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
  }
  return negative ? "-" + out : out;
}

TEST(Decimal, KeepsEveryInt64) {
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1},
                               std::int64_t{999999999}, std::int64_t{1000000000}, kMax, kMin}) {
    EXPECT_EQ(Decimal(n).coefficient_text(), std::to_string(n));
    EXPECT_EQ(Decimal(n).coefficient_low64(), n);
    EXPECT_TRUE(Decimal(n).coefficient_fits_int64());
  }
  EXPECT_FALSE(digits("9223372036854775808").coefficient_fits_int64());
  EXPECT_FALSE(digits("-9223372036854775809").coefficient_fits_int64());
  EXPECT_TRUE(digits("-9223372036854775808").coefficient_fits_int64());
  EXPECT_EQ(digits("18446744073709551617").coefficient_low64(), 1);
}

TEST(Decimal, TakesOnlyDigits) {
  EXPECT_EQ(digits("000123").coefficient_text(), "123");
  EXPECT_EQ(digits("0000").sign(), 0);
  for (std::string_view text : {"", "+1", "1.5", "1e3", " 1"})
    EXPECT_FALSE(Decimal::from_digits(text, 0)) << text;
}

TEST(Decimal, RefusesMoreDigitsThanItsLimit) {
  const std::string longest(Decimal::kMaxDigits, '9');
  EXPECT_FALSE(Decimal::from_digits(longest + '9', 0));
  Decimal number = digits(longest);
  EXPECT_EQ(number.digit_count(), Decimal::kMaxDigits);
  EXPECT_FALSE(number.add(Decimal(1)));
  EXPECT_FALSE(number.multiply(2));
  EXPECT_FALSE(number.lower_exponent(-1));
  EXPECT_EQ(number.coefficient_text(), longest);
  Decimal far(1, 2'000'000'000);
  EXPECT_FALSE(far.add(Decimal(1)));
  EXPECT_FALSE(far.lower_exponent(0));
  EXPECT_EQ(far, Decimal(1, 2'000'000'000));
  Decimal zero(0, 2'000'000'000);
  EXPECT_TRUE(zero.lower_exponent(-9));
}

TEST(Decimal, AddsAndComparesLikeWholeNumbers) {
  std::mt19937_64 random(51);
  for (int round = 0; round < 20000; ++round) {
    const Wide a = random_wide(random), b = random_wide(random);
    Decimal sum = digits(to_text(a));
    ASSERT_EQ(sum.coefficient_text(), to_text(a));
    ASSERT_TRUE(sum.add(digits(to_text(b))));
    ASSERT_EQ(sum.coefficient_text(), to_text(a + b));
    ASSERT_EQ(digits(to_text(a)) <=> digits(to_text(b)), a <=> b);
    const auto factor = static_cast<std::uint32_t>(random() % 1025);
    Decimal product = digits(to_text(a));
    ASSERT_TRUE(product.multiply(factor));
    ASSERT_EQ(product.coefficient_text(), to_text(a * factor));
    if (factor > 0) {
      ASSERT_TRUE(product.divide_exactly(factor));
      ASSERT_EQ(product.coefficient_text(), to_text(a));
    }
  }
}

TEST(Decimal, RoundsAwayFromZero) {
  std::mt19937_64 random(52);
  for (int round = 0; round < 20000; ++round) {
    const Wide a = random_wide(random);
    Wide power = 1;
    const auto exponent = static_cast<std::int64_t>(random() % 30);
    for (std::int64_t i = 0; i < exponent; ++i) power *= 10;
    const bool exact = a % power == 0;
    Decimal up = digits(to_text(a)), cut = up;
    ASSERT_EQ(up.round_up(exponent), exact);
    ASSERT_EQ(up.coefficient_text(), to_text(a / power + (exact ? 0 : a < 0 ? -1 : 1)));
    ASSERT_EQ(up.exponent(), exponent);
    ASSERT_EQ(cut.truncate(exponent), exact);
    ASSERT_EQ(cut.coefficient_text(), to_text(a / power));
  }
}

TEST(Decimal, RoundsUpAcrossAllItsDigits) {
  Decimal number = digits("9999999999999999999999999991");
  EXPECT_FALSE(number.round_up(1));
  EXPECT_EQ(number.coefficient_text(), "1000000000000000000000000000");
  Decimal tiny(1, -1'000'000);
  EXPECT_FALSE(tiny.round_up(-9));
  EXPECT_EQ(tiny.coefficient_text(), "1");
}

TEST(Decimal, ComparesByValue) {
  EXPECT_EQ(Decimal(10), Decimal(1, 1));
  EXPECT_EQ(Decimal(0), Decimal(0, 9));
  EXPECT_LT(Decimal(999), Decimal(1, 3));
  EXPECT_GT(Decimal(1001), Decimal(1, 3));
  EXPECT_LT(Decimal(-1001), Decimal(-1, 3));
  EXPECT_LT(Decimal(-1, 2'000'000'000), Decimal(1, -2'000'000'000));
  EXPECT_LT(Decimal(1, -2'000'000'000), Decimal(1, 2'000'000'000));
  EXPECT_GT(Decimal(1, -9), Decimal(0));
}

TEST(Decimal, MovesZerosIntoTheExponent) {
  Decimal number = digits("1230000000000000000000", -3);
  number.strip_zeros();
  EXPECT_EQ(number.coefficient_text(), "123");
  EXPECT_EQ(number.exponent(), 16);
  Decimal zero;
  zero.strip_zeros();
  EXPECT_EQ(zero.exponent(), 0);
}

TEST(Decimal, GivesTheNearestDouble) {
  EXPECT_EQ(digits("9007199254740993").coefficient_double(), 9007199254740992.0);
  EXPECT_EQ(digits("-123456789012345678901234567890").coefficient_double(),
            -123456789012345678901234567890.0);
  EXPECT_EQ(digits(std::string(400, '9')).coefficient_double(),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(digits("-" + std::string(400, '9')).coefficient_double(),
            -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace strake
