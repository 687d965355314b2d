#include "auth/oidc/distributed_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "async/cancellable.h"
#include "auth/oidc/https_get.h"
#include "auth/oidc/verify_token.h"
#include "base/quote.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

using value::Document;
using value::Value;

constexpr std::size_t kMostClaimBytes = 1 << 20;
constexpr std::size_t kMostKnownClaims = 10'000;
constexpr std::size_t kMostUnderWay = 64;
// Whose keys are kept up to date. Whoever signs tokens could name any number.
constexpr std::size_t kMostOtherIssuers = 16;

std::unexpected<Error> unresolved(std::string why) {
  return std::unexpected(Error(Code::kUnauthorized, std::move(why)));
}

}  // namespace

std::string discovery_url(std::string_view issuer) {
  if (issuer.ends_with('/')) issuer.remove_suffix(1);
  return fmt::format("{}/.well-known/openid-configuration", issuer);
}

Result<std::optional<ClaimSource>> find_claim_source(const Value& claims, std::string_view claim) {
  const std::optional<ClaimSource> none;
  if (claim.empty() || claims.find(claim) != nullptr) return none;
  const Value* names = claims.find("_claim_names");
  if (names == nullptr) return none;
  if (!names->is_object()) return unresolved("oidc: error parsing distributed claim names");
  const Value* sources = claims.find("_claim_sources");
  if (sources == nullptr) return unresolved("oidc: no claim sources");
  if (!sources->is_object()) return unresolved("oidc: could not parse claim sources");
  const Value* name = names->find(claim);
  if (name == nullptr) return none;
  const std::string_view source = value::text_of(*name);
  const Value* found = sources->find(source);
  if (found == nullptr)
    return unresolved(fmt::format(
        "id token _claim_names contained a source {} missing in _claims_sources", source));
  // Claims that come along as a token of their own are not looked at there either.
  const std::string_view endpoint = value::text_of(*found, "endpoint");
  if (endpoint.empty()) return none;
  return ClaimSource{.claim = std::string(claim),
                     .endpoint = std::string(endpoint),
                     .access_token = Secret(std::string(value::text_of(*found, "access_token")))};
}

DistributedClaims::DistributedClaims(TokenSource source, std::shared_ptr<IssuerKeys> keys,
                                     Means means, KeyTimes times)
    : source_(std::move(source)),
      keys_(std::move(keys)),
      means_(std::move(means)),
      times_(times),
      known_(kMostKnownClaims) {}

FetchedClaimPtr DistributedClaims::recall(const Sha256::Digest& token) const {
  FetchedClaimPtr out = known_.find(token);
  return out && means_.net.clock->steady_now() < out->until ? out : nullptr;
}

void DistributedClaims::end() {
  ending_.cancel();
  const std::lock_guard lock(mu_);
  for (const Other& one : others_) one.keys->end();
}

async::Task<> DistributedClaims::fetch(Sha256::Digest token, ClaimSource source,
                                       CancelToken cancel) {
  async::OneShot<> done;
  bool first = false;
  {
    const std::lock_guard lock(mu_);
    const auto found = under_way_.find(token);
    first = found == under_way_.end();
    if (first && (under_way_.size() >= kMostUnderWay || ending_.cancelled())) co_return Result<>();
    under_way_[token].push_back(done);
  }
  if (first) {
    // It goes on when the first who asked has gone: others may wait.
    boost::asio::co_spawn(
        means_.net.loop, run(shared_from_this(), token, std::move(source), means_.running->enter()),
        boost::asio::detached);
  }
  const CancelRegistration registration = async::end_wait_when(cancel, done);
  co_return co_await done.wait();
}

boost::asio::awaitable<void> DistributedClaims::run(std::shared_ptr<DistributedClaims> self,
                                                    Sha256::Digest token, ClaimSource source,
                                                    async::Gate::Pass pass) {
  const async::Gate::Pass held = std::move(pass);
  if (held) {
    Result<Document> claim = co_await self->get(std::move(source));
    const SteadyTime now = self->means_.net.clock->steady_now();
    FetchedClaim fetched{.claim = {}, .error = {}, .until = {}};
    if (claim) {
      fetched.claim = *std::move(claim);
      fetched.until = now + self->times_.refresh;
    } else {
      fetched.error = claim.error().message();
      fetched.until = now + self->times_.least;
    }
    if (!self->ending_.cancelled())
      self->known_.keep(token, std::make_shared<const FetchedClaim>(std::move(fetched)));
  }
  std::vector<async::OneShot<>> waiting;
  {
    const std::lock_guard lock(self->mu_);
    waiting = std::move(self->under_way_[token]);
    self->under_way_.erase(token);
  }
  for (async::OneShot<>& one : waiting) one.set({});
}

async::Task<Document> DistributedClaims::get(ClaimSource source) {
  auto text = co_await https_get(means_.net.client, source.endpoint,
                                 {.tls = means_.tls,
                                  .timeout = times_.timeout,
                                  .most_bytes = kMostClaimBytes,
                                  .bearer = source.access_token,
                                  .cancel = ending_.token()});
  if (!text)
    co_return unresolved(fmt::format("while getting distributed claim {}: {}", quote(source.claim),
                                     text.error().message()));
  while (text->ends_with('\n') || text->ends_with('\r')) text->pop_back();
  const Result<UnverifiedToken> token = read_token(*text);
  const std::string issuer(token ? value::text_of(token->claims.root(), "iss")
                                 : std::string_view());
  if (issuer.empty())
    co_return unresolved(
        fmt::format("getting untrusted issuer from endpoint {} failed for claim {}",
                    source.endpoint, quote(source.claim)));
  STRAKE_CO_TRY(const KeySetPtr keys, co_await keys_of(issuer));
  if (!keys)
    co_return unresolved(
        fmt::format("verifying untrusted issuer {} failed: verifier not "
                    "initialized for issuer: {}",
                    issuer, quote(issuer)));
  Result<TokenTimes> good = check_unsigned(*token, source_, *means_.net.clock);
  if (good && !keys->verifies(*token)) {
    good = std::unexpected(Error(
        Code::kUnauthorized, "failed to verify signature: failed to verify id token signature"));
  }
  if (!good)
    co_return unresolved(fmt::format("verify distributed claim token: {}", good.error().message()));
  const Value* claim = token->claims.root().find(source.claim);
  if (claim == nullptr)
    co_return unresolved(
        fmt::format("jwt returned by distributed claim endpoint {} did not contain claim: {}",
                    source.endpoint, source.claim));
  Document out;
  out.root() = value::deep_copy(*claim, out.arena());
  co_return out;
}

// An issuer that never had keys may be none at all: it makes way for another one.
bool DistributedClaims::make_room() {
  if (others_.size() < kMostOtherIssuers) return true;
  const auto oldest =
      std::ranges::find_if(others_, [](const Other& one) { return !one.keys->keys(); });
  if (oldest == others_.end()) return false;
  oldest->keys->end();
  others_.erase(oldest);
  return true;
}

async::Task<KeySetPtr> DistributedClaims::keys_of(std::string issuer) {
  if (issuer == source_.url) co_return keys_->keys();
  std::shared_ptr<IssuerKeys> keys;
  {
    const std::lock_guard lock(mu_);
    const auto found = std::ranges::find(others_, issuer, &Other::issuer);
    if (found != others_.end()) {
      keys = found->keys;
    } else if (!ending_.cancelled() && make_room()) {
      keys = std::make_shared<IssuerKeys>(IssuerKeys::Source{.issuer = issuer,
                                                             .discovery_url = discovery_url(issuer),
                                                             .tls = means_.tls,
                                                             .file = {}},
                                          means_.net, times_);
      keys->begin(*means_.running);
      others_.push_back({.issuer = issuer, .keys = keys});
    }
  }
  if (!keys) co_return KeySetPtr();
  if (!keys->keys()) STRAKE_CO_CHECK(co_await keys->refresh(ending_.token()));
  co_return keys->keys();
}

}  // namespace strake::auth
