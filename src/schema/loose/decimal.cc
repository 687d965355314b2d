#include "schema/loose/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/number_format.h"
#include "value/json_writer.h"

// Exact decimal numbers of any length: digits without leading and trailing zeros, and a power of
// ten. That form is unique, so equality is equality of fields, and 1e400 or 0.1 lose nothing on the
// way through a double. Only comparison and divisibility are needed; both are linear in the digits.

namespace strake::schema::loose {
namespace {

// Exponents are clamped here: far beyond any that digits could make up for, and far from overflow.
constexpr std::int64_t kFarExponent = 1'000'000'000'000'000;

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

// a - b for digit strings with a >= b, both without leading zeros.
void subtract_digits(std::string& a, std::string_view b) {
  int borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    char& digit = a[a.size() - 1 - i];
    int value = digit - '0' - borrow - (i < b.size() ? b[b.size() - 1 - i] - '0' : 0);
    borrow = value < 0 ? 1 : 0;
    digit = static_cast<char>('0' + value + borrow * 10);
  }
  a.erase(0, std::min(a.find_first_not_of('0'), a.size()));
}

bool digits_at_least(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() > b.size() : a >= b;
}

// Long division, digit by digit.
void append_and_reduce(std::string& remainder, char digit, std::string_view divisor) {
  if (!remainder.empty() || digit != '0') remainder.push_back(digit);
  while (digits_at_least(remainder, divisor)) subtract_digits(remainder, divisor);
}

}  // namespace

Decimal Decimal::parse(std::string_view literal) {
  Decimal out;
  if (literal.starts_with('-')) {
    out.negative_ = true;
    literal.remove_prefix(1);
  }
  std::int64_t after_point = 0;
  bool point = false;
  std::size_t i = 0;
  for (; i < literal.size(); ++i) {
    if (literal[i] == '.') {
      point = true;
    } else if (is_decimal_digit(literal[i])) {
      out.digits_.push_back(literal[i]);
      after_point += point ? 1 : 0;
    } else {
      break;
    }
  }
  std::int64_t exponent = 0;
  if (i < literal.size() && (literal[i] == 'e' || literal[i] == 'E')) {
    ++i;
    bool below = false;
    if (i < literal.size() && (literal[i] == '+' || literal[i] == '-')) below = literal[i++] == '-';
    for (; i < literal.size() && is_decimal_digit(literal[i]); ++i) {
      exponent = std::min(exponent * 10 + (literal[i] - '0'), kFarExponent);
    }
    if (below) exponent = -exponent;
  }
  out.exponent_ = exponent - after_point;
  out.digits_.erase(0, std::min(out.digits_.find_first_not_of('0'), out.digits_.size()));
  while (out.digits_.ends_with('0')) {
    out.digits_.pop_back();
    ++out.exponent_;
  }
  if (out.digits_.empty()) {
    out.exponent_ = 0;
    out.negative_ = false;
  }
  return out;
}

Decimal Decimal::of(const value::Value& number) {
  switch (number.type()) {
    case value::Type::kLiteral: return parse(number.as_string());
    case value::Type::kInt: return parse(std::to_string(number.as_int()));
    case value::Type::kUint: return parse(std::to_string(number.as_uint()));
    default: {
      if (!std::isfinite(number.as_double())) return {};
      return parse(format_json_number(number.as_double()));
    }
  }
}

bool Decimal::is_multiple_of(const Decimal& divisor) const {
  if (is_zero()) return true;
  // Our last digit is not zero, so a divisor that ends at a higher place cannot go in.
  if (divisor.exponent_ > exponent_) return false;
  // Each further zero can only cancel another 2 and 5 of the divisor, and it has less than 4 of
  // them a digit: more zeros than that change nothing.
  const auto most = static_cast<std::int64_t>(divisor.digits_.size()) * 4 + 4;
  const std::int64_t zeros = std::min(exponent_ - divisor.exponent_, most);
  if (divisor.digits_.size() <= 18) {
    const std::uint64_t modulus = std::stoull(divisor.digits_);
    unsigned __int128 remainder = 0;
    for (const char c : digits_)
      remainder = (remainder * 10 + static_cast<unsigned>(c - '0')) % modulus;
    for (std::int64_t i = 0; i < zeros; ++i) remainder = remainder * 10 % modulus;
    return remainder == 0;
  }
  std::string remainder;
  for (const char c : digits_) append_and_reduce(remainder, c, divisor.digits_);
  for (std::int64_t i = 0; i < zeros; ++i) append_and_reduce(remainder, '0', divisor.digits_);
  return remainder.empty();
}

std::string Decimal::key() const {
  if (is_zero()) return "0";
  std::string out = negative_ ? "-" : "";
  out += digits_;
  if (exponent_ != 0) out += "e" + std::to_string(exponent_);
  return out;
}

std::optional<std::int64_t> Decimal::to_int64() const {
  if (!is_integer() || exponent_ + static_cast<std::int64_t>(digits_.size()) > 19)
    return std::nullopt;
  std::string text = negative_ ? "-" : "";
  text += digits_.empty() ? "0" : digits_;
  text.append(static_cast<std::size_t>(exponent_), '0');
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc()) return std::nullopt;
  return out;
}

int compare(const Decimal& a, const Decimal& b) {
  if (a.is_zero() || b.is_zero() || a.negative_ != b.negative_) {
    const int sign_a = a.is_zero() ? 0 : (a.negative_ ? -1 : 1);
    const int sign_b = b.is_zero() ? 0 : (b.negative_ ? -1 : 1);
    return sign_a - sign_b;
  }
  const std::int64_t top_a = a.exponent_ + static_cast<std::int64_t>(a.digits_.size());
  const std::int64_t top_b = b.exponent_ + static_cast<std::int64_t>(b.digits_.size());
  int size = 0;
  if (top_a != top_b) {
    size = top_a < top_b ? -1 : 1;
  } else {
    size = a.digits_.compare(b.digits_);  // both start at the same place, and none ends in zeros
  }
  return a.negative_ ? -size : size;
}

value::Value as_float64(const value::Value& v) {
  if (!v.is_number() || v.type() == value::Type::kDouble) return v;
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (v.type() == value::Type::kInt && v.as_int() < kExact && v.as_int() > -kExact) return v;
  return value::Value::number(v.as_double());
}

void round_to_float64(value::Value& v) {
  std::vector<value::Value*> left{&v};  // nesting takes no native stack
  while (!left.empty()) {
    value::Value& here = *left.back();
    left.pop_back();
    if (here.is_object()) {
      for (value::Member& member : here.mutable_members()) left.push_back(&member.value);
    } else if (here.is_array()) {
      for (value::Value& item : here.mutable_items()) left.push_back(&item);
    } else {
      here = as_float64(here);
    }
  }
}

Number Number::of(const value::Value& number) {
  Number out;
  out.exact = Decimal::of(number);
  out.approximate = number.as_double();
  out.text = value::to_json(number);
  out.integer = out.exact.to_int64();
  return out;
}

}  // namespace strake::schema::loose
