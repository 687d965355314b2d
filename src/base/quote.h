#pragma once
// Quoting as Go's formatting does it, since quoted values stand in the messages that Strake repeats
// word for word.
#include <span>
#include <string>
#include <string_view>

namespace strake {

// strconv.Quote, the %q of a string: "a\tb\"é\u200b\xff".
std::string quote(std::string_view text);
void append_quoted(std::string& out, std::string_view text);
// The %q of a list of strings: ["a" "b"].
std::string quote_list(std::span<const std::string> texts);

// strconv.QuoteRune, the %q of a character: 'a', '\'', '"', '\u200b'.
std::string quote_rune(char32_t code_point);

// One byte as the messages of encoding/json show it, taken as the code point of the same number:
// 'x', '\'', '"', '\n',
// '\u0080'.
std::string quote_json_char(unsigned char byte);

// The simpler quoting in the messages of Go's time package: every byte outside ASCII, and every
// control character but DEL, is written as \x and two digits.
std::string quote_time(std::string_view text);

}  // namespace strake
