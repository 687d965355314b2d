// Any text as an AuthenticationConfiguration: it is read and compiled, or refused with a message.
// What was compiled makes something of any claims.
#include <cstdint>
#include <string>
#include <string_view>

#include "auth/oidc/check_config.h"
#include "base/assert.h"
#include "value/json_reader.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // Behind a zero byte: the claims.
  const std::size_t end = bytes.find('\0');
  const auto config = auth::AuthenticationConfig::read(bytes.substr(0, end), "auth.yaml");
  if (!config) {
    STRAKE_ASSERT(!config.error().message().empty());
    return 0;
  }
  const auto compiled = auth::compile_authentication(*config, {});
  if (!compiled) {
    STRAKE_ASSERT(!compiled.error().message().empty());
    return 0;
  }
  const std::string_view text = end == std::string_view::npos ? "{}" : bytes.substr(end + 1);
  value::ReadOptions options;
  options.limits.depth = 32;
  const auto claims = value::read_json(text, options);
  if (!claims || !claims->root().is_object()) return 0;
  for (const auth::CompiledJwt& one : *compiled) {
    const auto user = one.mapper->user_of(claims->root());
    if (!user) STRAKE_ASSERT(!user.error().message().empty());
  }
  return 0;
}
