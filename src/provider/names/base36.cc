#include "provider/names/base36.h"

#include "base/assert.h"

namespace strake::provider {

std::string to_base36(std::uint64_t number, std::size_t width) {
  std::string out;
  for (; number != 0; number /= 36) out.insert(out.begin(), kBase36Digits[number % 36]);
  if (out.size() < width) out.insert(0, width - out.size(), '0');
  return out;
}

std::optional<std::uint64_t> from_base36(std::string_view text) {
  STRAKE_ASSERT(text.size() <= 12);
  std::uint64_t out = 0;
  for (const char c : text) {
    const std::size_t digit = kBase36Digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    out = out * 36 + digit;
  }
  return out;
}

}  // namespace strake::provider
