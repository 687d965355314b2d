#include "publish/go_unquote.h"

#include <charconv>
#include <optional>

#include "base/utf8.h"

namespace strake::publish {
namespace {

// `count` digits of that base, taken off the front.
std::optional<std::uint32_t> take_number(std::string_view& text, std::size_t count, int base) {
  if (text.size() < count) return std::nullopt;
  std::uint32_t number = 0;
  const char* end = text.data() + count;
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  text.remove_prefix(count);
  return number;
}

std::optional<char> simple_escape(char c) {
  constexpr std::string_view kLetters = "abfnrtv\\";
  constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\";
  const std::size_t at = kLetters.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return kMeanings[at];
}

// What follows a backslash, taken off the front and appended.
bool take_escape(std::string_view& text, char quote_mark, std::string& out) {
  if (text.empty()) return false;
  const char c = text.front();
  if (const auto simple = simple_escape(c); simple || c == quote_mark) {
    out += simple.value_or(c);
    text.remove_prefix(1);
    return true;
  }
  if (c >= '0' && c <= '7') {
    const auto byte = take_number(text, 3, 8);
    if (!byte || *byte > 255) return false;
    out += static_cast<char>(*byte);
    return true;
  }
  text.remove_prefix(1);
  if (c == 'x') {
    const auto byte = take_number(text, 2, 16);
    if (!byte) return false;
    out += static_cast<char>(*byte);
    return true;
  }
  if (c != 'u' && c != 'U') return false;
  const auto code_point = take_number(text, c == 'u' ? 4 : 8, 16);
  if (!code_point || *code_point > utf8::kLargest ||
      (*code_point >= 0xd800 && *code_point < 0xe000))
    return false;
  utf8::append(out, *code_point);
  return true;
}

}  // namespace

Result<std::string> go_unquote(std::string_view quoted) {
  const auto invalid = [] { return fail(Code::kParse, "invalid syntax"); };
  if (quoted.size() < 2 || quoted.front() != quoted.back()) return invalid();
  const char quote_mark = quoted.front();
  if (quote_mark != '"' && quote_mark != '\'') return invalid();
  std::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    if (c == quote_mark) return invalid();
    text.remove_prefix(1);
    if (c != '\\') {
      out += c;
    } else if (!take_escape(text, quote_mark, out)) {
      return invalid();
    }
  }
  return out;
}

}  // namespace strake::publish
