#pragma once
// What a fault is called in the reader's language. English is the server's own words; other
// languages have a wording for each issue and for each sentence of the checker (phrases.h). The
// words of a server, a parser or a schema's author that say more are quoted behind it.
#include <array>
#include <string>
#include <string_view>

#include "base/error.h"
#include "validate/finding.h"
#include "validate/locale.h"
#include "validate/phrases.h"

namespace strake::validate {

// A sentence of phrases.h in the reader's language; the words of others stay as they are.
std::string in_language(std::string_view english, Locale locale);
// The same for what went wrong, with its place.
Error in_language(Error error, Locale locale);
template <typename... Args>
std::string say_in(Locale locale, Phrase phrase, const Args&... args) {
  if (locale == Locale::kEnglish) return say(phrase, args...);
  const std::array<std::string, sizeof...(Args)> texts = {fmt::format("{}", args)...};
  return in_japanese(phrase, texts);
}

std::string message_of(const Fault& fault, Locale locale);
// A hint that is a piece of a schema, such as a rule, stays what it is.
std::string hint_of(const Fault& fault, Locale locale);

}  // namespace strake::validate
