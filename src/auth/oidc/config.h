#pragma once
// What an AuthenticationConfiguration says (apiserver.config.k8s.io, as of kube-apiserver 1.36):
// whose tokens are believed, how their claims become users, and whether anyone may come without
// credentials. The --oidc-* flags make the same for one issuer.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/jwt/key.h"
#include "base/field_path.h"
#include "base/result.h"

namespace strake::auth {

struct TokenSource {
  std::string url;            // what `iss` must be
  std::string discovery_url;  // empty: the well-known one below the URL
  std::string certificate_authority;
  std::vector<std::string> audiences;
  std::string audience_match_policy;
  std::string egress_selector;
  // Not in the file: keys from a file instead of the issuer, and the algorithms that are taken.
  std::string keys_file;
  std::vector<Algorithm> algorithms;  // empty: all

  friend bool operator==(const TokenSource&, const TokenSource&) = default;
};

// Of a claim, with something in front, or of an expression.
struct ClaimMapping {
  std::string claim;
  std::optional<std::string> prefix;
  std::string expression;
  friend bool operator==(const ClaimMapping&, const ClaimMapping&) = default;
};

struct ClaimRule {
  std::string claim;
  std::string required_value;
  std::string expression;
  std::string message;
  friend bool operator==(const ClaimRule&, const ClaimRule&) = default;
};

struct ExtraMapping {
  std::string key;
  std::string value_expression;
  friend bool operator==(const ExtraMapping&, const ExtraMapping&) = default;
};

struct UserRule {
  std::string expression;
  std::string message;
  friend bool operator==(const UserRule&, const UserRule&) = default;
};

struct JwtConfig {
  TokenSource issuer;
  std::vector<ClaimRule> claim_rules;
  ClaimMapping username;
  ClaimMapping groups;
  ClaimMapping uid;  // without a prefix
  std::vector<ExtraMapping> extra;
  std::vector<UserRule> user_rules;
  friend bool operator==(const JwtConfig&, const JwtConfig&) = default;
};

// Who may come without credentials.
struct AnonymousConfig {
  bool enabled = true;
  std::vector<std::string> paths;  // only these; empty for all
  bool allows(std::string_view path) const;
};

struct AuthenticationConfig {
  std::vector<JwtConfig> jwt;
  std::optional<AnonymousConfig> anonymous;

  // YAML or JSON, in any of its versions. Fails with kParse, or kInvalid with path and position,
  // for what cannot be read; what it says is checked by compile_authentication().
  static Result<AuthenticationConfig> read(std::string_view text, const std::string& file);
};

}  // namespace strake::auth
