#pragma once
// What a fault is called in the reader's language. English is the server's own words; other
// languages have a wording for each issue and for each sentence of the checker (phrases.h). The
// words of a server, a parser or a schema's author that say more are quoted behind it.
#include <string>
#include <string_view>

#include "validate/finding.h"

namespace strake::validate {

enum class Locale : std::uint8_t { kEnglish, kJapanese };
// By its language: "ja", "ja-JP", "ja_JP.UTF-8". English for every other.
Locale locale_of(std::string_view name);

std::string message_of(const Fault& fault, Locale locale);
// A hint that is a piece of a schema, such as a rule, stays what it is.
std::string hint_of(const Fault& fault, Locale locale);

}  // namespace strake::validate
