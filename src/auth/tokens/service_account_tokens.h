#pragma once
// Tokens of service accounts: issued for a TokenRequest, and believed as long as their account and
// what they are bound to are there; those that are kept in a Secret, as long as the Secret has
// them. Signatures are verified once; account, bound object and time are looked at for every
// request. May be used from any thread.
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cache/hub.h"
#include "api/request/tokens.h"
#include "auth/jwt/key.h"
#include "auth/tokens/verified_tokens.h"
#include "base/time.h"

namespace strake::auth {

// Those of `wanted` that `have` has, in the order of `wanted`.
std::vector<std::string> common_audiences(const std::vector<std::string>& have,
                                          const std::vector<std::string>& wanted);

class ServiceAccountTokens final : public api::TokenIssuer {
 public:
  struct Options {
    // The first is that of new tokens; those of any are believed. At least one.
    std::vector<std::string> issuers = {"https://kubernetes.default.svc"};
    std::vector<std::string> audiences = {};  // of the server; the first issuer unless given
    std::chrono::seconds longest_life{0};     // zero: up to what a request may ask for
    std::string keys_url = {};  // where the discovery document points to; the server's own if empty
    std::size_t most_kept = 10'000;  // tokens whose signature is not verified again
  };
  struct Keys {
    SigningKey signing;
    std::vector<VerifyingKey> verifying;  // beside that of the signing key
  };
  // Hub and clock must outlive it.
  ServiceAccountTokens(api::Hub& hub, const Clock& clock, Options options, Keys keys);

  // In place of those it has. Tokens that none of them verifies are refused from then on.
  void set_keys(Keys keys);
  // Where the server is found: part of the discovery document.
  void set_server_url(std::string url);

  struct Known {
    api::UserPtr user;
    std::vector<std::string> audiences;
  };
  // Called from any thread with the key of a Secret whose token was used, and that does not say so
  // yet. Before requests come.
  void on_use(std::function<void(const std::string& key)> listener) {
    on_use_ = std::move(listener);
  }

  // Nothing when the token is none of these issuers'. Fails with kUnauthorized, in the words of
  // kube-apiserver 1.36, when it is and is no good.
  Result<std::optional<Known>> authenticate(std::string_view token,
                                            const std::vector<std::string>& audiences) const;

  const std::vector<std::string>& audiences() const override { return options_.audiences; }
  std::chrono::seconds longest_life() const override { return options_.longest_life; }
  Result<std::string> issue(const Order& order) const override;
  // A token for that Secret of the account's namespace, which does not expire. A worker's work too.
  Result<std::string> issue_for_secret(std::string_view namespace_name,
                                       const api::TokenIssuer::Reference& account,
                                       std::string_view secret) const;
  std::string keys_document() const override;
  std::string discovery_document() const override;

 private:
  // What changes with the keys, all at once.
  struct Trust {
    Trust(Keys given, std::size_t most_kept);
    Keys keys;
    std::vector<VerifyingKey> all;  // each once
    VerifiedTokens verified;
  };
  std::shared_ptr<Trust> trust() const;
  // Null when the token is none of ours.
  Result<VerifiedTokenPtr> verified(std::string_view token) const;
  Result<> check_times(const AccountClaims& claims, Instant now) const;
  Result<> check_subjects(const VerifiedToken& token, Instant now) const;
  // Of a token that is kept in a Secret: whom it stands for.
  Result<api::UserPtr> check_kept(const VerifiedToken& token, std::string_view text,
                                  Instant now) const;
  Result<> check_secret(const VerifiedToken& token, std::string_view text) const;
  Result<> check_account_of_secret(const VerifiedToken& token) const;
  void note_use(const VerifiedToken& token, Instant now) const;

  const Clock& clock_;
  Options options_;
  const api::ResourceCache& accounts_;
  const api::ResourceCache& secrets_;
  const api::ResourceCache& pods_;
  const api::ResourceCache& nodes_;
  std::function<void(const std::string& key)> on_use_;
  mutable std::mutex mu_;
  std::shared_ptr<Trust> trust_;  // guarded by mu_
  std::string server_url_;        // guarded by mu_
};

}  // namespace strake::auth
