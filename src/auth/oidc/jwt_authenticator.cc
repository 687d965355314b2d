#include "auth/oidc/jwt_authenticator.h"

#include <fmt/format.h>

#include "auth/oidc/verify_token.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

using value::Value;

constexpr std::size_t kMostKnown = 10'000;

// What Google wrote before it had a URL, and may write still.
std::string_view issuer_of(const UnverifiedToken& token) {
  const std::string_view issuer = value::text_of(token.claims.root(), "iss");
  return issuer == "accounts.google.com" ? "https://accounts.google.com" : issuer;
}

JwtVerdict refused_token(const Error& why) {
  return {.error = fmt::format("oidc: verify token: {}", why.message())};
}

JwtVerdict unexpanded(std::string_view why) {
  return {.error = fmt::format("oidc: could not expand distributed claims: {}", why)};
}

}  // namespace

JwtAuthenticator::JwtAuthenticator(CompiledJwt jwt, std::shared_ptr<IssuerKeys> keys,
                                   std::shared_ptr<DistributedClaims> claims, const Clock& clock)
    : jwt_(std::move(jwt)),
      keys_(std::move(keys)),
      claims_(std::move(claims)),
      clock_(clock),
      known_(kMostKnown) {}

bool JwtAuthenticator::is_for(const UnverifiedToken& token) const {
  return issuer_of(token) == source().url;
}

std::optional<JwtVerdict> JwtAuthenticator::recall(const Sha256::Digest& digest) const {
  const auto known = known_.find(digest);
  if (!known || known->keys != keys_->keys()) return std::nullopt;
  if (known->claims && claims_->recall(digest) != known->claims) return std::nullopt;
  if (const auto timely = check_times(known->times, clock_); !timely)
    return refused_token(timely.error());
  return known->verdict;
}

JwtVerdict JwtAuthenticator::judge(const UnverifiedToken& token,
                                   const Sha256::Digest& digest) const {
  const KeySetPtr keys = keys_->keys();
  if (!keys) return {.error = "oidc: authenticator not initialized", .wants_keys = true};
  const Result<TokenTimes> times = check_unsigned(token, source(), clock_);
  if (!times) return refused_token(times.error());
  Known known{.verdict = {}, .times = *times, .keys = keys, .claims = {}};
  known.verdict = judge_signed(token, *keys, digest, known.claims);
  JwtVerdict out = known.verdict;
  if (!out.wants_claims) known_.keep(digest, std::make_shared<const Known>(std::move(known)));
  return out;
}

JwtVerdict JwtAuthenticator::judge_signed(const UnverifiedToken& token, const KeySet& keys,
                                          const Sha256::Digest& digest,
                                          FetchedClaimPtr& fetched) const {
  if (!keys.verifies(token)) {
    return {.error =
                "oidc: verify token: failed to verify signature: failed to verify id token "
                "signature",
            .wants_keys = true};
  }
  const Value& claims = token.claims.root();
  const auto elsewhere = find_claim_source(claims, jwt_.mapper->groups_claim());
  if (!elsewhere) return unexpanded(elsewhere.error().message());
  if (!*elsewhere) return judge_claims(claims);
  fetched = claims_ ? claims_->recall(digest) : nullptr;
  if (!fetched) {
    JwtVerdict out = unexpanded("they are not fetched yet");
    out.wants_claims = true;
    return out;
  }
  if (!fetched->error.empty()) return unexpanded(fetched->error);
  value::Document all;
  all.root() = value::deep_copy(claims, all.arena());
  all.root().set(jwt_.mapper->groups_claim(), value::deep_copy(fetched->claim.root(), all.arena()),
                 all.arena());
  return judge_claims(all.root());
}

JwtVerdict JwtAuthenticator::judge_claims(const Value& claims) const {
  Result<api::User> user = jwt_.mapper->user_of(claims);
  if (!user) return {.error = user.error().message()};
  if (!user->in_group("system:authenticated")) user->groups.emplace_back("system:authenticated");
  return {.user = std::make_shared<const api::User>(*std::move(user))};
}

async::Task<> JwtAuthenticator::fetch_claims(std::string_view text, CancelToken cancel) const {
  const Result<UnverifiedToken> token = read_token(text);
  if (!token || !claims_) co_return Result<>();
  const auto elsewhere = find_claim_source(token->claims.root(), jwt_.mapper->groups_claim());
  if (!elsewhere || !*elsewhere) co_return Result<>();
  co_return co_await claims_->fetch(sha256(text), **elsewhere, std::move(cancel));
}

}  // namespace strake::auth
