#pragma once
// The blocks of a PEM text (RFC 7468), as Go's encoding/pem finds them.
#include <string>
#include <string_view>
#include <vector>

namespace strake::kinds {

struct PemBlock {
  std::string type;  // "CERTIFICATE"
  bool has_headers = false;
  std::string bytes;
};

// In order. A block that is not closed or is no base64 is passed over.
std::vector<PemBlock> pem_blocks(std::string_view text);

}  // namespace strake::kinds
