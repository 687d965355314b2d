#pragma once
// Who is asking: client certificates; bearer tokens that are static, of service accounts, of other
// issuers, or known to a webhook, asked in the order of kube-apiserver 1.36.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/roles.h"
#include "api/request/tokens.h"
#include "auth/front_proxy.h"
#include "auth/oidc/jwt_authenticators.h"
#include "auth/tokens/service_account_tokens.h"
#include "auth/webhook/token_webhook.h"
#include "base/secret.h"

namespace strake::auth {

struct StaticToken {
  Secret token;
  api::User user;
};

// Lines of `token,user,uid,"group1,group2"`, as the API server's token file has them. Fails with
// kParse, naming the line and never its content.
Result<std::vector<StaticToken>> read_token_file(std::string_view text);

// May be called from any thread.
class RequestAuthenticator final : public api::Authenticator, public api::TokenReviewer {
 public:
  // The accounts may be null, and must outlive it.
  explicit RequestAuthenticator(std::vector<StaticToken> tokens,
                                const ServiceAccountTokens* accounts = nullptr);
  // Who else knows of tokens; before requests come. They must outlive it.
  void use(const JwtAuthenticators& issuers) { issuers_ = &issuers; }
  void use(const TokenWebhook& webhook) { webhook_ = &webhook; }
  // Certificates, and tokens of which something is known here.
  Result<api::UserPtr> authenticate(const http::Request& request) const override;
  // Tokens whose issuer may have new keys, and those that the webhook must be asked about.
  std::optional<async::Task<api::UserPtr>> look_up(const http::Request& request) const override;
  bool allows_anonymous(std::string_view path) const override;
  boost::asio::awaitable<Review> review(Secret token, std::vector<std::string> audiences,
                                        CancelToken cancel) const override;
  // Who may come without credentials; everyone until it is set.
  void set_anonymous(AnonymousConfig anonymous);
  // In place of those it has; requests that come later are judged by these.
  void set_tokens(std::vector<StaticToken> tokens);
  // Whose certificates say what, each authority by the SHA-256 sum of its certificate. Until they
  // are set, every certificate that TLS has verified is a client's own.
  struct Authorities {
    std::set<std::string> clients;
    std::optional<FrontProxy> proxy;
  };
  void set_authorities(Authorities authorities);

 private:
  struct Known {
    Secret token;
    api::UserPtr user;
  };
  using Tokens = std::shared_ptr<const std::vector<Known>>;
  Tokens tokens() const;
  std::shared_ptr<const Authorities> authorities() const;
  // What comes of a token. Of the errors, only what says more than that it is no good.
  struct Judged {
    Review review = {};
    std::vector<std::string> errors = {};
    bool wants_issuer = false;   // it may have new keys, or claims
    bool wants_webhook = false;  // it must be asked
    bool undecided() const { return wants_issuer || wants_webhook; }
  };
  // By what is known here.
  Judged judge(std::string_view token, const std::vector<std::string>& audiences) const;
  // By everyone who may know.
  boost::asio::awaitable<Judged> judge_by_all(Secret token, std::vector<std::string> audiences,
                                              CancelToken cancel) const;
  // Of tokens that are meant for the server, whatever they say.
  Review for_server(api::UserPtr user, const std::vector<std::string>& audiences) const;
  const std::vector<std::string>& own_audiences() const;

  const ServiceAccountTokens* accounts_;
  const JwtAuthenticators* issuers_ = nullptr;
  const TokenWebhook* webhook_ = nullptr;
  mutable std::mutex mu_;
  Tokens tokens_;                                   // guarded by mu_
  std::shared_ptr<const Authorities> authorities_;  // guarded by mu_
  AnonymousConfig anonymous_;                       // guarded by mu_
};

}  // namespace strake::auth
