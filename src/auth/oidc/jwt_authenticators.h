#pragma once
// The issuers whose tokens are believed, replaced as a whole when the configuration changes. Those
// that stay keep their keys, so that nobody is shut out by a change that does not concern them. May
// be used from any thread.
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/loops.h"
#include "async/workers.h"
#include "auth/oidc/jwt_authenticator.h"
#include "base/secret.h"

namespace strake::auth {

class JwtAuthenticators {
 public:
  // All must outlive it.
  JwtAuthenticators(const async::Loops& loops, async::Workers& workers, const Clock& clock,
                    KeyTimes times = {});
  ~JwtAuthenticators();

  // Keys are fetched from start() on.
  void set(std::vector<CompiledJwt> issuers);
  void start();
  // Asks nobody any more. Before the loops end.
  async::Task<> stop();

  bool empty() const;
  // An empty verdict for a token that none of them knows.
  JwtVerdict judge(std::string_view token) const;
  // The same, once the keys of its issuer have been fetched again, or the claims that it says are
  // elsewhere. Nobody waits any longer once
  // `cancel` is cancelled.
  boost::asio::awaitable<JwtVerdict> judge_anew(Secret token, CancelToken cancel) const;

 private:
  using Issuers = std::vector<std::shared_ptr<const JwtAuthenticator>>;
  std::shared_ptr<const Issuers> issuers() const;
  IssuerKeys::Means means();
  std::shared_ptr<IssuerKeys> keys_for(const CompiledJwt& jwt, const Issuers& before);

  const async::Loops& loops_;
  async::Workers& workers_;
  const Clock& clock_;
  const KeyTimes times_;
  async::Gate running_;
  mutable std::mutex mu_;
  bool started_ = false;                    // guarded by mu_
  std::shared_ptr<http::Client> client_;    // guarded by mu_; null until it is needed
  std::shared_ptr<const Issuers> issuers_;  // guarded by mu_
};

}  // namespace strake::auth
