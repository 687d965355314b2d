#pragma once
// JSON Web Tokens in their compact form (RFC 7515, RFC 7519): three parts of base64url with dots
// between. Reading one says nothing about who made it: verify() does. Pure, from any thread.
#include <cstddef>
#include <string>
#include <string_view>

#include "auth/jwt/key.h"
#include "base/result.h"
#include "value/document.h"

namespace strake::auth {

// Of a whole token. Nothing that is sent with each request comes near.
inline constexpr std::size_t kMostTokenBytes = 64 * 1024;
// Of nested lists and objects in its header and its claims.
inline constexpr std::size_t kMostTokenDepth = 32;

// What a token says before anyone has looked at its signature. Views point into the text.
struct UnverifiedToken {
  Algorithm algorithm;
  std::string key_id;            // empty when it names none
  value::Document claims;        // an object
  std::string_view signed_text;  // header and claims, as they were signed
  std::string signature;

  bool is_signed_by(const VerifyingKey& key) const {
    return key.verify(algorithm, signed_text, signature);
  }
};

// Strict: no padding, no line breaks, no bits left over, no key twice. Fails with kParse when the
// text is no token, with kLimit when it is too large, and with kUnsupported when its algorithm is
// none that a key here takes (`none` and those with shared secrets among them) or a critical header
// is there, since none is known. Messages never hold a part of the token.
Result<UnverifiedToken> read_token(std::string_view text);

// A token of these claims, which are a JSON object. Takes as long as SigningKey::sign.
Result<std::string> write_token(std::string_view claims_json, const SigningKey& key);

}  // namespace strake::auth
