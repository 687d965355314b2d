#pragma once
// UTF-8 as Go reads it: what is not well formed counts as U+FFFD, one for each byte that fits
// nowhere. Overlong forms, surrogates and code points past U+10FFFF are not well formed. Long runs
// of ASCII are passed over many bytes at a time.
#include <cstddef>
#include <string>
#include <string_view>

namespace strake::utf8 {

inline constexpr char32_t kReplacement = 0xfffd;
inline constexpr char32_t kLargest = 0x10ffff;

struct Decoded {
  char32_t code_point;  // kReplacement when the bytes are not well formed
  std::size_t width;    // bytes taken: 0 for empty text, 1 for a byte that is not well formed
};

// The code point that text starts with. A well-formed U+FFFD has width 3, a bad byte has width 1.
Decoded decode(std::string_view text);

// Surrogates and code points past U+10FFFF are written as U+FFFD.
void append(std::string& out, char32_t code_point);
std::string encode(char32_t code_point);

bool is_valid(std::string_view text);

// Where the first byte is that cannot be part of well-formed text, or npos. The offset is that of
// the first byte of the broken sequence, not of the byte that breaks it.
std::size_t first_invalid(std::string_view text);

bool is_ascii(std::string_view text);

// Code points, each bad byte counting as one.
std::size_t count(std::string_view text);

// The text with each bad byte replaced by U+FFFD.
std::string replace_invalid(std::string_view text);

}  // namespace strake::utf8
