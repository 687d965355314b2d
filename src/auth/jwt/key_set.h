#pragma once
// A JSON Web Key Set (RFC 7517), as issuers of tokens publish it. Pure, from any thread.
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/jwt/jwt.h"
#include "auth/jwt/key.h"
#include "base/result.h"
#include "base/sha256.h"

namespace strake::auth {

inline constexpr std::size_t kMostKeySetBytes = 1 << 20;
inline constexpr std::size_t kMostKeys = 256;

class KeySet {
 public:
  // Keys that are for something else, of another type or too weak are passed over, as RFC 7517, 5
  // asks for: an issuer may publish them for others. Fails with kParse when the text is no key set,
  // and with kLimit when it is too large.
  static Result<KeySet> read(std::string_view json);

  // Whether one of the keys has signed the token. One that names a key is verified with that alone.
  bool verifies(const UnverifiedToken& token) const;
  std::size_t size() const { return keys_.size(); }
  // Of the text.
  const Sha256::Digest& digest() const { return digest_; }

 private:
  struct Key {
    std::string id;                      // empty when it has none
    std::optional<Algorithm> algorithm;  // the only one that it is for, when it says so
    VerifyingKey key;
  };
  std::vector<Key> keys_;
  Sha256::Digest digest_{};
};
using KeySetPtr = std::shared_ptr<const KeySet>;

}  // namespace strake::auth
