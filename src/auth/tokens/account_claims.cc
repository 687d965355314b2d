#include "auth/tokens/account_claims.h"

#include <fmt/format.h>

#include <cmath>

#include "base/arena.h"
#include "base/time.h"
#include "meta/service_account.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using value::Value;
using Reference = AccountClaims::Reference;

constexpr std::string_view kPrivate = "kubernetes.io";
// Claims of tokens that are kept in Secrets.
constexpr std::string_view kKeptNamespace = "kubernetes.io/serviceaccount/namespace";
constexpr std::string_view kKeptSecret = "kubernetes.io/serviceaccount/secret.name";
constexpr std::string_view kKeptAccount = "kubernetes.io/serviceaccount/service-account.name";
constexpr std::string_view kKeptUid = "kubernetes.io/serviceaccount/service-account.uid";

std::unexpected<Error> wrong_claim(std::string_view name) {
  return fail(Code::kParse, "the claim {} of the token is of another type", name);
}

Result<std::string> read_text(const Value& object, std::string_view key) {
  const Value& v = object.get(key);
  if (v.is_null()) return std::string();
  if (!v.is_string()) return wrong_claim(key);
  return std::string(v.as_string());
}

// RFC 7519, 4.1.3: one text stands for a list of one.
Result<std::vector<std::string>> read_audiences(const Value& claims) {
  const Value& v = claims.get("aud");
  if (v.is_null()) return std::vector<std::string>();
  if (v.is_string()) return std::vector<std::string>{std::string(v.as_string())};
  std::vector<std::string> out;
  if (!v.is_array()) return wrong_claim("aud");
  for (const Value& one : v.items()) {
    if (!one.is_string()) return wrong_claim("aud");
    out.emplace_back(one.as_string());
  }
  return out;
}

// Whole seconds; a fraction is cut off.
Result<std::optional<std::int64_t>> read_date(const Value& claims, std::string_view key) {
  constexpr double kMost = 9e15;  // beyond any calendar, and exact
  const Value& v = claims.get(key);
  if (v.is_null()) return std::optional<std::int64_t>();
  if (v.type() == value::Type::kInt) return std::optional(v.as_int());
  if (v.type() == value::Type::kDouble && std::abs(v.as_double()) < kMost)
    return std::optional(static_cast<std::int64_t>(v.as_double()));
  return wrong_claim(key);
}

Result<std::optional<Reference>> read_reference(const Value& object, std::string_view key) {
  const Value& v = object.get(key);
  if (v.is_null()) return std::optional<Reference>();
  if (!v.is_object()) return wrong_claim(key);
  Reference out;
  STRAKE_TRY(out.name, read_text(v, "name"));
  STRAKE_TRY(out.uid, read_text(v, "uid"));
  return std::optional(std::move(out));
}

}  // namespace

Result<AccountClaims> read_claims(const Value& claims) {
  AccountClaims out;
  STRAKE_TRY(out.issuer, read_text(claims, "iss"));
  STRAKE_TRY(out.audiences, read_audiences(claims));
  STRAKE_TRY(out.issued, read_date(claims, "iat"));
  STRAKE_TRY(out.not_before, read_date(claims, "nbf"));
  STRAKE_TRY(out.expires, read_date(claims, "exp"));
  STRAKE_TRY(out.id, read_text(claims, "jti"));
  if (out.issuer == kSecretIssuer) {
    out.is_kept = true;
    STRAKE_TRY(out.subject, read_text(claims, "sub"));
    STRAKE_TRY(out.namespace_name, read_text(claims, kKeptNamespace));
    STRAKE_TRY(out.account.name, read_text(claims, kKeptAccount));
    STRAKE_TRY(out.account.uid, read_text(claims, kKeptUid));
    out.secret = Reference();
    STRAKE_TRY(out.secret->name, read_text(claims, kKeptSecret));
    return out;
  }
  const Value& own = claims.get(kPrivate);
  if (own.is_null()) return out;
  if (!own.is_object()) return wrong_claim(kPrivate);
  STRAKE_TRY(out.namespace_name, read_text(own, "namespace"));
  STRAKE_TRY(std::optional<Reference> account, read_reference(own, "serviceaccount"));
  if (account) out.account = *std::move(account);
  STRAKE_TRY(out.pod, read_reference(own, "pod"));
  STRAKE_TRY(out.node, read_reference(own, "node"));
  STRAKE_TRY(out.secret, read_reference(own, "secret"));
  return out;
}

std::string write_claims(const api::TokenIssuer::Order& order, std::string_view issuer) {
  Arena arena;
  const auto write_ref = [&](Value& to, std::string_view key, const Reference& reference) {
    Value& made = to.object_at(key, arena);
    made.set("name", Value::string(reference.name), arena);
    if (!reference.uid.empty()) made.set("uid", Value::string(reference.uid), arena);
  };
  const std::int64_t now = Instant::from(order.now).seconds;
  Value own = Value::object({});
  own.set("namespace", Value::string(order.namespace_name), arena);
  write_ref(own, "serviceaccount", order.account);
  if (order.pod) write_ref(own, "pod", *order.pod);
  if (order.node) write_ref(own, "node", *order.node);
  if (order.secret) write_ref(own, "secret", *order.secret);
  if (order.warn_after.count() > 0)
    own.set("warnafter", Value::integer(now + order.warn_after.count()), arena);
  Value audiences = Value::array({});
  for (const std::string& one : order.audiences) audiences.append(Value::string(one), arena);
  const std::string subject = meta::service_account_user(order.namespace_name, order.account.name);
  Value out = Value::object({});
  out.set("iss", Value::string(issuer), arena);
  out.set("sub", Value::string(subject), arena);
  out.set("aud", audiences, arena);
  out.set("iat", Value::integer(now), arena);
  out.set("nbf", Value::integer(now), arena);
  out.set("exp", Value::integer(now + order.life.count()), arena);
  out.set("jti", Value::string(order.id), arena);
  out.set(kPrivate, own, arena);
  return value::to_json(out);
}

std::string write_kept_claims(std::string_view namespace_name, const Reference& account,
                              std::string_view secret) {
  Arena arena;
  const std::string subject = meta::service_account_user(namespace_name, account.name);
  Value out = Value::object({});
  out.set("iss", Value::string(kSecretIssuer), arena);
  out.set(kKeptNamespace, Value::string(namespace_name), arena);
  out.set(kKeptSecret, Value::string(secret), arena);
  out.set(kKeptAccount, Value::string(account.name), arena);
  out.set(kKeptUid, Value::string(account.uid), arena);
  out.set("sub", Value::string(subject), arena);
  return value::to_json(out);
}

api::UserPtr user_of(const AccountClaims& claims) {
  api::User user;
  user.name = meta::service_account_user(claims.namespace_name, claims.account.name);
  user.uid = claims.account.uid;
  user.groups = meta::service_account_groups(claims.namespace_name);
  user.groups.emplace_back("system:authenticated");
  const auto say = [&user](std::string_view key, const std::string& what) {
    if (!what.empty()) user.extra[fmt::format("authentication.kubernetes.io/{}", key)] = {what};
  };
  if (!claims.id.empty()) say("credential-id", "JTI=" + claims.id);
  if (claims.pod) {
    say("pod-name", claims.pod->name);
    say("pod-uid", claims.pod->uid);
  }
  if (claims.node) {
    say("node-name", claims.node->name);
    say("node-uid", claims.node->uid);
  }
  return std::make_shared<const api::User>(std::move(user));
}

}  // namespace strake::auth
