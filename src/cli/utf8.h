#pragma once
// Text one code point at a time, for columns, excerpts and escaping.
#include <cstdint>
#include <string_view>

namespace strake::cli {

struct CodePoint {
  std::uint32_t value;     // U+FFFD when the bytes are not UTF-8
  std::string_view bytes;  // what was taken: one byte when they are not
  bool valid;
};

// Takes the first code point off the text, which must not be empty.
CodePoint take_code_point(std::string_view& text);

}  // namespace strake::cli
