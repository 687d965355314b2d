#pragma once
// Tokens whose signature was found good, by the SHA-256 of their text: verifying one again would
// cost a hundred times as much as the rest of a request's authentication. What may change while a
// token is good (its account, the time) is not kept here. May be used from any thread.
#include <atomic>
#include <memory>

#include "api/cache/object.h"
#include "api/request/roles.h"
#include "auth/tokens/account_claims.h"
#include "auth/tokens/digest_cache.h"

namespace strake::auth {

struct VerifiedToken {
  AccountClaims claims = {};
  api::UserPtr user = {};
  // The revisions at which the account and what the token is bound to were found to be those of the
  // claims: an object of the same revision need not be read again.
  mutable std::atomic<api::Revision> account_seen{0};
  mutable std::atomic<api::Revision> bound_seen{0};
  // Of a token that is kept in a Secret: the user when the account lists the Secret, whether it
  // does, the day that the Secret says it was used on, and the day on which that was noted here.
  api::UserPtr listed_user = {};
  mutable std::atomic<bool> is_listed{false};
  mutable std::atomic<std::int64_t> used_day{0};
  mutable std::atomic<std::int64_t> noted_day{0};
};
using VerifiedTokenPtr = std::shared_ptr<const VerifiedToken>;
using VerifiedTokens = DigestCache<VerifiedToken>;

}  // namespace strake::auth
