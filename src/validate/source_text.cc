#include "validate/source_text.h"

#include <algorithm>

#include "base/utf8.h"

namespace strake::validate {
namespace {

constexpr std::size_t kFragmentLength = 80;

}  // namespace

std::string_view line_at(std::string_view text, std::uint64_t offset) {
  const auto at = static_cast<std::size_t>(std::min<std::uint64_t>(offset, text.size()));
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
  std::string_view line = text.substr(start, text.find('\n', start) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string fragment_at(std::string_view text, std::uint64_t offset, std::uint64_t length) {
  if (offset >= text.size()) return {};
  text = text.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
  text = text.substr(0, text.find_first_of("\r\n"));
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kFragmentLength && bytes < text.size(); ++i)
    bytes += utf8::decode(text.substr(bytes)).width;
  return utf8::replace_invalid(text.substr(0, bytes));
}

}  // namespace strake::validate
