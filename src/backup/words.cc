#include "backup/words.h"

#include <optional>

namespace strake::backup {

Result<std::vector<std::string>> split_words(std::string_view text) {
  std::vector<std::string> out;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') return fail(Code::kUsage, "must not hold a zero byte");
    const bool escapes =
        c == '\\' && i + 1 < text.size() &&
        (quote == 0 || (quote == '"' && (text[i + 1] == '"' || text[i + 1] == '\\')));
    if (escapes) {
      word = word.value_or("") + text[++i];
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        *word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      word = word.value_or("");
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (word) out.push_back(*std::move(word));
      word.reset();
    } else {
      word = word.value_or("") + c;
    }
  }
  if (quote != 0) return fail(Code::kUsage, "the quote {} does not end", quote);
  if (word) out.push_back(*std::move(word));
  if (out.empty() || out[0].empty()) return fail(Code::kUsage, "must name a program");
  return out;
}

}  // namespace strake::backup
