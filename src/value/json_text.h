#pragma once
// Interim home of the text helpers that the JSON reader needs until base has them.
#include <cstdint>
#include <string>
#include <string_view>

namespace strake {
inline std::string quote_char(unsigned char c) {
  if (c == '\'') return "'\\''";
  if (c == '"') return "'\"'";
  switch (c) {
    case '\a': return "'\\a'";
    case '\b': return "'\\b'";
    case '\f': return "'\\f'";
    case '\n': return "'\\n'";
    case '\r': return "'\\r'";
    case '\t': return "'\\t'";
    case '\v': return "'\\v'";
    case '\\': return "'\\\\'";
    default: break;
  }
  if (c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad) {
    const char* hex = "0123456789abcdef";
    if (c < 0x80) return std::string("'\\x") + hex[c >> 4] + hex[c & 15] + "'";
    return std::string("'\\u00") + hex[c >> 4] + hex[c & 15] + "'";
  }
  if (c < 0x80) return std::string("'") + static_cast<char>(c) + "'";
  return std::string("'") + static_cast<char>(0xc0 | (c >> 6)) + static_cast<char>(0x80 | (c & 0x3f)) + "'";
}
namespace utf8 {
inline std::size_t length_at(std::string_view s, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(s[i + k]); };
  const std::size_t left = s.size() - i;
  const unsigned char c = byte(0);
  if (c < 0x80) return 1;
  const auto tail = [&](std::size_t k) { return (byte(k) & 0xc0) == 0x80; };
  if (c >= 0xc2 && c <= 0xdf) return left >= 2 && tail(1) ? 2 : 0;
  if (c >= 0xe0 && c <= 0xef) {
    if (left < 3 || !tail(1) || !tail(2)) return 0;
    return (c == 0xe0 && byte(1) < 0xa0) || (c == 0xed && byte(1) > 0x9f) ? 0 : 3;
  }
  if (c >= 0xf0 && c <= 0xf4) {
    if (left < 4 || !tail(1) || !tail(2) || !tail(3)) return 0;
    return (c == 0xf0 && byte(1) < 0x90) || (c == 0xf4 && byte(1) > 0x8f) ? 0 : 4;
  }
  return 0;
}
inline std::size_t first_invalid(std::string_view s) {
  std::size_t i = 0;
  while (i < s.size()) {
    const std::size_t n = length_at(s, i);
    if (n == 0) return i;
    i += n;
  }
  return s.size();
}
inline bool valid(std::string_view s) { return first_invalid(s) == s.size(); }
inline void append(char32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}
inline void append_replacing(std::string_view s, std::string& out) {
  for (std::size_t i = 0; i < s.size();) {
    const std::size_t n = length_at(s, i);
    if (n == 0) {
      out += "\xef\xbf\xbd";
      ++i;
    } else {
      out += s.substr(i, n);
      i += n;
    }
  }
}
}  // namespace utf8
}  // namespace strake
