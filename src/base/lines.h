#pragma once
// Text by lines. A line ends at a line feed, which is no part of it; a carriage return before that
// is. What follows the last line feed is a line too, unless it is empty.
#include <string_view>
#include <vector>

namespace strake {

// Takes the first line and its end off the text; nothing of empty text.
constexpr std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) out.push_back(take_line(text));
  return out;
}

}  // namespace strake
