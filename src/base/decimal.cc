#include "base/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

// The coefficient is a row of limbs of nine decimal digits, lowest first, without a zero at the
// top; zero has no limbs. With a power of ten as the base, what quantities need is cheap: text is
// the limbs side by side, and to multiply or divide by 10^n moves whole limbs and makes one pass
// for the rest of n. Nine digits, since a limb times another then fits 64 bits, and the sum of two
// limbs and a carry fits 32.
//
// Exponents may be far apart (1e999999999 and 1): the number of digits that the result would have
// is compared with kMaxDigits before anything is multiplied. What can fail works on a copy.

namespace strake {
namespace {

constexpr std::uint32_t kLimbBase = 1'000'000'000;
constexpr std::uint64_t kLimbDigits = 9;
constexpr std::uint32_t kPowersOfTen[] = {1,      10,      100,      1000,      10000,
                                          100000, 1000000, 10000000, 100000000, 1000000000};

std::uint32_t digits_in_limb(std::uint32_t limb) {
  std::uint32_t digits = 1;
  while (digits < kLimbDigits && limb >= kPowersOfTen[digits]) ++digits;
  return digits;
}

}  // namespace

Decimal::Decimal(std::int64_t coefficient, std::int64_t exponent)
    : exponent_(exponent), negative_(coefficient < 0) {
  const auto bits = static_cast<std::uint64_t>(coefficient);
  for (std::uint64_t left = negative_ ? 0 - bits : bits; left > 0; left /= kLimbBase) {
    limbs_.push_back(static_cast<std::uint32_t>(left % kLimbBase));
  }
}

std::optional<Decimal> Decimal::from_digits(std::string_view digits, std::int64_t exponent) {
  if (digits.empty()) return std::nullopt;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
  }
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > kMaxDigits) return std::nullopt;
  Decimal out;
  out.exponent_ = exponent;
  while (!digits.empty()) {
    const std::size_t start = digits.size() > kLimbDigits ? digits.size() - kLimbDigits : 0;
    std::uint32_t limb = 0;
    for (const char c : digits.substr(start))
      limb = limb * 10 + static_cast<std::uint32_t>(c - '0');
    out.limbs_.push_back(limb);
    digits = digits.substr(0, start);
  }
  return out;
}

std::size_t Decimal::digit_count() const {
  if (limbs_.empty()) return 0;
  return (limbs_.size() - 1) * kLimbDigits + digits_in_limb(limbs_.back());
}

std::string Decimal::coefficient_text() const {
  if (limbs_.empty()) return "0";
  std::string out = negative_ ? "-" : "";
  out += fmt::format("{}", limbs_.back());
  for (std::size_t i = limbs_.size() - 1; i-- > 0;) out += fmt::format("{:09}", limbs_[i]);
  return out;
}

std::int64_t Decimal::coefficient_low64() const {
  std::uint64_t bits = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) bits = bits * kLimbBase + limbs_[i];
  return static_cast<std::int64_t>(negative_ ? 0 - bits : bits);
}

bool Decimal::coefficient_fits_int64() const {
  if (limbs_.size() > 3) return false;
  const Decimal low(coefficient_low64());
  return low.sign() == sign() && compare_limbs(low.limbs_, limbs_) == 0;
}

double Decimal::coefficient_double() const {
  const std::string text = coefficient_text();
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error == std::errc::result_out_of_range) {
    const double infinity = std::numeric_limits<double>::infinity();
    return negative_ ? -infinity : infinity;
  }
  return out;
}

bool Decimal::add(const Decimal& other) {
  if (other.limbs_.empty()) return true;
  if (limbs_.empty()) {
    *this = other;
    return true;
  }
  Decimal addend = other;
  const std::int64_t exponent = std::min(exponent_, addend.exponent_);
  Decimal sum = *this;
  if (!sum.lower_exponent(exponent) || !addend.lower_exponent(exponent)) return false;
  if (sum.negative_ == addend.negative_) {
    std::uint32_t carry = 0;
    for (std::size_t i = 0; i < std::max(sum.limbs_.size(), addend.limbs_.size()); ++i) {
      if (i == sum.limbs_.size()) sum.limbs_.push_back(0);
      const std::uint32_t total =
          sum.limbs_[i] + (i < addend.limbs_.size() ? addend.limbs_[i] : 0) + carry;
      sum.limbs_[i] = total % kLimbBase;
      carry = total / kLimbBase;
    }
    if (carry > 0) sum.limbs_.push_back(carry);
    if (sum.digit_count() > kMaxDigits) return false;
  } else {
    if (compare_limbs(sum.limbs_, addend.limbs_) < 0) std::swap(sum, addend);
    std::uint32_t borrow = 0;
    for (std::size_t i = 0; i < sum.limbs_.size(); ++i) {
      const std::uint32_t taken = (i < addend.limbs_.size() ? addend.limbs_[i] : 0) + borrow;
      borrow = sum.limbs_[i] < taken ? 1 : 0;
      sum.limbs_[i] += borrow * kLimbBase - taken;
    }
    sum.trim();
  }
  *this = std::move(sum);
  return true;
}

bool Decimal::multiply(std::uint32_t factor) {
  Limbs product = limbs_;
  std::uint64_t carry = 0;
  for (std::uint32_t& limb : product) {
    carry += std::uint64_t{limb} * factor;
    limb = static_cast<std::uint32_t>(carry % kLimbBase);
    carry /= kLimbBase;
  }
  for (; carry > 0; carry /= kLimbBase)
    product.push_back(static_cast<std::uint32_t>(carry % kLimbBase));
  std::swap(limbs_, product);
  trim();
  if (digit_count() <= kMaxDigits) return true;
  std::swap(limbs_, product);
  return false;
}

bool Decimal::lower_exponent(std::int64_t to) {
  if (to >= exponent_) return true;
  const auto by = static_cast<std::uint64_t>(exponent_) - static_cast<std::uint64_t>(to);
  if (!limbs_.empty() && (by > kMaxDigits || digit_count() + by > kMaxDigits)) return false;
  if (!limbs_.empty()) multiply_pow10(by);
  exponent_ = to;
  return true;
}

bool Decimal::round_up(std::int64_t to_exponent) {
  if (truncate(to_exponent)) return true;
  std::size_t i = 0;
  for (; i < limbs_.size() && limbs_[i] == kLimbBase - 1; ++i) limbs_[i] = 0;
  if (i == limbs_.size()) {
    limbs_.push_back(1);
  } else {
    ++limbs_[i];
  }
  return false;
}

bool Decimal::truncate(std::int64_t to_exponent) {
  if (to_exponent <= exponent_) return true;
  const auto by = static_cast<std::uint64_t>(to_exponent) - static_cast<std::uint64_t>(exponent_);
  exponent_ = to_exponent;
  return divide_pow10(by);
}

void Decimal::strip_zeros() {
  if (limbs_.empty()) return;
  std::uint64_t zeros = 0;
  std::size_t i = 0;
  for (; limbs_[i] == 0; ++i) zeros += kLimbDigits;
  for (std::uint32_t limb = limbs_[i]; limb % 10 == 0; limb /= 10) ++zeros;
  divide_pow10(zeros);
  exponent_ += static_cast<std::int64_t>(zeros);
}

bool Decimal::divide_exactly(std::uint32_t divisor) {
  Limbs quotient(limbs_.size());
  std::uint64_t rest = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    rest = rest * kLimbBase + limbs_[i];
    quotient[i] = static_cast<std::uint32_t>(rest / divisor);
    rest %= divisor;
  }
  if (rest != 0) return false;
  limbs_ = std::move(quotient);
  trim();
  return true;
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  if (a.sign() != b.sign() || a.sign() == 0) return a.sign() <=> b.sign();
  // Where the highest digit stands decides first, so that far exponents cost nothing.
  const std::int64_t a_top = static_cast<std::int64_t>(a.digit_count()) + a.exponent_;
  const std::int64_t b_top = static_cast<std::int64_t>(b.digit_count()) + b.exponent_;
  std::strong_ordering order = a_top <=> b_top;
  if (order == 0) {
    Decimal low = a.exponent_ < b.exponent_ ? a : b;
    Decimal high = a.exponent_ < b.exponent_ ? b : a;
    high.multiply_pow10(static_cast<std::uint64_t>(high.exponent_ - low.exponent_));
    order = Decimal::compare_limbs(low.limbs_, high.limbs_);
    if (a.exponent_ >= b.exponent_) order = 0 <=> order;
  }
  return a.negative_ ? 0 <=> order : order;
}

std::strong_ordering Decimal::compare_limbs(const Limbs& a, const Limbs& b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  for (std::size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] <=> b[i];
  }
  return std::strong_ordering::equal;
}

void Decimal::multiply_pow10(std::uint64_t power) {
  const std::uint32_t factor = kPowersOfTen[power % kLimbDigits];
  std::uint64_t carry = 0;
  for (std::uint32_t& limb : limbs_) {
    carry += std::uint64_t{limb} * factor;
    limb = static_cast<std::uint32_t>(carry % kLimbBase);
    carry /= kLimbBase;
  }
  if (carry > 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  limbs_.insert(limbs_.begin(), power / kLimbDigits, 0);
}

bool Decimal::divide_pow10(std::uint64_t power) {
  const std::uint64_t whole_limbs = power / kLimbDigits;
  if (whole_limbs >= limbs_.size()) {
    const bool was_zero = limbs_.empty();
    limbs_.clear();
    return was_zero;
  }
  const auto cut = limbs_.begin() + static_cast<std::ptrdiff_t>(whole_limbs);
  bool exact = std::all_of(limbs_.begin(), cut, [](std::uint32_t limb) { return limb == 0; });
  limbs_.erase(limbs_.begin(), cut);
  const std::uint32_t divisor = kPowersOfTen[power % kLimbDigits];
  std::uint64_t rest = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    rest = rest * kLimbBase + limbs_[i];
    limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
    rest %= divisor;
  }
  trim();
  return exact && rest == 0;
}

void Decimal::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

}  // namespace strake
