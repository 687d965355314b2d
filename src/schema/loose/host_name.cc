// Host names: plain labels, A-labels (Punycode) and U-labels by the rules of IDNA 2008 (RFC 5891 to
// 5893).
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "schema/loose/formats.h"
#include "schema/pattern/pattern.h"

namespace strake::schema::loose {
namespace {

bool is_plain_label_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

// RFC 3492. False when the text is no Punycode. The constants are those of section 5: base 36, tmin
// 1, tmax 26, skew 38, damp 700, initial bias 72, initial n 128. Quadratic in the size of the
// label, which a host name bounds.
bool decode_punycode(std::string_view text, std::u32string& out) {
  constexpr std::uint32_t kBase = 36;
  std::uint32_t n = 128;
  std::uint32_t i = 0;
  std::uint32_t bias = 72;
  bool first = true;
  if (const std::size_t dash = text.rfind('-'); dash != std::string_view::npos) {
    for (const char c : text.substr(0, dash)) out.push_back(static_cast<unsigned char>(c));
    text.remove_prefix(dash + 1);
  }
  while (!text.empty()) {
    const std::uint32_t old = i;
    std::uint32_t weight = 1;
    for (std::uint32_t k = kBase;; k += kBase) {
      if (text.empty()) return false;
      const char c = text.front();
      text.remove_prefix(1);
      std::uint32_t digit = 0;
      if (c >= 'a' && c <= 'z') {
        digit = static_cast<std::uint32_t>(c - 'a');
      } else if (c >= 'A' && c <= 'Z') {
        digit = static_cast<std::uint32_t>(c - 'A');
      } else if (c >= '0' && c <= '9') {
        digit = static_cast<std::uint32_t>(c - '0') + 26;
      } else {
        return false;
      }
      if (digit > (UINT32_MAX - i) / weight) return false;
      i += digit * weight;
      const std::uint32_t t = k <= bias ? 1 : (k >= bias + 26 ? 26 : k - bias);
      if (digit < t) break;
      if (weight > UINT32_MAX / (kBase - t)) return false;
      weight *= kBase - t;
    }
    const auto length = static_cast<std::uint32_t>(out.size()) + 1;
    // Bias adaptation, RFC 3492, 6.1.
    std::uint32_t delta = first ? (i - old) / 700 : (i - old) / 2;
    first = false;
    delta += delta / length;
    std::uint32_t k = 0;
    for (; delta > 35 * 26 / 2; k += kBase) delta /= 35;
    bias = k + 36 * delta / (delta + 38);
    if (i / length > utf8::kLargest - n) return false;
    n += i / length;
    i %= length;
    out.insert(out.begin() + i, n);
    ++i;
  }
  return true;
}

// The other way round.
std::string encode_punycode(const std::u32string& text) {
  constexpr std::uint32_t kBase = 36;
  std::string out;
  for (const char32_t c : text) {
    if (c < 0x80) out.push_back(static_cast<char>(c));
  }
  const auto basic = static_cast<std::uint32_t>(out.size());
  std::uint32_t done = basic;
  if (basic > 0) out.push_back('-');
  std::uint32_t n = 128;
  std::uint64_t delta = 0;
  std::uint32_t bias = 72;
  while (done < text.size()) {
    char32_t next = utf8::kLargest;
    for (const char32_t c : text) {
      if (c >= n) next = std::min(next, c);
    }
    delta += static_cast<std::uint64_t>(next - n) * (done + 1);
    n = next;
    for (const char32_t c : text) {
      if (c < n) ++delta;
      if (c != n) continue;
      std::uint64_t q = delta;
      for (std::uint32_t k = kBase;; k += kBase) {
        const std::uint32_t t = k <= bias ? 1 : (k >= bias + 26 ? 26 : k - bias);
        const std::uint64_t digit = q < t ? q : t + (q - t) % (kBase - t);
        out.push_back(static_cast<char>(digit < 26 ? 'a' + digit : '0' + (digit - 26)));
        if (q < t) break;
        q = (q - t) / (kBase - t);
      }
      // Bias adaptation, RFC 3492, 6.1.
      std::uint64_t scaled = done == basic ? delta / 700 : delta / 2;
      scaled += scaled / (done + 1);
      std::uint32_t k = 0;
      for (; scaled > 35 * 26 / 2; k += kBase) scaled /= 35;
      bias = k + static_cast<std::uint32_t>(36 * scaled / (scaled + 38));
      delta = 0;
      ++done;
    }
    ++delta;
    ++n;
  }
  return out;
}

bool in_class(const Pattern& pattern, char32_t c) { return pattern.search(utf8::encode(c)); }

bool is_virama(char32_t c) {
  static constexpr std::array<char32_t, 24> kViramas{
      0x94D, 0x9CD, 0xA4D, 0xACD,  0xB4D,  0xBCD,  0xC4D,  0xCCD,  0xD3B,  0xD3C,  0xD4D,  0xDCA,
      0xE3A, 0xEBA, 0xF84, 0x1039, 0x1714, 0x1734, 0x17D2, 0x1A60, 0x1B44, 0x1BAA, 0xA806, 0xA8C4};
  return std::ranges::find(kViramas, c) != kViramas.end();
}

// Characters that are allowed only in certain company.
bool context_holds(const std::u32string& label, std::size_t i) {
  static const Pattern kGreek("^\\p{Greek}$");
  static const Pattern kHebrew("^\\p{Hebrew}$");
  static const Pattern kJapanese("^[\\p{Hiragana}\\p{Katakana}\\p{Han}]$");
  const auto at = [&](std::size_t j) { return j < label.size() ? label[j] : U'\0'; };
  switch (label[i]) {
    case 0xB7: return i > 0 && at(i - 1) == 'l' && at(i + 1) == 'l';
    case 0x375: return at(i + 1) != 0 && in_class(kGreek, at(i + 1));
    case 0x5F3:
    case 0x5F4: return i > 0 && in_class(kHebrew, at(i - 1));
    case 0x30FB:
      return std::ranges::any_of(label,
                                 [&](char32_t c) { return c != 0x30FB && in_class(kJapanese, c); });
    case 0x200D: return i > 0 && is_virama(at(i - 1));
    case 0x200C: {
      if (i > 0 && is_virama(at(i - 1))) return true;
      // Between letters that join: those of Arabic and its relatives.
      static const Pattern kJoining("^[\\p{Arabic}\\p{Syriac}\\p{Nko}\\p{Mongolian}\\p{Mandaic}]$");
      return i > 0 && at(i + 1) != 0 && in_class(kJoining, at(i - 1)) &&
             in_class(kJoining, at(i + 1));
    }
    default: break;
  }
  const auto arabic = [](char32_t c) { return c >= 0x660 && c <= 0x669; };
  const auto extended = [](char32_t c) { return c >= 0x6F0 && c <= 0x6F9; };
  if (arabic(label[i])) return std::ranges::none_of(label, extended);
  if (extended(label[i])) return std::ranges::none_of(label, arabic);
  return true;
}

bool is_allowed_beyond_ascii(char32_t c) {
  // Exceptions of RFC 5892, then its general rule: lower-case and uncased letters, digits and
  // marks.
  static constexpr std::array<char32_t, 13> kValid{
      0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007, 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x200C, 0x200D};
  static constexpr std::array<char32_t, 10> kInvalid{0x640,  0x7FA,  0x302E, 0x302F, 0x3031,
                                                     0x3032, 0x3033, 0x3034, 0x3035, 0x303B};
  if (std::ranges::find(kValid, c) != kValid.end()) return true;
  if (std::ranges::find(kInvalid, c) != kInvalid.end()) return false;
  // Full-width and other compatibility forms would change when normalised.
  if ((c >= 0xFB00 && c <= 0xFDFF) || (c >= 0xFE30 && c <= 0xFFEF)) return false;
  static const Pattern kGeneral("^[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Mn}\\p{Mc}\\p{Nd}]$");
  return in_class(kGeneral, c);
}

bool is_u_label(const std::u32string& label) {
  static const Pattern kMark("^\\p{M}$");
  if (label.empty() || label.front() == '-' || label.back() == '-' ||
      in_class(kMark, label.front()))
    return false;
  if (label.size() >= 4 && label[2] == '-' && label[3] == '-') return false;
  for (std::size_t i = 0; i < label.size(); ++i) {
    const char32_t c = label[i];
    if (c < 0x80 ? !is_plain_label_byte(static_cast<char>(c)) : !is_allowed_beyond_ascii(c))
      return false;
    if (c >= 0x80 && !context_holds(label, i)) return false;
  }
  return true;
}

// One label: false when it is none. What it stands for is added to `decoded`, its length as an
// A-label to `length`.
bool read_label(const std::u32string& label, bool international,
                std::vector<std::u32string>& decoded, std::size_t& length) {
  if (label.empty() || label.size() > 63) return false;
  const bool ascii = std::ranges::all_of(label, [](char32_t c) { return c < 0x80; });
  if (!ascii) {
    const std::size_t size = encode_punycode(label).size() + 4;
    length += size;
    decoded.push_back(label);
    return international && size <= 63 && is_u_label(label);
  }
  std::string text;
  for (const char32_t c : label) text.push_back(static_cast<char>(c));
  length += text.size();
  if (!std::ranges::all_of(text, is_plain_label_byte) || text.front() == '-' || text.back() == '-')
    return false;
  if (text.size() < 4 || text[2] != '-' || text[3] != '-') {
    decoded.push_back(label);
    return true;
  }
  if ((text[0] | 32) != 'x' || (text[1] | 32) != 'n') return false;
  std::u32string meant;
  std::string code = text.substr(4);
  if (!decode_punycode(code, meant) || !is_u_label(meant)) return false;
  std::ranges::transform(code, code.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  if (encode_punycode(meant) != code) return false;  // every name has one spelling
  decoded.push_back(std::move(meant));
  return std::ranges::any_of(decoded.back(), [](char32_t c) { return c >= 0x80; });
}

enum class Direction : std::uint8_t { kLeft, kRight, kArabicDigit, kDigit, kMark, kNeutral };

Direction direction_of(char32_t c) {
  if ((c >= '0' && c <= '9') || (c >= 0x6F0 && c <= 0x6F9)) return Direction::kDigit;
  if (c >= 0x660 && c <= 0x669) return Direction::kArabicDigit;
  if (c < 0x80) return c == '-' ? Direction::kNeutral : Direction::kLeft;
  if (c == 0x200C || c == 0x200D) return Direction::kMark;
  static const Pattern kMark("^\\p{Mn}$");
  static const Pattern kRight(
      "^[\\p{Hebrew}\\p{Arabic}\\p{Syriac}\\p{Thaana}\\p{Nko}\\p{Samaritan}\\p{Mandaic}]$");
  if (in_class(kMark, c)) return Direction::kMark;
  return in_class(kRight, c) ? Direction::kRight : Direction::kLeft;
}

// RFC 5893, for names in which anything is written from right to left.
bool directions_agree(const std::vector<std::u32string>& labels) {
  const auto right = [](char32_t c) {
    return direction_of(c) == Direction::kRight || direction_of(c) == Direction::kArabicDigit;
  };
  const bool any = std::ranges::any_of(
      labels, [&](const std::u32string& label) { return std::ranges::any_of(label, right); });
  if (!any) return true;
  for (const std::u32string& label : labels) {
    const Direction first = direction_of(label.front());
    if (first != Direction::kLeft && first != Direction::kRight) return false;
    bool arabic = false;
    bool plain = false;
    Direction last = first;
    for (const char32_t c : label) {
      const Direction direction = direction_of(c);
      if (first == Direction::kRight && direction == Direction::kLeft) return false;
      if (first == Direction::kLeft &&
          (direction == Direction::kRight || direction == Direction::kArabicDigit))
        return false;
      arabic = arabic || direction == Direction::kArabicDigit;
      plain = plain || direction == Direction::kDigit;
      if (direction != Direction::kMark) last = direction;
    }
    if ((first == Direction::kRight && arabic && plain) || last == Direction::kNeutral)
      return false;
  }
  return true;
}

}  // namespace

bool is_host_name(std::string_view text, bool international) {
  if (text.empty() || text.size() > 1012) return false;
  std::u32string label;
  std::vector<std::u32string> decoded;
  std::size_t length = 0;
  while (!text.empty()) {
    const utf8::Decoded read = utf8::decode(text);
    text.remove_prefix(read.width);
    const char32_t c = read.code_point;
    const bool dot = c == '.' || (international && (c == 0x3002 || c == 0xFF0E || c == 0xFF61));
    if (!dot) {
      label.push_back(c);
      continue;
    }
    if (!read_label(label, international, decoded, length)) return false;
    label.clear();
    ++length;
    if (text.empty()) return false;  // nothing behind the dot
  }
  return read_label(label, international, decoded, length) && length <= 253 &&
         directions_agree(decoded);
}

}  // namespace strake::schema::loose
