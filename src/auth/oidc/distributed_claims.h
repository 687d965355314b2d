#pragma once
// Claims that are not in a token: it says where to get them (OpenID Connect Core 1.0, 5.6.2). What
// is there is a token too, which some issuer has signed for the same audience. As in kube-apiserver
// 1.36, this is done for the claim with the groups alone. Made by std::make_shared.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/jwt/jwt.h"
#include "auth/oidc/config.h"
#include "auth/oidc/issuer_keys.h"
#include "auth/tokens/digest_cache.h"
#include "base/secret.h"

namespace strake::auth {

struct ClaimSource {
  std::string claim;
  std::string endpoint;
  Secret access_token;  // may be empty
};
// Where a claim of a verified token is; nothing when the token has it, or says nothing of it. Fails
// in the words of kube-apiserver 1.36.
Result<std::optional<ClaimSource>> find_claim_source(const value::Value& claims,
                                                     std::string_view claim);

struct FetchedClaim {
  value::Document claim;
  std::string error;  // why there is none
  SteadyTime until;   // then it is fetched again
};
using FetchedClaimPtr = std::shared_ptr<const FetchedClaim>;

class DistributedClaims : public std::enable_shared_from_this<DistributedClaims> {
 public:
  struct Means {
    IssuerKeys::Means net;
    std::shared_ptr<const http::TlsContext> tls;
    async::Gate* running;  // outlives all that is fetched
  };
  // Of tokens of that issuer, whose keys verify what it has signed itself.
  DistributedClaims(TokenSource source, std::shared_ptr<IssuerKeys> keys, Means means,
                    KeyTimes times);

  // Null when it has to be fetched.
  FetchedClaimPtr recall(const Sha256::Digest& token) const;
  // Fetches it, or waits for who does. Nobody waits any longer once `cancel` is cancelled.
  async::Task<> fetch(Sha256::Digest token, ClaimSource source, CancelToken cancel);
  void end();  // from any thread

 private:
  struct DigestLess {
    bool operator()(const Sha256::Digest& a, const Sha256::Digest& b) const { return a < b; }
  };
  static boost::asio::awaitable<void> run(std::shared_ptr<DistributedClaims> self,
                                          Sha256::Digest token, ClaimSource source,
                                          async::Gate::Pass pass);
  async::Task<value::Document> get(ClaimSource source);
  // Of an issuer, known by now.
  async::Task<KeySetPtr> keys_of(std::string issuer);
  bool make_room();  // for another issuer; under mu_

  const TokenSource source_;
  const std::shared_ptr<IssuerKeys> keys_;
  const Means means_;
  const KeyTimes times_;
  CancelSource ending_;
  mutable DigestCache<FetchedClaim> known_;
  std::mutex mu_;
  std::map<Sha256::Digest, std::vector<async::OneShot<>>, DigestLess> under_way_;  // guarded by mu_
  struct Other {
    std::string issuer;
    std::shared_ptr<IssuerKeys> keys;
  };
  std::vector<Other> others_;  // the oldest first; guarded by mu_
};

// Where the discovery document of an issuer is, unless it says.
std::string discovery_url(std::string_view issuer);

}  // namespace strake::auth
