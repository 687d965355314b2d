#include "cli/utf8.h"

#include <array>
#include <cstddef>

namespace strake::cli {

CodePoint take_code_point(std::string_view& text) {
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  std::uint32_t value = length <= 1 ? lead : lead & (0x7fu >> length);
  bool valid = length != 0 && text.size() >= length;
  for (std::size_t i = 1; valid && i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    valid = (byte & 0xc0) == 0x80;
    value = (value << 6) | (byte & 0x3fu);
  }
  valid = valid && value >= kSmallest[length] && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
  const std::size_t taken = valid ? length : 1;
  const CodePoint out{.value = valid ? value : 0xfffd, .bytes = text.substr(0, taken), .valid = valid};
  text.remove_prefix(taken);
  return out;
}

}  // namespace strake::cli
