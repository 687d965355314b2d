#include "auth/tokens/service_account_tokens.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "auth/jwt/jwt.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "meta/object_meta.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using api::Object;
using api::ObjectPtr;
using Reference = AccountClaims::Reference;

// Clocks differ: kube-apiserver 1.36 lets a minute pass before and after.
constexpr std::int64_t kLeewaySeconds = 60;

constexpr std::string_view kInvalidated = "service account token has been invalidated";

std::unexpected<Error> untrusted(std::string_view why) {
  return fail(Code::kUnauthorized, "{}", why);
}

// How an object stands that a token depends on.
struct Standing {
  bool there = false;
  bool deleted = false;  // and has been for longer than clocks differ
  std::string uid;
};

// `seen` is the revision at which it was found to be the one: the common case, in which nothing is
// read. An object that is being deleted is looked at each time.
Standing standing_of(const api::ResourceCache& cache, std::string_view namespace_name,
                     const Reference& reference, Instant now, std::atomic<api::Revision>& seen) {
  const std::string key =
      namespace_name.empty()
          ? fmt::format("{}{}", cache.prefix(), reference.name)
          : fmt::format("{}{}/{}", cache.prefix(), namespace_name, reference.name);
  const ObjectPtr object = cache.get(key);
  if (!object) return {};
  Standing out{.there = true, .deleted = false, .uid = reference.uid};
  if (object->revision() == seen.load(std::memory_order_relaxed)) return out;
  const auto document = api::parse_stored(*object->bytes());
  if (!document) return {};
  const meta::ObjectMeta metadata = meta::ObjectMeta::of(document->root());
  out.uid = metadata.uid();
  if (metadata.is_being_deleted()) {
    const auto since = parse_rfc3339(metadata.deletion_timestamp());
    out.deleted = !since || since->seconds < now.seconds - kLeewaySeconds;
  } else if (out.uid == reference.uid) {
    seen.store(object->revision(), std::memory_order_relaxed);
  }
  return out;
}

}  // namespace

std::vector<std::string> common_audiences(const std::vector<std::string>& have,
                                          const std::vector<std::string>& wanted) {
  std::vector<std::string> out;
  for (const std::string& one : wanted) {
    if (std::ranges::find(have, one) != have.end()) out.push_back(one);
  }
  return out;
}

// Nodes lie where kube-apiserver 1.36 puts them, under the name that they had once.
ServiceAccountTokens::ServiceAccountTokens(api::Hub& hub, const Clock& clock, Options options,
                                           Keys keys)
    : clock_(clock),
      options_(std::move(options)),
      accounts_(hub.cache("/registry/serviceaccounts/")),
      secrets_(hub.cache("/registry/secrets/")),
      pods_(hub.cache("/registry/pods/")),
      nodes_(hub.cache("/registry/minions/")) {
  if (options_.audiences.empty()) options_.audiences = {options_.issuers.front()};
  set_keys(std::move(keys));
}

ServiceAccountTokens::Trust::Trust(Keys given, std::size_t most_kept)
    : keys(std::move(given)), all({keys.signing.verifying()}), verified(most_kept) {
  for (const VerifyingKey& one : keys.verifying) {
    if (std::ranges::find(all, one.id(), &VerifyingKey::id) == all.end()) all.push_back(one);
  }
}

void ServiceAccountTokens::set_keys(Keys keys) {
  auto fresh = std::make_shared<Trust>(std::move(keys), options_.most_kept);
  const std::lock_guard lock(mu_);
  trust_ = std::move(fresh);
}

void ServiceAccountTokens::set_server_url(std::string url) {
  const std::lock_guard lock(mu_);
  server_url_ = std::move(url);
}

std::shared_ptr<ServiceAccountTokens::Trust> ServiceAccountTokens::trust() const {
  const std::lock_guard lock(mu_);
  return trust_;
}

Result<std::string> ServiceAccountTokens::issue(const Order& order) const {
  return write_token(write_claims(order, options_.issuers.front()), trust()->keys.signing);
}

Result<VerifiedTokenPtr> ServiceAccountTokens::verified(std::string_view text) const {
  const std::shared_ptr<Trust> trusted = trust();
  const Sha256::Digest digest = sha256(text);
  if (VerifiedTokenPtr known = trusted->verified.find(digest)) return known;
  const Result<UnverifiedToken> token = read_token(text);
  if (!token) return VerifiedTokenPtr();
  const std::string_view issuer = value::text_of(token->claims.root(), "iss");
  if (std::ranges::find(options_.issuers, issuer) == options_.issuers.end())
    return VerifiedTokenPtr();
  // A token that names a key is verified with that one alone.
  bool tried = false;
  bool good = false;
  for (const VerifyingKey& key : trusted->all) {
    if (!token->key_id.empty() && token->key_id != key.id()) continue;
    tried = true;
    good = token->is_signed_by(key);
    if (good) break;
  }
  if (!tried) return untrusted("invalid signature, no keys found");
  if (!good) return untrusted("square/go-jose: error in cryptographic primitive");
  STRAKE_TRY(AccountClaims claims, read_claims(token->claims.root()));
  auto fresh = std::make_shared<VerifiedToken>();
  fresh->user = user_of(claims);
  fresh->claims = std::move(claims);
  trusted->verified.keep(digest, fresh);
  return VerifiedTokenPtr(std::move(fresh));
}

Result<> ServiceAccountTokens::check_times(const AccountClaims& claims, Instant now) const {
  if (claims.not_before && now.seconds + kLeewaySeconds < *claims.not_before)
    return untrusted("service account token is not valid yet");
  if (claims.expires && now.seconds - kLeewaySeconds > *claims.expires)
    return untrusted("service account token has expired");
  if (claims.issued && now.seconds + kLeewaySeconds < *claims.issued) {
    return untrusted(
        "service account token claims could not be validated due to unexpected validation error");
  }
  return {};
}

Result<> ServiceAccountTokens::check_subjects(const VerifiedToken& token, Instant now) const {
  const AccountClaims& claims = token.claims;
  const Standing account =
      standing_of(accounts_, claims.namespace_name, claims.account, now, token.account_seen);
  if (!account.there)
    return fail(Code::kUnauthorized, "serviceaccounts {} not found", quote(claims.account.name));
  if (account.deleted) {
    return fail(Code::kUnauthorized, "service account {}/{} has been deleted",
                claims.namespace_name, claims.account.name);
  }
  if (account.uid != claims.account.uid) {
    return fail(Code::kUnauthorized, "service account UID ({}) does not match claim ({})",
                account.uid, claims.account.uid);
  }
  const auto check_bound = [&](const api::ResourceCache& cache, std::string_view namespace_name,
                               const Reference& reference, std::string_view name,
                               std::string_view claim) -> Result<> {
    const Standing bound = standing_of(cache, namespace_name, reference, now, token.bound_seen);
    if (!bound.there || bound.deleted) return untrusted(kInvalidated);
    if (bound.uid == reference.uid) return {};
    return fail(Code::kUnauthorized, "{} UID ({}) does not match service account {} ref claim ({})",
                name, bound.uid, claim, reference.uid);
  };
  if (claims.secret)
    STRAKE_CHECK(check_bound(secrets_, claims.namespace_name, *claims.secret, "secret", "secret"));
  if (claims.pod)
    STRAKE_CHECK(check_bound(pods_, claims.namespace_name, *claims.pod, "pod", "pod"));
  // The node of a pod is told along, and need not be there any more.
  if (claims.node && !claims.pod)
    STRAKE_CHECK(check_bound(nodes_, "", *claims.node, "node", "node"));
  return {};
}

Result<std::optional<ServiceAccountTokens::Known>> ServiceAccountTokens::authenticate(
    std::string_view text, const std::vector<std::string>& wanted) const {
  STRAKE_TRY(const VerifiedTokenPtr token, verified(text));
  if (!token) return std::optional<Known>();
  const AccountClaims& claims = token->claims;
  // Without any, it is meant for the server.
  const std::vector<std::string>& meant =
      claims.audiences.empty() ? options_.audiences : claims.audiences;
  Known out{.user = token->user, .audiences = common_audiences(meant, wanted)};
  if (out.audiences.empty()) {
    return fail(Code::kUnauthorized, "token audiences {} is invalid for the target audiences {}",
                quote_list(meant), quote_list(wanted));
  }
  const Instant now = Instant::from(clock_.now());
  STRAKE_CHECK(check_times(claims, now));
  STRAKE_CHECK(check_subjects(*token, now));
  return std::optional<Known>(std::move(out));
}

std::string ServiceAccountTokens::keys_document() const {
  if (!options_.issuers.front().starts_with("https://")) return {};
  std::vector<std::string> keys;
  for (const VerifyingKey& one : trust()->all) keys.push_back(one.jwk());
  return fmt::format(R"({{"keys":[{}]}})", fmt::join(keys, ","));
}

std::string ServiceAccountTokens::discovery_document() const {
  const std::string& issuer = options_.issuers.front();
  if (!issuer.starts_with("https://")) return {};
  std::string keys_url = options_.keys_url;
  if (keys_url.empty()) {
    const std::lock_guard lock(mu_);
    keys_url = server_url_ + "/openid/v1/jwks";
  }
  std::vector<std::string> algorithms;
  for (const VerifyingKey& one : trust()->all)
    algorithms.push_back(fmt::format("\"{}\"", to_string(one.algorithm())));
  std::ranges::sort(algorithms);
  const auto repeated = std::ranges::unique(algorithms);
  algorithms.erase(repeated.begin(), repeated.end());
  std::string issuer_text;
  std::string url_text;
  value::write_json_string(issuer, issuer_text);
  value::write_json_string(keys_url, url_text);
  return fmt::format(
      R"({{"issuer":{},"jwks_uri":{},"response_types_supported":["id_token"],)"
      R"("subject_types_supported":["public"],"id_token_signing_alg_values_supported":[{}]}})",
      issuer_text, url_text, fmt::join(algorithms, ","));
}

}  // namespace strake::auth
