#pragma once
// Digests of tokens under a key of this process: what is kept by them says nothing about tokens to
// who reads the memory, and nobody outside can make two that meet. May be used from any thread.
#include <span>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "base/sha256.h"

namespace strake::auth {

// HMAC with SHA-256 (RFC 2104).
Sha256::Digest hmac_sha256(std::string_view key, std::string_view text);

class KeyedDigest {
 public:
  KeyedDigest();  // with a random key
  // Of the token for these audiences.
  Sha256::Digest of(std::string_view token, std::span<const std::string> audiences) const;

 private:
  Secret key_;
};

}  // namespace strake::auth
