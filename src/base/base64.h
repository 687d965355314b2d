#pragma once
// Base64 (RFC 4648) as Go reads and writes it: line breaks are passed over, the last bits of the
// last digit need not be zero, and an error names the same input byte. A decoder refuses padding in
// the raw forms and asks for it in the others.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake {

enum class Base64 : std::uint8_t {
  kStandard,     // + and /, padded with =
  kStandardRaw,  // + and /, no padding
  kUrl,          // - and _, padded with =
  kUrlRaw,       // - and _, no padding
};

std::string base64_encode(std::string_view bytes, Base64 form = Base64::kStandard);

// Fails with kParse: "illegal base64 data at input byte 4".
Result<std::string> base64_decode(std::string_view text, Base64 form = Base64::kStandard);

}  // namespace strake
