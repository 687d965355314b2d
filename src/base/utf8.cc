#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace strake::utf8 {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080;

std::uint64_t load_eight(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The offset of the first byte that is not ASCII at or after `from`, or the end.
std::size_t skip_ascii(std::string_view text, std::size_t from) {
  // Four words are joined before the test so that the compiler makes vector code of it.
  while (from + 32 <= text.size()) {
    const char* at = text.data() + from;
    const std::uint64_t joined =
        load_eight(at) | load_eight(at + 8) | load_eight(at + 16) | load_eight(at + 24);
    if ((joined & kHighBits) != 0) break;
    from += 32;
  }
  while (from + 8 <= text.size() && (load_eight(text.data() + from) & kHighBits) == 0) from += 8;
  while (from < text.size() && static_cast<unsigned char>(text[from]) < 0x80) ++from;
  return from;
}

bool is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// Decodes what starts with a byte that is not ASCII.
Decoded decode_multibyte(const unsigned char* at, std::size_t left) {
  constexpr Decoded kBad{kReplacement, 1};
  const unsigned char first = at[0];
  if (first < 0xc2 || first > 0xf4) return kBad;
  if (first < 0xe0) {
    if (left < 2 || !is_continuation(at[1])) return kBad;
    return {char32_t((first & 0x1fu) << 6 | (at[1] & 0x3fu)), 2};
  }
  if (first < 0xf0) {
    if (left < 3 || !is_continuation(at[1]) || !is_continuation(at[2])) return kBad;
    const char32_t c = (first & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    if (c < 0x800 || (c >= 0xd800 && c <= 0xdfff)) return kBad;
    return {c, 3};
  }
  if (left < 4 || !is_continuation(at[1]) || !is_continuation(at[2]) || !is_continuation(at[3]))
    return kBad;
  const char32_t c =
      (first & 0x07u) << 18 | (at[1] & 0x3fu) << 12 | (at[2] & 0x3fu) << 6 | (at[3] & 0x3fu);
  if (c < 0x10000 || c > kLargest) return kBad;
  return {c, 4};
}

Decoded decode_multibyte(std::string_view text, std::size_t from) {
  return decode_multibyte(reinterpret_cast<const unsigned char*>(text.data()) + from,
                          text.size() - from);
}

}  // namespace

Decoded decode(std::string_view text) {
  if (text.empty()) return {kReplacement, 0};
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  return decode_multibyte(text, 0);
}

void append(std::string& out, char32_t code_point) {
  if (code_point > kLargest || (code_point >= 0xd800 && code_point <= 0xdfff))
    code_point = kReplacement;
  auto put = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xc0 | code_point >> 6);
    put(0x80 | (code_point & 0x3f));
  } else if (code_point < 0x10000) {
    put(0xe0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3f));
    put(0x80 | (code_point & 0x3f));
  } else {
    put(0xf0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3f));
    put(0x80 | (code_point >> 6 & 0x3f));
    put(0x80 | (code_point & 0x3f));
  }
}

std::string encode(char32_t code_point) {
  std::string out;
  append(out, code_point);
  return out;
}

std::size_t first_invalid(std::string_view text) {
  std::size_t i = skip_ascii(text, 0);
  while (i < text.size()) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      i = skip_ascii(text, i);
      continue;
    }
    const Decoded next = decode_multibyte(text, i);
    if (next.width == 1) return i;
    i += next.width;
  }
  return std::string_view::npos;
}

bool is_valid(std::string_view text) { return first_invalid(text) == std::string_view::npos; }

bool is_ascii(std::string_view text) { return skip_ascii(text, 0) == text.size(); }

std::size_t count(std::string_view text) {
  std::size_t total = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      const std::size_t end = skip_ascii(text, i);
      total += end - i;
      i = end;
      continue;
    }
    i += decode_multibyte(text, i).width;
    ++total;
  }
  return total;
}

std::string replace_invalid(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (true) {
    const std::size_t bad = first_invalid(text);
    out += text.substr(0, bad);
    if (bad == std::string_view::npos) return out;
    append(out, kReplacement);
    text.remove_prefix(bad + 1);
  }
}

}  // namespace strake::utf8
