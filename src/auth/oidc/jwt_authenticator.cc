#include "auth/oidc/jwt_authenticator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quote.h"
#include "base/rfc3339.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

using value::Value;

constexpr std::size_t kMostKnown = 10'000;
// Clocks differ. A token that has expired has expired, as in kube-apiserver.
constexpr std::int64_t kEarlySeconds = 60;
constexpr std::int64_t kMostSeconds = std::int64_t{1} << 50;

std::unexpected<Error> unbelieved(std::string why) {
  return std::unexpected(Error(Code::kUnauthorized, std::move(why)));
}

// Seconds since 1970, of which parts are cut off; nothing when it is no number.
std::optional<std::int64_t> time_claim(const Value& claims, std::string_view name) {
  const Value& v = claims.get(name);
  if (!v.is_number()) return std::nullopt;
  const double seconds = v.as_double();
  if (!std::isfinite(seconds) || std::fabs(seconds) > static_cast<double>(kMostSeconds))
    return std::nullopt;
  return static_cast<std::int64_t>(seconds);
}

std::vector<std::string> audiences_of(const Value& claims) {
  const Value& v = claims.get("aud");
  std::vector<std::string> out;
  if (v.is_string()) out.emplace_back(v.as_string());
  for (const Value& one : v.items()) {
    if (one.is_string()) out.emplace_back(one.as_string());
  }
  return out;
}

// As Go prints a time.
std::string go_time(std::int64_t seconds) {
  std::string text = format_rfc3339({.seconds = seconds});
  if (text.size() == 20) {
    text[10] = ' ';
    text.replace(19, 1, " +0000 UTC");
  }
  return text;
}

// What Google wrote before it had a URL, and may write still.
std::string_view issuer_of(const UnverifiedToken& token) {
  const std::string_view issuer = value::text_of(token.claims.root(), "iss");
  return issuer == "accounts.google.com" ? "https://accounts.google.com" : issuer;
}

JwtVerdict refused_token(const Error& why) {
  return {.error = fmt::format("oidc: verify token: {}", why.message())};
}

}  // namespace

JwtAuthenticator::JwtAuthenticator(CompiledJwt jwt, std::shared_ptr<IssuerKeys> keys,
                                   const Clock& clock)
    : jwt_(std::move(jwt)), keys_(std::move(keys)), clock_(clock), known_(kMostKnown) {}

bool JwtAuthenticator::is_for(const UnverifiedToken& token) const {
  return issuer_of(token) == source().url;
}

Result<> JwtAuthenticator::check_audience(const Value& claims) const {
  const std::vector<std::string>& wanted = source().audiences;
  const std::vector<std::string> got = audiences_of(claims);
  const auto is_wanted = [&](const std::string& one) {
    return std::ranges::find(wanted, one) != wanted.end();
  };
  if (std::ranges::any_of(got, is_wanted)) return {};
  if (wanted.size() == 1)
    return unbelieved(
        fmt::format("oidc: expected audience {} got {}", quote(wanted[0]), quote_list(got)));
  std::vector<std::string> sorted = wanted;
  std::ranges::sort(sorted);
  return unbelieved(
      fmt::format("oidc: expected audience in {} got {}", quote_list(sorted), quote_list(got)));
}

Result<> JwtAuthenticator::check_times(std::int64_t expires, std::int64_t not_before) const {
  const std::int64_t now = Instant::from(clock_.now()).seconds;
  if (expires < now)
    return unbelieved(fmt::format("oidc: token is expired (Token Expiry: {})", go_time(expires)));
  if (now + kEarlySeconds < not_before) {
    return unbelieved(fmt::format("oidc: current time {} before the nbf (not before) time: {}",
                                  go_time(now), go_time(not_before)));
  }
  return {};
}

std::optional<JwtVerdict> JwtAuthenticator::recall(const Sha256::Digest& digest) const {
  const auto known = known_.find(digest);
  if (!known || known->keys != keys_->keys()) return std::nullopt;
  if (const auto timely = check_times(known->expires, known->not_before); !timely)
    return refused_token(timely.error());
  return known->verdict;
}

JwtVerdict JwtAuthenticator::judge(const UnverifiedToken& token,
                                   const Sha256::Digest& digest) const {
  const Value& claims = token.claims.root();
  const KeySetPtr keys = keys_->keys();
  if (!keys) return {.error = "oidc: authenticator not initialized", .wants_keys = true};
  if (const auto meant = check_audience(claims); !meant) return refused_token(meant.error());
  for (const std::string_view name : {"exp", "nbf"}) {
    if (!claims.get(name).is_null() && !time_claim(claims, name))
      return {.error = fmt::format(
                  "oidc: verify token: oidc: failed to unmarshal claims: {} is no time", name)};
  }
  Known known{.verdict = {},
              .expires = time_claim(claims, "exp").value_or(-62135596800),
              .not_before = time_claim(claims, "nbf").value_or(INT64_MIN),
              .keys = keys};
  if (const auto timely = check_times(known.expires, known.not_before); !timely)
    return refused_token(timely.error());
  const std::vector<Algorithm>& algorithms = source().algorithms;
  if (!algorithms.empty() && std::ranges::find(algorithms, token.algorithm) == algorithms.end()) {
    std::vector<std::string> names;
    for (const Algorithm one : algorithms) names.emplace_back(to_string(one));
    return {.error = fmt::format("oidc: verify token: oidc: id token signed with unsupported "
                                 "algorithm, expected {} got {}",
                                 quote_list(names), quote(to_string(token.algorithm)))};
  }
  known.verdict = judge_signed(token, *keys);
  JwtVerdict out = known.verdict;
  known_.keep(digest, std::make_shared<const Known>(std::move(known)));
  return out;
}

JwtVerdict JwtAuthenticator::judge_signed(const UnverifiedToken& token, const KeySet& keys) const {
  if (!keys.verifies(token)) {
    return {.error =
                "oidc: verify token: failed to verify signature: failed to verify id token "
                "signature",
            .wants_keys = true};
  }
  Result<api::User> user = jwt_.mapper->user_of(token.claims.root());
  if (!user) return {.error = user.error().message()};
  if (!user->in_group("system:authenticated")) user->groups.emplace_back("system:authenticated");
  return {.user = std::make_shared<const api::User>(*std::move(user))};
}

}  // namespace strake::auth
