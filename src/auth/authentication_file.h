#pragma once
// The file of --authentication-config: followed while the server runs. One that cannot be used
// changes nothing, and the log says why.
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "async/file_watch.h"
#include "async/gate.h"
#include "async/workers.h"
#include "auth/authenticator.h"
#include "auth/oidc/jwt_authenticators.h"

namespace strake::auth {

class AuthenticationFile {
 public:
  struct Options {
    std::string path;
    std::vector<std::string> disallowed;  // issuers of service accounts
    // What --anonymous-auth says; nothing when it was not given.
    std::optional<bool> anonymous;
  };
  // Both must outlive it.
  AuthenticationFile(Options options, JwtAuthenticators& issuers, RequestAuthenticator& requests)
      : options_(std::move(options)), issuers_(issuers), requests_(requests) {}

  // Reads it, and puts what it says in force. Does nothing when its text is what it was. Blocks;
  // from any thread.
  Result<> load();
  // Loads it again whenever it changes. Fails when the system cannot tell of changes.
  Result<> follow(const async::Executor& loop, async::Workers& workers);
  async::Task<> stop();

 private:
  Result<> use(const std::string& text);  // under mu_
  boost::asio::awaitable<void> run(async::Workers& workers, async::Gate::Pass pass);

  const Options options_;
  JwtAuthenticators& issuers_;
  RequestAuthenticator& requests_;
  std::mutex mu_;
  std::optional<std::string> seen_;          // guarded by mu_: the text, good or bad
  Result<> last_;                            // guarded by mu_: what came of it
  std::shared_ptr<async::FileWatch> watch_;  // null until it is followed
  std::optional<async::Executor> loop_;
  async::Gate running_;
};

}  // namespace strake::auth
