#include "kinds/tls_pair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "base/base64.h"

namespace strake::kinds {
namespace {

// The types of the PEM blocks of a text, in order. A block that is not closed or is no base64 is
// passed over.
std::vector<std::string> block_types(std::string_view text) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kDashes = "-----";
  std::vector<std::string> types;
  std::size_t at = 0;
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
    const std::string footer = fmt::format("-----END {}-----", type);
    const std::size_t end = text.find(footer, end_of_line);
    if (end == std::string_view::npos) continue;
    std::string_view body = text.substr(end_of_line + 1, end - end_of_line - 1);
    // Headers end with an empty line.
    if (body.find(':') != std::string_view::npos) {
      const std::size_t empty = body.find("\n\n");
      body = empty == std::string_view::npos ? std::string_view() : body.substr(empty + 2);
    }
    std::string digits;
    for (const char c : body) {
      if (c != '\n' && c != '\r' && c != ' ' && c != '\t') digits += c;
    }
    if (!base64_decode(digits)) continue;
    types.emplace_back(type);
    at = end + footer.size();
  }
  return types;
}

}  // namespace

std::optional<std::string> tls_pair_fault(std::string_view certificate, std::string_view key) {
  const std::vector<std::string> in_certificate = block_types(certificate);
  std::vector<std::string> skipped;
  bool found = false;
  for (const std::string& type : in_certificate) {
    if (type == "CERTIFICATE") {
      found = true;
    } else {
      skipped.push_back(type);
    }
  }
  if (!found) {
    if (skipped.empty()) return "tls: failed to find any PEM data in certificate input";
    if (skipped.size() == 1 && skipped[0].ends_with("PRIVATE KEY")) {
      return "tls: failed to find certificate PEM data in certificate input, but did find a "
             "private key; PEM inputs may have been switched";
    }
    return fmt::format(
        "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM "
        "blocks of the following types: [{}]",
        fmt::join(skipped, " "));
  }
  skipped.clear();
  for (const std::string& type : block_types(key)) {
    if (type == "PRIVATE KEY" || type.ends_with(" PRIVATE KEY")) return std::nullopt;
    skipped.push_back(type);
  }
  if (skipped.empty()) return "tls: failed to find any PEM data in key input";
  if (skipped.size() == 1 && skipped[0] == "CERTIFICATE")
    return "tls: found a certificate rather than a key in the PEM for the private key";
  return fmt::format(
      "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after "
      "skipping PEM blocks of the following types: [{}]",
      fmt::join(skipped, " "));
}

}  // namespace strake::kinds
