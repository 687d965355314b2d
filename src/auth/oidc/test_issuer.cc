#include "auth/oidc/test_issuer.h"

#include <fmt/format.h>

#include "async/signal.h"
#include "auth/jwt/test_keys.h"
#include "base/base64.h"

namespace strake::auth::testing {
namespace {

http::Response json_response(std::string text, int status = 200) {
  http::Response out;
  out.status = status;
  out.headers.add("Content-Type", "application/json");
  out.body.emplace_back(std::move(text));
  return out;
}

}  // namespace

TestIssuer::TestIssuer() {
  const WallTime now = system_clock().now();
  const http::Validity validity{.from = now - std::chrono::hours(1),
                                .until = now + std::chrono::hours(24)};
  authority_ = http::make_ca("issuer authority", validity).value();
  const http::CertifiedKey serving =
      http::issue_certificate(authority_, {.common_name = "issuer",
                                           .organizations = {},
                                           .dns_names = {},
                                           .ip_addresses = {"127.0.0.1"},
                                           .validity = validity})
          .value();
  rotate();
  http::ServerOptions options;
  options.tls = http::TlsOptions{.certificate_pem = serving.certificate_pem,
                                 .key_pem = std::string(serving.key_pem.reveal()),
                                 .client_ca_pem = {}};
  server_ = http::Server::listen(std::move(options), loops_, *this).value();
}

TestIssuer::~TestIssuer() = default;

std::string TestIssuer::url() const { return fmt::format("https://127.0.0.1:{}", server_->port()); }

void TestIssuer::rotate() {
  const std::lock_guard lock(mu_);
  key_ = SigningKey::read(ec_key("P-256")).value();
}

std::string TestIssuer::keys_document() const {
  const std::lock_guard lock(mu_);
  return fmt::format(R"({{"keys":[{}]}})", key_->verifying().jwk());
}

std::string TestIssuer::sign(std::string_view claims) const {
  const std::lock_guard lock(mu_);
  return write_token(claims, *key_).value();
}

std::string TestIssuer::sign_with_header(std::string_view header, std::string_view claims) const {
  const std::lock_guard lock(mu_);
  std::string out = fmt::format("{}.{}", base64_encode(header, Base64::kUrlRaw),
                                base64_encode(claims, Base64::kUrlRaw));
  const std::string signature = key_->sign(out).value();
  return fmt::format("{}.{}", out, base64_encode(signature, Base64::kUrlRaw));
}

std::string TestIssuer::token(std::string_view claims, std::string_view audience,
                              std::int64_t expires_in, std::string_view more) const {
  const std::int64_t now = Instant::from(clock.now()).seconds;
  return sign(fmt::format(R"({{"iss":"{}","aud":"{}","iat":{},"exp":{},{}{}}})", url(), audience,
                          now, now + expires_in, claims, more));
}

JwtConfig TestIssuer::config() const {
  JwtConfig out;
  out.issuer.url = url();
  out.issuer.certificate_authority = ca_pem();
  out.issuer.audiences = {"app"};
  out.username = {.claim = "sub", .prefix = "", .expression = {}};
  return out;
}

boost::asio::awaitable<http::Response> TestIssuer::handle(http::Request request) {
  if (is_slow) static_cast<void>(co_await async::sleep_for(std::chrono::seconds(1)));
  if (down) co_return json_response("gone", 503);
  if (request.path == "/.well-known/openid-configuration") {
    ++discoveries;
    co_return json_response(fmt::format(R"({{"issuer":"{}","jwks_uri":"{}/keys"}})",
                                        says_issuer.empty() ? url() : says_issuer, url()));
  }
  if (request.path == "/keys") {
    ++key_fetches;
    co_return json_response(keys_document());
  }
  if (request.path == "/moved") {
    http::Response out = json_response("");
    out.status = 302;
    out.headers.add("Location", "/.well-known/openid-configuration");
    co_return out;
  }
  if (other_pages) co_return other_pages(request);
  co_return json_response("no such page", 404);
}

}  // namespace strake::auth::testing
