#pragma once
// Makes users of the claims of one issuer's tokens, and refuses those that do not keep to the rules
// of the configuration; as kube-apiserver 1.36 does. Immutable; shared by threads.
#include <optional>
#include <string>
#include <vector>

#include "api/request/roles.h"
#include "auth/oidc/claim_expression.h"
#include "auth/oidc/config.h"
#include "value/field_error.h"

namespace strake::auth {

class ClaimMapper {
 public:
  // What is wrong with the rules and mappings goes to `errors`, in kube-apiserver's words; then the
  // mapper is of no use.
  static ClaimMapper compile(const JwtConfig& config, const FieldPath& at,
                             value::FieldErrors& errors);

  // The claim that names the groups; empty when none does.
  const std::string& groups_claim() const { return groups_.claim; }

  // Of a token that has been verified. Fails with kUnauthorized.
  Result<api::User> user_of(const value::Value& claims) const;

 private:
  struct Rule {
    ClaimExpression expression;
    std::string message;
  };
  struct Extra {
    std::string key;
    ClaimExpression expression;
  };
  struct Mapping {
    std::string claim;
    std::string prefix;
    std::optional<ClaimExpression> expression;
  };
  class Compiler;

  Result<api::User> map(const value::Value& claims) const;
  Result<std::string> username_of(const value::Value& claims, const value::Value& seen,
                                  Arena& arena) const;
  Result<std::vector<std::string>> groups_of(const value::Value& claims, const value::Value& seen,
                                             Arena& arena) const;
  Result<std::string> uid_of(const value::Value& claims, const value::Value& seen,
                             Arena& arena) const;
  Result<> add_extra(const value::Value& claims, const value::Value& seen, api::User& user,
                     Arena& arena) const;
  Result<> check_required(const value::Value& claims) const;

  bool has_expressions_ = false;  // over claims
  Mapping username_;
  Mapping groups_;
  Mapping uid_;
  std::vector<Extra> extra_;
  std::vector<ClaimRule> required_;  // claims with the value that they must have
  std::vector<Rule> claim_rules_;
  std::vector<Rule> user_rules_;
};

}  // namespace strake::auth
