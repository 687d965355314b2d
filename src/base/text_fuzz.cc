// Every reader of small texts in this module, over the same bytes: none may crash, and what is read
// and written again must be read as the same.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "base/base64.h"
#include "base/field_path.h"
#include "base/go_duration.h"
#include "base/quantity.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "base/utf8.h"

namespace strake {
namespace {

void read_all(std::string_view text) {
  if (const auto quantity = Quantity::parse(text)) {
    const auto again = Quantity::parse(quantity->to_string());
    // A far exponent becomes a multiple of three by zeros, with which the digits may pass the
    // limit.
    STRAKE_ASSERT(again ? *again == *quantity : again.error().code() == Code::kLimit);
    (void)quantity->value();
    (void)quantity->as_approximate_double();
  }
  if (const auto duration = parse_go_duration(text)) {
    const auto again = parse_go_duration(format_go_duration(*duration));
    STRAKE_ASSERT(again && *again == *duration);
  }
  for (const auto& time : {parse_rfc3339(text), parse_rfc3339_micro(text)}) {
    if (!time) continue;
    const std::string written = format_rfc3339_nano(*time);
    const auto again = parse_rfc3339(written);
    // An offset may lead out of the years that can be written.
    STRAKE_ASSERT(again ? *again == *time
                        : written.size() > 0 && (written[0] == '-' || written[4] != '-'));
  }
  for (const Base64 form :
       {Base64::kStandard, Base64::kStandardRaw, Base64::kUrl, Base64::kUrlRaw}) {
    if (const auto bytes = base64_decode(text, form)) {
      const auto again = base64_decode(base64_encode(*bytes, form), form);
      STRAKE_ASSERT(again && *again == *bytes);
    }
  }
  FieldPath path;
  if (FieldPath::parse_dotted(text, path)) {
    FieldPath again;
    STRAKE_ASSERT(FieldPath::parse_dotted(path.to_dotted(), again) && again == path);
  }
  if (FieldPath::parse_pointer(text, path)) STRAKE_ASSERT(path.to_pointer() == text);
  STRAKE_ASSERT(utf8::is_valid(utf8::replace_invalid(text)));
  STRAKE_ASSERT(utf8::is_valid(quote(text)));
}

}  // namespace
}  // namespace strake

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  strake::read_all({reinterpret_cast<const char*>(data), size});
  return 0;
}
