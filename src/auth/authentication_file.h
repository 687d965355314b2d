#pragma once
// The file of --authentication-config. One that cannot be used changes nothing.
#include <mutex>
#include <optional>
#include <string>
#include <vector>

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

 private:
  Result<> use(const std::string& text);  // under mu_

  const Options options_;
  JwtAuthenticators& issuers_;
  RequestAuthenticator& requests_;
  std::mutex mu_;
  std::optional<std::string> seen_;  // guarded by mu_: the text, good or bad
  Result<> last_;                    // guarded by mu_: what came of it
};

}  // namespace strake::auth
