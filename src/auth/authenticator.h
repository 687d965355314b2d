#pragma once
// Who is asking: client certificates, static bearer tokens and those of service accounts.
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
#include "auth/tokens/service_account_tokens.h"
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
  Result<api::UserPtr> authenticate(const http::Request& request) const override;
  Review review(std::string_view token, const std::vector<std::string>& audiences) const override;
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
  // Of the error, only what says more than that the token is no good.
  Review judge(std::string_view token, const std::vector<std::string>& audiences) const;
  const std::vector<std::string>& own_audiences() const;

  const ServiceAccountTokens* accounts_;
  mutable std::mutex mu_;
  Tokens tokens_;                                   // guarded by mu_
  std::shared_ptr<const Authorities> authorities_;  // guarded by mu_
};

}  // namespace strake::auth
