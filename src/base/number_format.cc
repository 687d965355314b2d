#include "base/number_format.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace strake {
namespace {

// The fewest digits of a finite number, and where its point is: 0.d1d2d3... * 10^point.
class ShortestDigits {
 public:
  explicit ShortestDigits(double number) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::fabs(number),
                                   std::chars_format::scientific)
                         .ptr;
    const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
    const std::size_t e = text.find('e');
    for (const char c : text.substr(0, e)) {
      if (c != '.') digits_[size_++] = c;
    }
    int exponent = 0;
    const char* from = buffer + e + (text[e + 1] == '+' ? 2 : 1);
    std::from_chars(from, end, exponent);
    point_ = exponent + 1;
  }

  std::string_view digits() const { return {digits_, size_}; }
  int exponent() const { return point_ - 1; }  // of the form d.ddd * 10^exponent

  void append_plain(std::string& out) const {
    const auto size = static_cast<int>(size_);
    if (point_ <= 0) {
      out += "0.";
      out.append(static_cast<std::size_t>(-point_), '0');
      out += digits();
    } else if (point_ >= size) {
      out += digits();
      out.append(static_cast<std::size_t>(point_ - size), '0');
    } else {
      out += digits().substr(0, static_cast<std::size_t>(point_));
      out += '.';
      out += digits().substr(static_cast<std::size_t>(point_));
    }
  }

  void append_scientific(std::string& out, int least_exponent_digits) const {
    out += digits_[0];
    if (size_ > 1) {
      out += '.';
      out += digits().substr(1);
    }
    const int size = std::abs(exponent());
    out += exponent() < 0 ? "e-" : "e+";
    if (size < 10 && least_exponent_digits == 2) out += '0';
    char buffer[8];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, size).ptr);
  }

 private:
  char digits_[24];
  std::size_t size_ = 0;
  int point_ = 0;
};

}  // namespace

std::string format_go_g(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  std::string out;
  if (std::signbit(number)) out += '-';
  if (number == 0) return out += '0';
  const ShortestDigits digits(number);
  if (digits.exponent() < -4 || digits.exponent() >= 6) {
    digits.append_scientific(out, 2);
  } else {
    digits.append_plain(out);
  }
  return out;
}

void append_json_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += format_go_g(number);
    return;
  }
  // Whole numbers of this size are exact, and by far the most common.
  if (std::fabs(number) < 1e15 && number == std::trunc(number) &&
      !(number == 0 && std::signbit(number))) {
    char buffer[24];
    out.append(
        buffer,
        std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::int64_t>(number)).ptr);
    return;
  }
  if (std::signbit(number)) out += '-';
  if (number == 0) {
    out += '0';
    return;
  }
  const ShortestDigits digits(number);
  if (std::fabs(number) < 1e-6 || std::fabs(number) >= 1e21) {
    // Go drops one zero in front of a negative exponent; a positive one has two digits from 1e21 on
    // anyway.
    digits.append_scientific(out, 1);
  } else {
    digits.append_plain(out);
  }
}

std::string format_json_number(double number) {
  std::string out;
  append_json_number(out, number);
  return out;
}

}  // namespace strake
