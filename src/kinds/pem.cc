#include "kinds/pem.h"

#include <fmt/format.h>

#include "base/base64.h"

namespace strake::kinds {

std::vector<PemBlock> pem_blocks(std::string_view text) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kEnd = "-----END ";
  constexpr std::string_view kDashes = "-----";
  std::vector<PemBlock> blocks;
  std::size_t at = 0;
  std::size_t end = 0;  // of the block, or of a later one
  while ((at = text.find(kBegin, at)) != std::string_view::npos) {
    const bool starts_line = at == 0 || text[at - 1] == '\n';
    at += kBegin.size();
    const std::size_t end_of_line = text.find('\n', at);
    if (!starts_line || end_of_line == std::string_view::npos) continue;
    std::string_view type = text.substr(at, end_of_line - at);
    while (type.ends_with('\r') || type.ends_with(' ') || type.ends_with('\t'))
      type.remove_suffix(1);
    if (!type.ends_with(kDashes)) continue;
    type.remove_suffix(kDashes.size());
    // The next end is looked for once, and a block that begins before it ends is none: hostile text
    // costs no more than its length.
    if (end < end_of_line) end = text.find(kEnd, end_of_line);
    if (end == std::string_view::npos) break;
    if (text.find(kBegin, end_of_line) < end) continue;
    const std::string footer = fmt::format("{}{}{}", kEnd, type, kDashes);
    if (!text.substr(end).starts_with(footer)) continue;
    std::string_view body = text.substr(end_of_line + 1, end - end_of_line - 1);
    // Headers end with an empty line.
    const bool has_headers = body.find(':') != std::string_view::npos;
    if (has_headers) {
      const std::size_t empty = body.find("\n\n");
      body = empty == std::string_view::npos ? std::string_view() : body.substr(empty + 2);
    }
    std::string digits;
    for (const char c : body) {
      if (c != '\n' && c != '\r' && c != ' ' && c != '\t') digits += c;
    }
    auto bytes = base64_decode(digits);
    if (!bytes) continue;
    blocks.push_back(
        {.type = std::string(type), .has_headers = has_headers, .bytes = *std::move(bytes)});
    at = end + footer.size();
  }
  return blocks;
}

}  // namespace strake::kinds
