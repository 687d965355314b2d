#include "auth/oidc/claim_mapper.h"

#include <fmt/format.h>

#include <set>

#include "base/quote.h"
#include "cel/value/containers.h"
#include "meta/names.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;
using About = ClaimExpression::About;
using Gives = ClaimExpression::Gives;

constexpr std::string_view kCredentialId = "authentication.kubernetes.io/credential-id";

std::unexpected<Error> refused(std::string why) {
  return std::unexpected(Error(Code::kUnauthorized, std::move(why)));
}

FieldError invalid(const FieldPath& at, std::string_view met, std::string detail) {
  return FieldError::invalid(at, Value::string(met), std::move(detail));
}

std::string_view json_word(const Value& v) {
  if (v.is_number()) return "number";
  if (v.is_bool()) return "bool";
  return value::to_string(v.type());
}

// As encoding/json reads a text: null leaves it empty.
Result<std::string> text_claim(const Value& claims, std::string_view name) {
  const Value* found = claims.find(name);
  if (found == nullptr) return fail(Code::kUnauthorized, "claim not present");
  if (!found->is_string() && !found->is_null())
    return fail(Code::kUnauthorized, "json: cannot unmarshal {} into Go value of type string",
                json_word(*found));
  return std::string(value::text_of(*found));
}

// A list of texts, or one text.
Result<std::vector<std::string>> texts_claim(const Value& claims, std::string_view name) {
  const Value& found = claims.get(name);
  std::vector<std::string> out;
  bool all = found.is_array();
  for (const Value& one : found.items()) {
    all = all && (one.is_string() || one.is_null());
    out.emplace_back(value::text_of(one));
  }
  if (all || found.is_null()) return out;
  STRAKE_TRY(std::string text, text_claim(claims, name));
  return std::vector{std::move(text)};
}

// What CEL sees of the claims: all numbers are doubles, as encoding/json reads them. No deeper than
// a token may be.
Value with_doubles(const Value& v, Arena& arena) {
  if (v.is_number()) return Value::number(v.as_double());
  if (v.is_array()) {
    Value out = Value::array({});
    for (const Value& one : v.items()) out.append(with_doubles(one, arena), arena);
    return out;
  }
  if (v.is_object()) {
    Value out = Value::object({});
    for (const value::Member& one : v.members())
      out.set(one.key, with_doubles(one.value, arena), arena);
    return out;
  }
  return v;
}

Value list_of(const std::vector<std::string>& texts, Arena& arena) {
  Value out = Value::array({});
  for (const std::string& one : texts) out.append(Value::string(one), arena);
  return out;
}

Value user_value(const api::User& user, Arena& arena) {
  Value extra = Value::object({});
  for (const auto& [key, values] : user.extra) extra.set(key, list_of(values, arena), arena);
  Value out = Value::object({});
  out.set("extra", extra, arena);
  out.set("groups", list_of(user.groups, arena), arena);
  out.set("uid", Value::string(user.uid), arena);
  out.set("username", Value::string(user.name), arena);
  return out;
}

// A text or a list of texts, without those that are empty. Nothing when it is something else.
std::optional<std::vector<std::string>> texts_of(const cel::Value& v, Arena& arena) {
  std::vector<std::string> out;
  const auto add = [&out](const cel::Value& one) {
    if (!one.is(cel::Kind::kString)) return false;
    if (!one.as_text().empty()) out.emplace_back(one.as_text());
    return true;
  };
  if (v.is(cel::Kind::kNull)) return out;
  if (v.is(cel::Kind::kString)) {
    add(v);
    return out;
  }
  if (!v.is(cel::Kind::kList)) return std::nullopt;
  for (cel::Cursor cursor(v, arena); !cursor.done(); cursor.next()) {
    if (!add(cursor.item())) return std::nullopt;
  }
  return out;
}

constexpr std::string_view kWantTexts = "expression must return a string or a list of strings";

bool is_path(std::string_view text) {
  constexpr std::string_view kOthers = "/-._~%!$&'()*+,;=:";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kOthers.contains(c);
  });
}

// A domain and a path, none of Kubernetes' own.
void check_extra_key(const std::string& key, const FieldPath& at, FieldErrors& errors) {
  if (key.empty()) {
    errors.push_back(FieldError::required(at));
  } else {
    const std::size_t slash = key.find('/');
    if (slash == std::string::npos || slash == 0 || slash + 1 == key.size()) {
      errors.push_back(
          invalid(at, key, "must be a domain-prefixed path (such as \"acme.io/foo\")"));
    } else {
      const std::string host = key.substr(0, slash);
      const std::string path = key.substr(slash + 1);
      for (std::string& why : meta::check_dns1123_subdomain(host))
        errors.push_back(invalid(at, host, std::move(why)));
      if (!is_path(path)) {
        errors.push_back(invalid(at, path,
                                 "Invalid path (regex used for validation is "
                                 "'[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"));
      }
    }
  }
  if (key != meta::to_lower_ascii(key)) errors.push_back(invalid(at, key, "must be lowercase"));
  const std::size_t slash = key.find('/');
  const std::string domain = slash == std::string::npos ? "" : key.substr(0, slash);
  for (const std::string_view reserved : {"kubernetes.io", "k8s.io"}) {
    if (domain == reserved || domain.ends_with(fmt::format(".{}", reserved))) {
      errors.push_back(invalid(
          at, key, "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use"));
    }
  }
}

}  // namespace

class ClaimMapper::Compiler {
 public:
  Compiler(const JwtConfig& config, FieldErrors& errors) : config_(config), errors_(errors) {}

  ClaimMapper compile(const FieldPath& at) {
    claim_rules(at / "claimValidationRules");
    const FieldPath mappings = at / "claimMappings";
    out_.username_ = mapping(config_.username, mappings / "username", true);
    if (const auto& made = out_.username_.expression) {
      reads_email_ = made->reads_email();
      reads_verified_ = reads_verified_ || made->reads_email_verified();
    }
    out_.groups_ = mapping(config_.groups, mappings / "groups", false);
    uid(mappings / "uid");
    extra(mappings / "extra");
    if (reads_email_ && !reads_verified_) {
      errors_.push_back(invalid(
          mappings / "username" / "expression", config_.username.expression,
          "claims.email_verified must be used in claimMappings.username.expression or "
          "claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when "
          "claims.email is used in claimMappings.username.expression"));
    }
    user_rules(at / "userValidationRules");
    out_.has_expressions_ = out_.username_.expression || out_.groups_.expression ||
                            out_.uid_.expression || !out_.extra_.empty() ||
                            !out_.claim_rules_.empty();
    return std::move(out_);
  }

 private:
  std::optional<ClaimExpression> expression(const std::string& text, About about, Gives gives,
                                            const FieldPath& at) {
    auto made = ClaimExpression::compile(text, about, gives);
    if (made) return *std::move(made);
    errors_.push_back(made.error().is_internal
                          ? FieldError::internal(at, std::move(made.error().detail))
                          : invalid(at, text, std::move(made.error().detail)));
    return std::nullopt;
  }

  void claim_rules(const FieldPath& list) {
    std::set<std::string> claims;
    std::set<std::string> expressions;
    for (std::size_t i = 0; i < config_.claim_rules.size(); ++i) {
      const ClaimRule& rule = config_.claim_rules[i];
      const FieldPath at = list / i;
      if (!rule.claim.empty() && !rule.expression.empty()) {
        errors_.push_back(invalid(at, rule.claim, "claim and expression can't both be set"));
      } else if (rule.claim.empty() && rule.expression.empty()) {
        errors_.push_back(FieldError::required(at, "claim or expression is required"));
      } else if (!rule.claim.empty()) {
        if (!rule.message.empty())
          errors_.push_back(
              invalid(at / "message", rule.message, "may not be specified when claim is set"));
        if (!claims.insert(rule.claim).second)
          errors_.push_back(FieldError::duplicate(at / "claim", Value::string(rule.claim)));
        out_.required_.push_back(rule);
      } else {
        if (!rule.required_value.empty())
          errors_.push_back(invalid(at / "requiredValue", rule.required_value,
                                    "may not be specified when expression is set"));
        if (!expressions.insert(rule.expression).second) {
          errors_.push_back(
              FieldError::duplicate(at / "expression", Value::string(rule.expression)));
          continue;
        }
        if (auto made =
                expression(rule.expression, About::kClaims, Gives::kBool, at / "expression")) {
          reads_verified_ = reads_verified_ || made->reads_email_verified();
          out_.claim_rules_.push_back({*std::move(made), rule.message});
        }
      }
    }
  }

  Mapping mapping(const ClaimMapping& from, const FieldPath& at, bool required) {
    Mapping out{.claim = from.claim, .prefix = from.prefix.value_or(""), .expression = {}};
    if (!from.claim.empty() && !from.expression.empty()) {
      errors_.push_back(invalid(at, "", "claim and expression can't both be set"));
    } else if (!from.expression.empty()) {
      if (from.prefix)
        errors_.push_back(
            invalid(at / "prefix", *from.prefix, "may not be specified when expression is set"));
      out.expression = expression(from.expression, About::kClaims, Gives::kAny, at / "expression");
    } else if (!from.claim.empty()) {
      if (!from.prefix)
        errors_.push_back(FieldError::required(at / "prefix",
                                               "prefix is required when claim is set. It can be "
                                               "set to an empty string to disable prefixing"));
    } else if (required) {
      errors_.push_back(FieldError::required(at, "claim or expression is required"));
    }
    return out;
  }

  void uid(const FieldPath& at) {
    out_.uid_.claim = config_.uid.claim;
    if (config_.uid.expression.empty()) return;
    if (!config_.uid.claim.empty()) {
      errors_.push_back(invalid(at, "", "claim and expression can't both be set"));
      return;
    }
    out_.uid_.expression =
        expression(config_.uid.expression, About::kClaims, Gives::kAny, at / "expression");
  }

  void extra(const FieldPath& list) {
    std::set<std::string> keys;
    for (std::size_t i = 0; i < config_.extra.size(); ++i) {
      const ExtraMapping& one = config_.extra[i];
      const FieldPath at = list / i;
      check_extra_key(one.key, at / "key", errors_);
      if (!keys.insert(one.key).second) {
        errors_.push_back(FieldError::duplicate(at / "key", Value::string(one.key)));
        continue;
      }
      if (one.value_expression.empty()) {
        errors_.push_back(FieldError::required(at / "valueExpression"));
        continue;
      }
      if (auto made = expression(one.value_expression, About::kClaims, Gives::kAny,
                                 at / "valueExpression")) {
        reads_verified_ = reads_verified_ || made->reads_email_verified();
        out_.extra_.push_back({one.key, *std::move(made)});
      }
    }
  }

  void user_rules(const FieldPath& list) {
    std::set<std::string> expressions;
    for (std::size_t i = 0; i < config_.user_rules.size(); ++i) {
      const UserRule& rule = config_.user_rules[i];
      const FieldPath at = list / i / "expression";
      if (rule.expression.empty()) {
        errors_.push_back(FieldError::required(at));
      } else if (!expressions.insert(rule.expression).second) {
        errors_.push_back(FieldError::duplicate(at, Value::string(rule.expression)));
      } else if (auto made = expression(rule.expression, About::kUser, Gives::kBool, at)) {
        out_.user_rules_.push_back({*std::move(made), rule.message});
      }
    }
  }

  const JwtConfig& config_;
  FieldErrors& errors_;
  ClaimMapper out_;
  bool reads_email_ = false;  // for the name
  bool reads_verified_ = false;
};

ClaimMapper ClaimMapper::compile(const JwtConfig& config, const FieldPath& at,
                                 FieldErrors& errors) {
  return Compiler(config, errors).compile(at);
}

Result<std::string> ClaimMapper::username_of(const Value& claims, const Value& seen,
                                             Arena& arena) const {
  if (username_.expression) {
    constexpr std::string_view kFails = "oidc: error evaluating username claim expression: {}";
    const auto got = username_.expression->evaluate(seen, arena);
    if (!got) return refused(fmt::format(kFails, got.error()));
    if (!got->is(cel::Kind::kString))
      return refused(fmt::format(kFails, "username claim expression must return a string"));
    if (got->as_text().empty())
      return refused("oidc: empty username via CEL expression is not allowed");
    return std::string(got->as_text());
  }
  const auto name = text_claim(claims, username_.claim);
  if (!name)
    return refused(fmt::format("oidc: parse username claims {}: {}", quote(username_.claim),
                               name.error().message()));
  // An address that nobody has looked at could be anyone's.
  if (username_.claim == "email") {
    if (const Value* verified = claims.find("email_verified")) {
      if (!verified->is_bool() && !verified->is_null())
        return refused(
            fmt::format("oidc: parse 'email_verified' claim: json: cannot unmarshal {} "
                        "into Go value of type bool",
                        json_word(*verified)));
      if (!verified->is_bool() || !verified->as_bool()) return refused("oidc: email not verified");
    }
  }
  return username_.prefix + *name;
}

Result<std::vector<std::string>> ClaimMapper::groups_of(const Value& claims, const Value& seen,
                                                        Arena& arena) const {
  std::vector<std::string> none;
  if (!groups_.claim.empty()) {
    if (claims.find(groups_.claim) == nullptr) return none;
    auto groups = texts_claim(claims, groups_.claim);
    if (!groups)
      return refused(fmt::format("oidc: parse groups claim {}: {}", quote(groups_.claim),
                                 groups.error().message()));
    for (std::string& one : *groups) one.insert(0, groups_.prefix);
    return groups;
  }
  if (!groups_.expression) return none;
  constexpr std::string_view kFails = "oidc: error evaluating group claim expression: {}";
  const auto got = groups_.expression->evaluate(seen, arena);
  if (!got) return refused(fmt::format(kFails, got.error()));
  auto groups = texts_of(*got, arena);
  if (!groups) return refused(fmt::format(kFails, kWantTexts));
  return *std::move(groups);
}

Result<std::string> ClaimMapper::uid_of(const Value& claims, const Value& seen,
                                        Arena& arena) const {
  if (!uid_.claim.empty()) {
    auto uid = text_claim(claims, uid_.claim);
    if (!uid)
      return refused(
          fmt::format("oidc: parse uid claim {}: {}", quote(uid_.claim), uid.error().message()));
    return uid;
  }
  if (!uid_.expression) return std::string();
  constexpr std::string_view kFails = "oidc: error evaluating uid claim expression: {}";
  const auto got = uid_.expression->evaluate(seen, arena);
  if (!got) return refused(fmt::format(kFails, got.error()));
  if (!got->is(cel::Kind::kString))
    return refused(fmt::format(kFails, "uid claim expression must return a string"));
  return std::string(got->as_text());
}

Result<> ClaimMapper::add_extra(const Value& claims, const Value& seen, api::User& user,
                                Arena& arena) const {
  if (const std::string_view id = value::text_of(claims, "jti"); !id.empty())
    user.extra[std::string(kCredentialId)] = {fmt::format("JTI={}", id)};
  for (const Extra& one : extra_) {
    const auto got = one.expression.evaluate(seen, arena);
    if (!got) return refused(got.error());
    auto texts = texts_of(*got, arena);
    if (!texts)
      return refused(fmt::format("oidc: error evaluating extra claim expression: {}: {}",
                                 one.expression.text(), kWantTexts));
    if (!texts->empty()) user.extra[one.key] = *std::move(texts);
  }
  return {};
}

Result<> ClaimMapper::check_required(const Value& claims) const {
  for (const ClaimRule& rule : required_) {
    if (claims.find(rule.claim) == nullptr)
      return refused(fmt::format("oidc: required claim {} not present in ID token", rule.claim));
    const auto got = text_claim(claims, rule.claim);
    if (!got)
      return refused(fmt::format("oidc: parse claim {}: {}", rule.claim, got.error().message()));
    if (*got != rule.required_value)
      return refused(
          fmt::format("oidc: required claim {} value does not match. Got = {}, want = {}",
                      rule.claim, *got, rule.required_value));
  }
  return {};
}

Result<api::User> ClaimMapper::user_of(const Value& claims) const {
  try {
    return map(claims);
  } catch (const ArenaFull&) {
    return refused("oidc: the expressions take more memory than they may use");
  }
}

Result<api::User> ClaimMapper::map(const Value& claims) const {
  Arena arena;
  const Value seen = has_expressions_ ? with_doubles(claims, arena) : Value();
  api::User user;
  STRAKE_TRY(user.name, username_of(claims, seen, arena));
  STRAKE_TRY(user.groups, groups_of(claims, seen, arena));
  STRAKE_TRY(user.uid, uid_of(claims, seen, arena));
  STRAKE_CHECK(add_extra(claims, seen, user, arena));
  STRAKE_CHECK(check_required(claims));
  const auto check = [&arena](const std::vector<Rule>& rules, const Value& subject,
                              std::string_view what) -> Result<> {
    // As kube-apiserver, all are evaluated before one is looked at.
    std::vector<cel::Value> results;
    for (const Rule& rule : rules) {
      const auto got = rule.expression.evaluate(subject, arena);
      if (!got) return refused(fmt::format("oidc: error evaluating {}: {}", what, got.error()));
      results.push_back(*got);
    }
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (results[i].is_true()) continue;
      return refused(fmt::format("oidc: error evaluating {}: validation expression '{}' failed: {}",
                                 what, rules[i].expression.text(), rules[i].message));
    }
    return {};
  };
  STRAKE_CHECK(check(claim_rules_, seen, "claim validation expression"));
  if (!user_rules_.empty())
    STRAKE_CHECK(check(user_rules_, user_value(user, arena), "user info validation rule"));
  return user;
}

}  // namespace strake::auth
