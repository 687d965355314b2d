#include "auth/oidc/verify_token.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quote.h"
#include "base/rfc3339.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

using value::Value;

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

Result<> check_audience(const Value& claims, const std::vector<std::string>& wanted) {
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

}  // namespace

Result<> check_times(const TokenTimes& times, const Clock& clock) {
  const std::int64_t now = Instant::from(clock.now()).seconds;
  if (times.expires < now)
    return unbelieved(
        fmt::format("oidc: token is expired (Token Expiry: {})", go_time(times.expires)));
  if (now + kEarlySeconds < times.not_before) {
    return unbelieved(fmt::format("oidc: current time {} before the nbf (not before) time: {}",
                                  go_time(now), go_time(times.not_before)));
  }
  return {};
}

Result<TokenTimes> check_unsigned(const UnverifiedToken& token, const TokenSource& source,
                                  const Clock& clock) {
  const Value& claims = token.claims.root();
  STRAKE_CHECK(check_audience(claims, source.audiences));
  for (const std::string_view name : {"exp", "nbf"}) {
    if (!claims.get(name).is_null() && !time_claim(claims, name))
      return unbelieved(fmt::format("oidc: failed to unmarshal claims: {} is no time", name));
  }
  const TokenTimes times{.expires = time_claim(claims, "exp").value_or(-62135596800),
                         .not_before = time_claim(claims, "nbf").value_or(INT64_MIN)};
  STRAKE_CHECK(check_times(times, clock));
  const std::vector<Algorithm>& algorithms = source.algorithms;
  if (!algorithms.empty() && std::ranges::find(algorithms, token.algorithm) == algorithms.end()) {
    std::vector<std::string> names;
    for (const Algorithm one : algorithms) names.emplace_back(to_string(one));
    return unbelieved(
        fmt::format("oidc: id token signed with unsupported algorithm, expected {} got {}",
                    quote_list(names), quote(to_string(token.algorithm))));
  }
  return times;
}

}  // namespace strake::auth
