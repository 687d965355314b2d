#include "base/trim.h"

#include "base/utf8.h"

namespace strake {

bool is_unicode_space(char32_t c) {
  if (c <= 0x20) return c == ' ' || (c >= '\t' && c <= '\r');
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

std::string_view trim_unicode(std::string_view text) {
  while (!text.empty()) {
    const utf8::Decoded c = utf8::decode(text);
    if (!is_unicode_space(c.code_point)) break;
    text.remove_prefix(c.width);
  }
  while (!text.empty()) {
    // Back over the continuation bytes to where the last code point may start.
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 &&
           (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80)
      --start;
    const utf8::Decoded c = utf8::decode(text.substr(start));
    // A code point that ends earlier is followed by stray bytes, and those are no space.
    if (c.width != text.size() - start || !is_unicode_space(c.code_point)) break;
    text.remove_suffix(c.width);
  }
  return text;
}

}  // namespace strake
