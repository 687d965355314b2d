#include "auth/oidc/claim_mapper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::auth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

JwtConfig by_claim(std::string claim) {
  JwtConfig out;
  out.username = {.claim = std::move(claim), .prefix = "", .expression = {}};
  return out;
}
JwtConfig by_expression(std::string expression) {
  JwtConfig out;
  out.username.expression = std::move(expression);
  return out;
}

Result<api::User> map(const JwtConfig& config, std::string_view claims) {
  value::FieldErrors errors;
  const ClaimMapper mapper = ClaimMapper::compile(config, FieldPath(), errors);
  if (!errors.empty()) return fail(Code::kInvalid, "{}", value::aggregate(errors));
  const auto document = value::read_json(claims).value();
  return mapper.user_of(document.root());
}
std::string refusal(const JwtConfig& config, std::string_view claims) {
  const auto user = map(config, claims);
  return user ? "user " + user->name : user.error().message();
}

TEST(ClaimMapper, ReadsClaimsAsTheyAre) {
  JwtConfig config = by_claim("sub");
  config.username.prefix = "p:";
  config.groups = {.claim = "roles", .prefix = "r:", .expression = {}};
  config.uid.claim = "id";
  const auto user = map(config, R"({"sub":"ann","roles":["a",""],"id":"7"})").value();
  EXPECT_EQ(user.name, "p:ann");
  EXPECT_THAT(user.groups, ElementsAre("r:a", "r:"));
  EXPECT_EQ(user.uid, "7");
  EXPECT_THAT(map(config, R"({"sub":"ann","roles":"a","id":"7"})")->groups, ElementsAre("r:a"));
  EXPECT_THAT(map(config, R"({"sub":"ann","id":"7"})")->groups, IsEmpty());
}

TEST(ClaimMapper, SaysWhichClaimIsOfAnotherType) {
  JwtConfig config = by_claim("sub");
  EXPECT_EQ(refusal(config, "{}"), R"(oidc: parse username claims "sub": claim not present)");
  EXPECT_EQ(refusal(config, R"({"sub":7})"),
            R"(oidc: parse username claims "sub": json: cannot unmarshal number into Go value of )"
            "type string");
  config.groups = {.claim = "roles", .prefix = "", .expression = {}};
  EXPECT_EQ(refusal(config, R"({"sub":"a","roles":["x",1]})"),
            R"(oidc: parse groups claim "roles": json: cannot unmarshal array into Go value of )"
            "type string");
  config.groups.claim = "";
  config.uid.claim = "id";
  EXPECT_EQ(refusal(config, R"({"sub":"a","id":true})"),
            R"(oidc: parse uid claim "id": json: cannot unmarshal bool into Go value of type )"
            "string");
}

TEST(ClaimMapper, TakesAnAddressOnlyWhenItWasVerified) {
  const JwtConfig config = by_claim("email");
  EXPECT_EQ(map(config, R"({"email":"a@b.c"})")->name, "a@b.c") << "nothing is said";
  EXPECT_EQ(map(config, R"({"email":"a@b.c","email_verified":true})")->name, "a@b.c");
  EXPECT_EQ(refusal(config, R"({"email":"a@b.c","email_verified":false})"),
            "oidc: email not verified");
  EXPECT_EQ(refusal(config, R"({"email":"a@b.c","email_verified":"true"})"),
            "oidc: parse 'email_verified' claim: json: cannot unmarshal string into Go value of "
            "type bool");
}

TEST(ClaimMapper, AsksForRequiredClaims) {
  JwtConfig config = by_claim("sub");
  config.claim_rules = {{.claim = "hd", .required_value = "x.org"}};
  EXPECT_EQ(map(config, R"({"sub":"a","hd":"x.org"})")->name, "a");
  EXPECT_EQ(refusal(config, R"({"sub":"a"})"), "oidc: required claim hd not present in ID token");
  EXPECT_EQ(refusal(config, R"({"sub":"a","hd":"y.org"})"),
            "oidc: required claim hd value does not match. Got = y.org, want = x.org");
  EXPECT_EQ(refusal(config, R"({"sub":"a","hd":1})"),
            "oidc: parse claim hd: json: cannot unmarshal number into Go value of type string");
}

TEST(ClaimMapper, EvaluatesExpressions) {
  JwtConfig config = by_expression("'u:' + claims.sub");
  config.groups.expression = "claims.roles.map(r, 'r:' + r)";
  config.uid.expression = "claims.user.id";
  config.extra = {{"example.org/team", "claims.team"}, {"example.org/none", "[]"}};
  const auto user =
      map(config, R"({"sub":"ann","roles":["a","b"],"user":{"id":"7"},"team":"x","jti":"9"})")
          .value();
  EXPECT_EQ(user.name, "u:ann");
  EXPECT_THAT(user.groups, ElementsAre("r:a", "r:b"));
  EXPECT_EQ(user.uid, "7");
  EXPECT_EQ(user.extra.size(), 2u);
  EXPECT_THAT(user.extra.at("example.org/team"), ElementsAre("x"));
  EXPECT_THAT(user.extra.at("authentication.kubernetes.io/credential-id"), ElementsAre("JTI=9"));
}

TEST(ClaimMapper, SeesNumbersAsDoublesAndNamesUnescaped) {
  EXPECT_EQ(map(by_expression("type(claims.exp) == double ? 'd' : 'i'"), R"({"exp":1})")->name,
            "d");
  EXPECT_EQ(map(by_expression("claims.a__dot__b.c__dash__d"), R"({"a.b":{"c-d":"x"}})")->name, "x");
  EXPECT_EQ(map(by_expression("claims['a.b']"), R"({"a.b":"x"})")->name, "x");
}

TEST(ClaimMapper, RefusesWhatExpressionsGiveWrongly) {
  EXPECT_EQ(refusal(by_expression("claims.n"), R"({"n":1})"),
            "oidc: error evaluating username claim expression: username claim expression must "
            "return a string");
  EXPECT_EQ(refusal(by_expression("''"), "{}"),
            "oidc: empty username via CEL expression is not allowed");
  EXPECT_EQ(refusal(by_expression("claims.x"), "{}"),
            "oidc: error evaluating username claim expression: expression 'claims.x' resulted in "
            "error: no such key: x");
  JwtConfig config = by_claim("sub");
  config.groups.expression = "claims.n";
  EXPECT_EQ(refusal(config, R"({"sub":"a","n":[1]})"),
            "oidc: error evaluating group claim expression: expression must return a string or a "
            "list of strings");
  config.groups.expression = "";
  config.extra = {{"example.org/a", "{'a': 1}"}};
  EXPECT_EQ(refusal(config, R"({"sub":"a"})"),
            "oidc: error evaluating extra claim expression: {'a': 1}: expression must return a "
            "string or a list of strings");
}

TEST(ClaimMapper, AsksTheRulesAboutClaimsAndAboutUsers) {
  JwtConfig config = by_claim("sub");
  config.claim_rules = {{.claim = {},
                         .required_value = {},
                         .expression = "claims.exp - claims.iat <= 3600",
                         .message = "too long"}};
  config.user_rules = {{"!user.username.startsWith('system:')", "reserved"},
                       {"user.groups.all(g, g != 'root') && user.uid == ''", "root"}};
  EXPECT_EQ(map(config, R"({"sub":"a","exp":3600,"iat":0})")->name, "a");
  EXPECT_EQ(refusal(config, R"({"sub":"a","exp":3601,"iat":0})"),
            "oidc: error evaluating claim validation expression: validation expression 'claims.exp "
            "- claims.iat <= 3600' failed: too long");
  EXPECT_EQ(refusal(config, R"({"sub":"system:admin","exp":0,"iat":0})"),
            "oidc: error evaluating user info validation rule: validation expression "
            "'!user.username.startsWith('system:')' failed: reserved");
}

}  // namespace
}  // namespace strake::auth
