// Any bytes as a token, and as the parts of one. What is read must be written in one way only, and
// nothing that was made without the key may pass for signed by it.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "auth/jwt/jwt.h"
#include "base/base64.h"

namespace {

using namespace strake;

void check(std::string_view text, const auth::VerifyingKey& key) {
  const Result<auth::UnverifiedToken> token = auth::read_token(text);
  if (!token) return;
  if (token->is_signed_by(key)) std::abort();
  const std::string again =
      std::string(token->signed_text) + "." + base64_encode(token->signature, Base64::kUrlRaw);
  if (again != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auth::SigningKey& key = *new auth::SigningKey(auth::SigningKey::make().value());
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(bytes, key.verifying());
  // Header, claims and signature divided by zero bytes, to be behind the base64 at once.
  std::string text;
  std::string_view rest = bytes;
  for (int i = 0; i < 3; ++i) {
    const std::size_t end = i < 2 ? rest.find('\0') : std::string_view::npos;
    if (i > 0) text += '.';
    text += base64_encode(rest.substr(0, end), Base64::kUrlRaw);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  check(text, key.verifying());
  static_cast<void>(auth::VerifyingKey::read(bytes));
  return 0;
}
