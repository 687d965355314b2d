// Any text as a JSON Web Key Set. No key that it could hold has signed this token.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "auth/jwt/key_set.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auth::SigningKey& key = *new auth::SigningKey(auth::SigningKey::make().value());
  static const std::string& token =
      *new std::string(auth::write_token(R"({"sub":"me"})", key).value());
  const auto keys = auth::KeySet::read(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!keys) return 0;
  auth::UnverifiedToken read = auth::read_token(token).value();
  read.key_id.clear();
  if (keys->verifies(read)) std::abort();
  return 0;
}
