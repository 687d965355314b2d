#include "kinds/tls_pair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "kinds/pem.h"

namespace strake::kinds {
namespace {

std::vector<std::string> block_types(std::string_view text) {
  std::vector<std::string> types;
  for (PemBlock& one : pem_blocks(text)) types.push_back(std::move(one.type));
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
