#pragma once
// Text without what surrounds it. The answer is a part of the text that was given.
#include <string_view>

namespace strake {

// ASCII's white space; HTTP allows only kBlanks around its words.
inline constexpr std::string_view kAsciiSpaces = " \t\n\v\f\r";
inline constexpr std::string_view kBlanks = " \t";

// Without the characters of `set` at either end.
constexpr std::string_view trim(std::string_view text, std::string_view set = kAsciiSpaces) {
  const std::size_t first = text.find_first_not_of(set);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(set) - first + 1);
}

// White space as Unicode and Go's unicode.IsSpace see it.
bool is_unicode_space(char32_t code_point);

// Without white space at either end, as Go's strings.TrimSpace gives it. A byte that is not part of
// well-formed UTF-8 is no space.
std::string_view trim_unicode(std::string_view text);

}  // namespace strake
