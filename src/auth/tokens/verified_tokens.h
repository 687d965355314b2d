#pragma once
// Tokens whose signature was found good, by the SHA-256 of their text: verifying one again would
// cost a hundred times as much as the rest of a request's authentication. What may change while a
// token is good (its account, the time) is not kept here. May be used from any thread.
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "api/cache/object.h"
#include "api/request/roles.h"
#include "auth/tokens/account_claims.h"
#include "base/sha256.h"

namespace strake::auth {

struct VerifiedToken {
  AccountClaims claims = {};
  api::UserPtr user = {};
  // The revisions at which the account and what the token is bound to were found to be those of the
  // claims: an object of the same revision need not be read again.
  mutable std::atomic<api::Revision> account_seen{0};
  mutable std::atomic<api::Revision> bound_seen{0};
};
using VerifiedTokenPtr = std::shared_ptr<const VerifiedToken>;

class VerifiedTokens {
 public:
  explicit VerifiedTokens(std::size_t most) : most_(most) {}
  VerifiedTokenPtr find(const Sha256::Digest& digest);  // null when it is not here
  void keep(const Sha256::Digest& digest, VerifiedTokenPtr token);
  std::size_t size() const;

 private:
  struct Hash {
    std::size_t operator()(const Sha256::Digest& digest) const {
      std::size_t out = 0;
      std::memcpy(&out, digest.data(), sizeof out);
      return out;
    }
  };
  using Tokens = std::unordered_map<Sha256::Digest, VerifiedTokenPtr, Hash>;

  void put(const Sha256::Digest& digest, VerifiedTokenPtr token);  // under mu_

  // What was asked for lately, and what was before that: when the first is full, it takes the place
  // of the second. In constant time, a token that is in use stays.
  std::size_t most_;
  mutable std::mutex mu_;
  Tokens recent_;   // guarded by mu_
  Tokens earlier_;  // guarded by mu_
};

}  // namespace strake::auth
