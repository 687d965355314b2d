#include "auth/oidc/jwt_authenticators.h"

#include <algorithm>

namespace strake::auth {
namespace {

std::string discovery_url_of(const TokenSource& source) {
  return source.discovery_url.empty() ? discovery_url(source.url) : source.discovery_url;
}

// Whether both get their keys from the same place, in the same way.
bool share_keys(const TokenSource& a, const TokenSource& b) {
  return a.url == b.url && a.discovery_url == b.discovery_url &&
         a.certificate_authority == b.certificate_authority && a.keys_file == b.keys_file;
}

}  // namespace

JwtAuthenticators::JwtAuthenticators(const async::Loops& loops, async::Workers& workers,
                                     const Clock& clock, KeyTimes times)
    : loops_(loops),
      workers_(workers),
      clock_(clock),
      times_(times),
      issuers_(std::make_shared<const Issuers>()) {}

JwtAuthenticators::~JwtAuthenticators() = default;

std::shared_ptr<const JwtAuthenticators::Issuers> JwtAuthenticators::issuers() const {
  const std::lock_guard lock(mu_);
  return issuers_;
}

bool JwtAuthenticators::empty() const { return issuers()->empty(); }

IssuerKeys::Means JwtAuthenticators::means() {
  const std::lock_guard lock(mu_);
  if (!client_) client_ = std::make_shared<http::Client>(loops_, http::ClientOptions());
  return {.client = client_, .loop = loops_.at(0), .workers = &workers_, .clock = &clock_};
}

std::shared_ptr<IssuerKeys> JwtAuthenticators::keys_for(const CompiledJwt& jwt,
                                                        const Issuers& before) {
  const TokenSource& source = jwt.config.issuer;
  for (const auto& one : before) {
    if (share_keys(one->source(), source)) return one->keys();
  }
  bool is_started = false;
  {
    const std::lock_guard lock(mu_);
    is_started = started_;
  }
  auto keys =
      std::make_shared<IssuerKeys>(IssuerKeys::Source{.issuer = source.url,
                                                      .discovery_url = discovery_url_of(source),
                                                      .tls = jwt.tls,
                                                      .file = source.keys_file},
                                   means(), times_);
  if (is_started) keys->begin(running_);
  return keys;
}

void JwtAuthenticators::start() {
  {
    const std::lock_guard lock(mu_);
    started_ = true;
  }
  for (const auto& one : *issuers()) one->keys()->begin(running_);
}

void JwtAuthenticators::set(std::vector<CompiledJwt> list) {
  const std::shared_ptr<const Issuers> before = issuers();
  auto fresh = std::make_shared<Issuers>();
  for (CompiledJwt& one : list) {
    std::shared_ptr<IssuerKeys> keys = keys_for(one, *before);
    auto claims = std::make_shared<DistributedClaims>(
        one.config.issuer, keys,
        DistributedClaims::Means{.net = means(), .tls = one.tls, .running = &running_}, times_);
    fresh->push_back(std::make_shared<const JwtAuthenticator>(std::move(one), std::move(keys),
                                                              std::move(claims), clock_));
  }
  for (const auto& one : *before) {
    const auto uses = [&](const auto& other) { return other->keys() == one->keys(); };
    if (std::ranges::none_of(*fresh, uses)) one->keys()->end();
    one->claims()->end();
  }
  const std::lock_guard lock(mu_);
  issuers_ = std::move(fresh);
}

async::Task<> JwtAuthenticators::stop() {
  for (const auto& one : *issuers()) {
    one->keys()->end();
    one->claims()->end();
  }
  co_await running_.close();
  const std::lock_guard lock(mu_);
  issuers_ = std::make_shared<const Issuers>();
  client_.reset();
  co_return Result<>();
}

JwtVerdict JwtAuthenticators::judge(std::string_view text) const {
  const std::shared_ptr<const Issuers> known = issuers();
  if (known->empty()) return {};
  const Sha256::Digest digest = sha256(text);
  for (const auto& one : *known) {
    if (auto verdict = one->recall(digest)) return *std::move(verdict);
  }
  const Result<UnverifiedToken> token = read_token(text);
  if (!token) return {};
  for (const auto& one : *known) {
    if (one->is_for(*token)) return one->judge(*token, digest);
  }
  return {};
}

boost::asio::awaitable<JwtVerdict> JwtAuthenticators::judge_anew(Secret token,
                                                                 CancelToken cancel) const {
  JwtVerdict verdict = judge(token.reveal());
  if (!verdict.wants_keys && !verdict.wants_claims) co_return verdict;
  const std::shared_ptr<const Issuers> known = issuers();
  const Result<UnverifiedToken> read = read_token(token.reveal());
  if (!read) co_return verdict;
  for (const auto& one : *known) {
    if (!one->is_for(*read)) continue;
    if (verdict.wants_keys) {
      static_cast<void>(co_await one->keys()->refresh(cancel));
      verdict = judge(token.reveal());
    }
    if (!verdict.wants_claims) co_return verdict;
    static_cast<void>(co_await one->fetch_claims(token.reveal(), cancel));
    co_return judge(token.reveal());
  }
  co_return verdict;
}

}  // namespace strake::auth
