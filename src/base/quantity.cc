#include "base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

// An amount is value_ * 10^scale_ in 64 bits, or a Decimal (big_) when it may not fit. apimachinery
// 1.36 has the same two forms, and which of them an amount has shows: arithmetic on the large one
// wraps where the small one gives zero, and only the large one is rounded up to billionths. So
// parse() does not ask what fits: it counts digits by the rules of thumb of apimachinery, and
// everything after it asks for the form.
//
// Binary suffixes are multiplied out while reading; both forms are decimal. canonical() finds the
// suffix again: the largest that leaves a whole number. text_ is what was written, kept only where
// it is canonical already, so that most quantities are never formatted.

namespace strake {
namespace {

constexpr std::int32_t kNano = -9;
constexpr std::int64_t kLeastInt64 = std::numeric_limits<std::int64_t>::min();

std::unexpected<Error> wrong_format() {
  return fail(Code::kParse,
              "quantities must match the regular expression "
              "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}
std::unexpected<Error> wrong_number() {
  return fail(Code::kParse, "unable to parse numeric part of quantity");
}
std::unexpected<Error> wrong_suffix() {
  return fail(Code::kParse, "unable to parse quantity's suffix");
}
std::unexpected<Error> too_many_digits() {
  return fail(Code::kLimit, "quantity needs more than {} digits", Decimal::kMaxDigits);
}

struct QuantityParts {
  bool negative = false;
  std::string_view written;   // sign, digits and point, as in the text
  std::string_view whole;     // digits before the point without zeros in front, at least "0"
  std::string_view fraction;  // digits behind the point
  std::string_view suffix;
};

// Splits a text more leniently than its regular expression says: no digits at all is zero.
std::optional<QuantityParts> split_quantity(std::string_view text) {
  QuantityParts parts;
  std::size_t at = 0;
  auto skip_any_of = [&](std::string_view set) {
    const std::size_t start = at;
    at = std::min(text.find_first_not_of(set, at), text.size());
    return text.substr(start, at - start);
  };
  constexpr std::string_view kDigits = "0123456789";
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) parts.negative = text[at++] == '-';
  skip_any_of("0");
  if (at == text.size()) {
    parts.written = parts.whole = "0";
    return parts;
  }
  parts.whole = skip_any_of(kDigits);
  if (parts.whole.empty()) parts.whole = "0";
  if (at < text.size() && text[at] == '.') {
    ++at;
    parts.fraction = skip_any_of(kDigits);
  }
  parts.written = text.substr(0, at);
  const std::size_t suffix_start = at;
  skip_any_of("eEinumkKMGTP");
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  skip_any_of(kDigits);
  if (at < text.size()) return std::nullopt;
  parts.suffix = text.substr(suffix_start);
  return parts;
}

struct QuantitySuffix {
  std::string_view text;
  Quantity::Format format;
  std::int32_t exponent;  // of 10, or of 2 for the binary ones
};

constexpr QuantitySuffix kSuffixes[] = {
    {"n", Quantity::Format::kDecimalSi, -9}, {"u", Quantity::Format::kDecimalSi, -6},
    {"m", Quantity::Format::kDecimalSi, -3}, {"", Quantity::Format::kDecimalSi, 0},
    {"k", Quantity::Format::kDecimalSi, 3},  {"M", Quantity::Format::kDecimalSi, 6},
    {"G", Quantity::Format::kDecimalSi, 9},  {"T", Quantity::Format::kDecimalSi, 12},
    {"P", Quantity::Format::kDecimalSi, 15}, {"E", Quantity::Format::kDecimalSi, 18},
    {"Ki", Quantity::Format::kBinarySi, 10}, {"Mi", Quantity::Format::kBinarySi, 20},
    {"Gi", Quantity::Format::kBinarySi, 30}, {"Ti", Quantity::Format::kBinarySi, 40},
    {"Pi", Quantity::Format::kBinarySi, 50}, {"Ei", Quantity::Format::kBinarySi, 60},
};

std::optional<QuantitySuffix> read_suffix(std::string_view text) {
  for (const QuantitySuffix& suffix : kSuffixes) {
    if (suffix.text == text) return suffix;
  }
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  std::string_view number = text.substr(1);
  if (number[0] == '+') number.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), exponent);
  if (error != std::errc() || end != number.data() + number.size() || number.empty())
    return std::nullopt;
  if (text[1] == '+' && number[0] == '-') return std::nullopt;
  // apimachinery 1.36 keeps the lower half of the 64 bits it has read.
  return QuantitySuffix{text, Quantity::Format::kDecimalExponent,
                        static_cast<std::int32_t>(exponent)};
}

// value * 10^power, or nothing when that leaves 64 bits. The smallest int64 counts as outside.
std::optional<std::int64_t> times_pow10(std::int64_t value, std::int64_t power) {
  if (value == 0 || power == 0) return value;
  if (value == kLeastInt64 || power > 18) return std::nullopt;
  for (; power > 0; --power) {
    if (__builtin_mul_overflow(value, 10, &value)) return std::nullopt;
  }
  return value;
}

// value / 10^power, rounded away from zero.
std::int64_t divided_by_pow10(std::int64_t value, std::int64_t power) {
  bool rest = false;
  const int sign = value < 0 ? -1 : 1;
  for (; power > 0 && value != 0; --power) {
    rest = rest || value % 10 != 0;
    value /= 10;
  }
  return rest ? value + sign : value;
}

// math.Pow10 of Go: a product of two table entries, whose rounding shows in the last digit.
double go_pow10(std::int64_t n) {
  static constexpr double kSmall[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23,
                                      1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31};
  static constexpr double kLarge[] = {1e0,   1e32,  1e64,  1e96,  1e128,
                                      1e160, 1e192, 1e224, 1e256, 1e288};
  static constexpr double kTiny[] = {1e0,    1e-32,  1e-64,  1e-96,  1e-128, 1e-160,
                                     1e-192, 1e-224, 1e-256, 1e-288, 1e-320};
  if (n > 308) return std::numeric_limits<double>::infinity();
  if (n < -323) return 0;
  if (n >= 0) return kLarge[n / 32] * kSmall[n % 32];
  return kTiny[-n / 32] / kSmall[-n % 32];
}

std::int64_t times_pow10_wrapping(std::int64_t value, std::int64_t power) {
  // Past 10^18 apimachinery 1.36 multiplies by what its float conversion gives, the smallest int64.
  std::uint64_t factor = std::uint64_t{1} << 63;
  if (power <= 18) {
    factor = 1;
    for (; power > 0; --power) factor *= 10;
  }
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * factor);
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  if (text.empty()) return wrong_format();
  const std::optional<QuantityParts> parts = split_quantity(text);
  if (!parts) return wrong_format();
  const std::optional<QuantitySuffix> suffix = read_suffix(parts->suffix);
  if (!suffix) return wrong_suffix();

  Quantity out;
  out.format_ = suffix->format;
  const bool binary = suffix->format == Format::kBinarySi;
  const std::size_t digits = parts->whole.size() + parts->fraction.size();
  const std::int64_t scale = (binary ? 0 : std::int64_t{suffix->exponent}) -
                             static_cast<std::int64_t>(parts->fraction.size());

  // What surely fits 64 bits, by the rules of thumb of apimachinery 1.36: they decide what counts
  // as an integer.
  const bool small = binary ? parts->fraction.empty() &&
                                  digits + static_cast<std::size_t>(suffix->exponent * 3 / 10) < 15
                            : digits <= 18;
  if (small && scale >= kNano) {
    const std::string shifted = fmt::format("{}{}", parts->whole, parts->fraction);
    std::int64_t number = 0;
    for (const char c : shifted) number = number * 10 + (c - '0');
    out.value_ = binary ? number * (std::int64_t{1} << suffix->exponent) : number;
    if (parts->negative) out.value_ = -out.value_;
    out.scale_ = static_cast<std::int32_t>(scale);
    const bool canonical_text =
        binary ? (number & 7) != 0
               : scale % 3 == 0 && !shifted.ends_with("000") && shifted[0] != '0';
    if (canonical_text) out.text_ = text;
    return out;
  }

  if (parts->written.find_first_of("0123456789") == std::string_view::npos) return wrong_number();
  std::optional<Decimal> amount =
      Decimal::from_digits(fmt::format("{}{}", parts->whole, parts->fraction), scale);
  if (!amount) return too_many_digits();
  if (binary) {
    for (std::int32_t i = 0; i < suffix->exponent; i += 10) {
      if (!amount->multiply(1024)) return too_many_digits();
    }
  }
  // apimachinery 1.36 brings every such amount to billionths, up or down.
  if (amount->sign() != 0) {
    amount->round_up(kNano);
    if (!amount->lower_exponent(kNano)) return too_many_digits();
  }
  if (binary) {
    const Decimal largest(std::numeric_limits<std::int64_t>::max());
    if (*amount > largest) amount = largest;
    if (amount->sign() != 0 && *amount < Decimal(1)) out.format_ = Format::kDecimalSi;
  }
  if (parts->negative) amount->negate();
  out.big_ = std::move(amount);
  return out;
}

std::string Quantity::to_string() const { return text_.empty() ? canonical() : text_; }

std::string Quantity::canonical() const {
  if (is_zero()) return "0";
  if (format_ != Format::kBinarySi) return canonical_decimal(format_);
  Decimal whole = as_decimal();
  const bool small = whole > Decimal(-1024) && whole < Decimal(1024);
  if (small || !whole.round_up(0) || !whole.lower_exponent(0))
    return canonical_decimal(Format::kDecimalSi);
  return canonical_binary(std::move(whole));
}

std::string Quantity::canonical_decimal(Format format) const {
  Decimal amount = as_decimal();
  amount.strip_zeros();
  std::int64_t exponent = amount.exponent();
  std::string out = amount.coefficient_text();
  const std::int64_t over = (exponent % 3 + 3) % 3;
  out.append(static_cast<std::size_t>(over), '0');
  exponent -= over;
  if (format == Format::kDecimalExponent)
    return exponent == 0 ? out : fmt::format("{}e{}", out, exponent);
  constexpr std::int64_t kLargestSuffix = 18;
  if (exponent > kLargestSuffix && exponent < static_cast<std::int64_t>(Decimal::kMaxDigits)) {
    out.append(static_cast<std::size_t>(exponent - kLargestSuffix), '0');
    exponent = kLargestSuffix;
  }
  for (const QuantitySuffix& suffix : kSuffixes) {
    if (suffix.format == Format::kDecimalSi && suffix.exponent == exponent)
      return out += suffix.text;
  }
  return fmt::format("{}e{}", out, exponent);  // outside of all suffixes, which parse never makes
}

std::string Quantity::canonical_binary(Decimal whole) {
  constexpr std::string_view kBinarySuffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  std::size_t times = 0;
  while (times < 6 && whole.divide_exactly(1024)) ++times;
  return whole.coefficient_text().append(kBinarySuffixes[times]);
}

int Quantity::sign() const {
  if (big_) return big_->sign();
  return value_ < 0 ? -1 : value_ > 0 ? 1 : 0;
}

Result<> Quantity::add(const Quantity& other) {
  Quantity sum = *this;
  if (is_zero()) sum.format_ = other.format_;
  sum.text_.clear();
  if (!big_ && !other.big_) {
    if (other.value_ == 0) {
      *this = std::move(sum);
      return {};
    }
    if (value_ == 0) {
      sum.value_ = other.value_;
      sum.scale_ = other.scale_;
      *this = std::move(sum);
      return {};
    }
    const std::int32_t scale = std::min(scale_, other.scale_);
    const auto a = times_pow10(value_, std::int64_t{scale_} - scale);
    const auto b = times_pow10(other.value_, std::int64_t{other.scale_} - scale);
    if (a && b && !__builtin_add_overflow(*a, *b, &sum.value_)) {
      sum.scale_ = scale;
      *this = std::move(sum);
      return {};
    }
  }
  sum.big_ = as_decimal();
  if (!sum.big_->add(other.as_decimal())) return too_many_digits();
  sum.value_ = 0;
  sum.scale_ = 0;
  *this = std::move(sum);
  return {};
}

Result<> Quantity::subtract(const Quantity& other) {
  Quantity negative = other;
  negative.negate();
  return add(negative);
}

void Quantity::negate() {
  text_.clear();
  if (!big_ && value_ == kLeastInt64) big_ = as_decimal();
  if (big_) {
    big_->negate();
  } else {
    value_ = -value_;
  }
}

std::optional<std::int64_t> Quantity::as_int64() const {
  if (big_ || scale_ < 0) return std::nullopt;
  return times_pow10(value_, scale_);
}

std::int64_t Quantity::scaled_value(std::int32_t scale) const {
  if (!big_) {
    const std::int64_t up = std::int64_t{scale_} - scale;
    if (up < 0) return divided_by_pow10(value_, -up);
    return times_pow10(value_, up).value_or(0);
  }
  const std::int64_t up = big_->exponent() - scale;
  if (up >= 0) return times_pow10_wrapping(big_->coefficient_low64(), up);
  Decimal cut = *big_;
  // apimachinery 1.36 adds one to whatever has a rest, also below zero.
  const bool exact = cut.truncate(scale);
  const auto whole = static_cast<std::uint64_t>(cut.coefficient_low64());
  return static_cast<std::int64_t>(exact ? whole : whole + 1);
}

double Quantity::as_approximate_double() const {
  const double base = big_ ? big_->coefficient_double() : static_cast<double>(value_);
  const std::int64_t exponent = big_ ? big_->exponent() : scale_;
  return exponent == 0 ? base : base * go_pow10(exponent);
}

std::strong_ordering operator<=>(const Quantity& a, const Quantity& b) {
  if (!a.big_ && !b.big_) {
    const std::int64_t scale = std::min(a.scale_, b.scale_);
    const auto x = times_pow10(a.value_, a.scale_ - scale);
    const auto y = times_pow10(b.value_, b.scale_ - scale);
    if (x && y) return *x <=> *y;
  }
  return a.as_decimal() <=> b.as_decimal();
}

}  // namespace strake
