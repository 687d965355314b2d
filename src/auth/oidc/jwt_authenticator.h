#pragma once
// Believes the tokens of one issuer, as kube-apiserver 1.36 does: issuer, audience, times,
// algorithm, signature, claims, in this order. What was verified once is not verified again while
// the issuer's keys stay the same. May be used from any thread.
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/request/roles.h"
#include "auth/jwt/jwt.h"
#include "auth/oidc/check_config.h"
#include "auth/oidc/distributed_claims.h"
#include "auth/oidc/issuer_keys.h"
#include "auth/oidc/verify_token.h"
#include "auth/tokens/digest_cache.h"
#include "base/time.h"

namespace strake::auth {

// What becomes of a token.
struct JwtVerdict {
  api::UserPtr user = {};
  std::string error = {};  // why there is none; empty when the token is another issuer's
  // With other keys it might be good.
  bool wants_keys = false;
  // It says where some of its claims are, and they have to be fetched.
  bool wants_claims = false;
};

class JwtAuthenticator {
 public:
  // Without `claims`, tokens whose claims are elsewhere are refused.
  JwtAuthenticator(CompiledJwt jwt, std::shared_ptr<IssuerKeys> keys,
                   std::shared_ptr<DistributedClaims> claims, const Clock& clock);

  const TokenSource& source() const { return jwt_.config.issuer; }
  const std::shared_ptr<IssuerKeys>& keys() const { return keys_; }
  const std::shared_ptr<DistributedClaims>& claims() const { return claims_; }
  bool is_for(const UnverifiedToken& token) const;
  // Of a token that is for it. The digest is that of the token's text.
  JwtVerdict judge(const UnverifiedToken& token, const Sha256::Digest& digest) const;
  // Fetches what judge() wants of a token. Nobody waits any longer once the token is cancelled. The
  // text must live until then.
  async::Task<> fetch_claims(std::string_view text, CancelToken cancel) const;
  // What is known of it since it was last judged; nothing when it must be judged.
  std::optional<JwtVerdict> recall(const Sha256::Digest& digest) const;

 private:
  // Of a token whose signature was looked at, good or bad.
  struct Known {
    JwtVerdict verdict;
    TokenTimes times;
    KeySetPtr keys;          // with which that was
    FetchedClaimPtr claims;  // and with what from elsewhere; null for nothing
  };
  JwtVerdict judge_signed(const UnverifiedToken& token, const KeySet& keys,
                          const Sha256::Digest& digest, FetchedClaimPtr& fetched) const;
  JwtVerdict judge_claims(const value::Value& claims) const;

  CompiledJwt jwt_;
  std::shared_ptr<IssuerKeys> keys_;
  std::shared_ptr<DistributedClaims> claims_;
  const Clock& clock_;
  mutable DigestCache<Known> known_;
};

}  // namespace strake::auth
