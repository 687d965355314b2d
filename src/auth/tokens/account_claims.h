#pragma once
// What a token of a service account says, in the claims that kube-apiserver 1.36 writes.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/tokens.h"
#include "base/result.h"
#include "value/value.h"

namespace strake::auth {

struct AccountClaims {
  using Reference = api::TokenIssuer::Reference;

  std::string issuer = {};
  std::vector<std::string> audiences = {};
  // Seconds since 1970; nothing where the token does not say.
  std::optional<std::int64_t> issued = {};
  std::optional<std::int64_t> not_before = {};
  std::optional<std::int64_t> expires = {};
  std::string id = {};
  std::string namespace_name = {};
  Reference account = {};
  // What it is bound to. A pod's token names the node of the pod too.
  std::optional<Reference> pod = {};
  std::optional<Reference> node = {};
  std::optional<Reference> secret = {};
  // The token is kept in the Secret, and is good for as long as it is there.
  bool is_kept = false;
  std::string subject = {};  // of those alone, where it says the same as the others
};

// Of tokens that are kept in Secrets.
inline constexpr std::string_view kSecretIssuer = "kubernetes/serviceaccount";

// Fails with kParse when a claim is of another type.
Result<AccountClaims> read_claims(const value::Value& claims);

// The JSON text, with sorted keys.
std::string write_claims(const api::TokenIssuer::Order& order, std::string_view issuer);

// The claims of a token that is kept in that Secret of the account's namespace.
std::string write_kept_claims(std::string_view namespace_name,
                              const AccountClaims::Reference& account, std::string_view secret);

// Whom a token of these claims stands for.
api::UserPtr user_of(const AccountClaims& claims);

}  // namespace strake::auth
