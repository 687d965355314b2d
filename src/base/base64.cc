#include "base/base64.h"

#include <array>
#include <cstddef>

namespace strake {
namespace {

using Digits = std::string_view;
constexpr Digits kStandardDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr Digits kUrlDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint8_t kNoDigit = 0xff;

using DigitValues = std::array<std::uint8_t, 256>;

constexpr DigitValues values_of(Digits digits) {
  DigitValues values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}

constexpr DigitValues kStandardValues = values_of(kStandardDigits);
constexpr DigitValues kUrlValues = values_of(kUrlDigits);

bool is_url(Base64 form) { return form == Base64::kUrl || form == Base64::kUrlRaw; }
bool is_padded(Base64 form) { return form == Base64::kStandard || form == Base64::kUrl; }
bool is_line_break(char c) { return c == '\n' || c == '\r'; }

class Base64Decoder {
 public:
  Base64Decoder(std::string_view text, Base64 form)
      : text_(text),
        values_(is_url(form) ? kUrlValues : kStandardValues),
        padded_(is_padded(form)) {}

  Result<std::string> run() {
    out_.resize(text_.size() / 4 * 3 + 3);  // never too little: four digits make three bytes
    while (at_ < text_.size()) {
      if (take_four_digits()) continue;
      STRAKE_CHECK(take_group());
    }
    out_.resize(written_);
    return std::move(out_);
  }

 private:
  static std::unexpected<Error> illegal(std::size_t at) {
    return fail(Code::kParse, "illegal base64 data at input byte {}", at);
  }

  std::uint32_t value_at(std::size_t at) const {
    return values_[static_cast<unsigned char>(text_[at])];
  }

  void skip_line_breaks() {
    while (at_ < text_.size() && is_line_break(text_[at_])) ++at_;
  }

  void put(std::uint32_t group, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i)
      out_[written_ + i] = static_cast<char>(group >> (16 - 8 * i) & 0xff);
    written_ += bytes;
  }

  bool take_four_digits() {
    if (text_.size() - at_ < 4) return false;
    const std::uint32_t a = value_at(at_), b = value_at(at_ + 1), c = value_at(at_ + 2),
                        d = value_at(at_ + 3);
    if ((a | b | c | d) == kNoDigit) return false;
    put(a << 18 | b << 12 | c << 6 | d, 3);
    at_ += 4;
    return true;
  }

  // Takes up to four digits among line breaks, and the padding. The error offsets are Go's, also
  // where it steps back by the number of digits without counting line breaks.
  Result<> take_group() {
    std::uint32_t group = 0;
    std::size_t digits = 0;
    while (digits < 4) {
      if (at_ == text_.size()) {
        if (digits == 0) return {};
        if (digits == 1 || padded_) return illegal(at_ - digits);
        break;
      }
      const char c = text_[at_];
      const std::uint32_t value = value_at(at_);
      ++at_;
      if (value != kNoDigit) {
        group |= value << (18 - 6 * digits);
        ++digits;
        continue;
      }
      if (is_line_break(c)) continue;
      if (!padded_ || c != '=' || digits < 2) return illegal(at_ - 1);
      STRAKE_CHECK(take_padding(digits));
      break;
    }
    put(group, digits - 1);
    return {};
  }

  // Behind the first '=': the second one where two are due, then nothing more.
  Result<> take_padding(std::size_t digits) {
    if (digits == 2) {
      skip_line_breaks();
      if (at_ == text_.size()) return illegal(at_);
      if (text_[at_] != '=') return illegal(at_ - 1);
      ++at_;
    }
    skip_line_breaks();
    if (at_ < text_.size()) return illegal(at_);
    return {};
  }

  std::string_view text_;
  const DigitValues& values_;
  bool padded_;
  std::size_t at_ = 0;
  std::string out_;
  std::size_t written_ = 0;
};

}  // namespace

std::string base64_encode(std::string_view bytes, Base64 form) {
  const Digits digits = is_url(form) ? kUrlDigits : kStandardDigits;
  std::string out(bytes.size() / 3 * 4, '\0');
  auto byte = [bytes](std::size_t at) -> std::uint32_t {
    return static_cast<unsigned char>(bytes[at]);
  };
  std::size_t i = 0;
  char* to = out.data();
  for (; i + 3 <= bytes.size(); i += 3, to += 4) {
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    to[0] = digits[group >> 18];
    to[1] = digits[group >> 12 & 63];
    to[2] = digits[group >> 6 & 63];
    to[3] = digits[group & 63];
  }
  const std::size_t left = bytes.size() - i;
  if (left > 0) {
    const std::uint32_t group = byte(i) << 16 | (left == 2 ? byte(i + 1) << 8 : 0);
    out += digits[group >> 18];
    out += digits[group >> 12 & 63];
    if (left == 2) out += digits[group >> 6 & 63];
    if (is_padded(form)) out.append(3 - left, '=');
  }
  return out;
}

Result<std::string> base64_decode(std::string_view text, Base64 form) {
  return Base64Decoder(text, form).run();
}

}  // namespace strake
