#pragma once
// An issuer of tokens for tests: discovery and keys over TLS, and tokens that it signs.
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/loops.h"
#include "auth/jwt/jwt.h"
#include "auth/oidc/config.h"
#include "base/time.h"
#include "http/pki.h"
#include "http/server.h"

namespace strake::auth::testing {

class TestIssuer final : public http::Handler {
 public:
  TestIssuer();
  ~TestIssuer() override;

  std::string url() const;
  const std::string& ca_pem() const { return authority_.certificate_pem; }
  std::string keys_document() const;

  // Signs with another key from now on; the keys before it are gone.
  void rotate();
  // Claims beside issuer, audience and times: `"sub":"ann"`. `change` edits the whole of them.
  std::string token(std::string_view claims = R"("sub":"ann")", std::string_view audience = "app",
                    std::int64_t expires_in = 3600, std::string_view more = "") const;
  // Any claims, with this header in place of its own.
  std::string sign(std::string_view claims) const;
  std::string sign_with_header(std::string_view header, std::string_view claims) const;

  // A configuration that names users by `sub`, for the audience "app".
  JwtConfig config() const;

  std::atomic<bool> down = false;     // answers 503
  std::atomic<bool> is_slow = false;  // answers after a second
  std::string says_issuer;            // in the discovery document, when not empty
  std::atomic<int> discoveries = 0;   // how often each was asked for
  std::atomic<int> key_fetches = 0;
  // All other pages; set before anyone asks.
  std::function<http::Response(const http::Request&)> other_pages;
  FakeClock clock;

  boost::asio::awaitable<http::Response> handle(http::Request request) override;
  bool is_authenticated(const http::Request&) const override { return true; }

 private:
  async::Loops loops_{1};
  http::CertifiedKey authority_;
  mutable std::mutex mu_;
  std::optional<SigningKey> key_;  // guarded by mu_
  std::unique_ptr<http::Server> server_;
};

}  // namespace strake::auth::testing
