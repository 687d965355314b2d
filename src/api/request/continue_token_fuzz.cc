// Any bytes as a continue token, as they come and as the text within one: what is read is written
// and read again as the same, and never leads out of the list it belongs to.
#include <cstdint>
#include <string>
#include <string_view>

#include "api/request/continue_token.h"
#include "base/assert.h"
#include "base/base64.h"

using namespace strake;

namespace {

void check(std::string_view text) {
  const auto token = api::decode_continue(text);
  if (!token) {
    STRAKE_ASSERT(token.error().code == 400 && !token.error().message.empty());
    return;
  }
  STRAKE_ASSERT(token->revision != 0 && !token->start.empty() && token->start[0] != '/');
  STRAKE_ASSERT(("/" + token->start + "/").find("/../") == std::string::npos);
  STRAKE_ASSERT(!token->left || *token->left > 0);
  const auto again = api::decode_continue(api::encode_continue(*token));
  STRAKE_ASSERT(again && again->revision == token->revision && again->start == token->start &&
                again->left == token->left);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text);
  check(base64_encode(text, Base64::kUrlRaw));
  return 0;
}
