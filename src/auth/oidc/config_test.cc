// The AuthenticationConfiguration, and what is wrong with it in the words of kube-apiserver 1.36.
#include "auth/oidc/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "auth/oidc/check_config.h"

namespace strake::auth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kHead =
    "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n";

std::string fault(std::string_view body) {
  const auto config = AuthenticationConfig::read(std::string(kHead).append(body), "auth.yaml");
  if (!config) return config.error().to_string();
  const std::string disallowed[] = {"https://kubernetes.default.svc"};
  const auto compiled = compile_authentication(*config, disallowed);
  return compiled ? "" : compiled.error().message();
}
// Of an issuer that is right but for what is given.
std::string jwt(std::string_view rest, std::string_view issuer = "url: https://a.example",
                std::string_view audiences = "[app]") {
  return fmt::format("jwt:\n- issuer: {{{}, audiences: {}}}\n{}", issuer, audiences, rest);
}
constexpr std::string_view kNamed = "  claimMappings: {username: {claim: sub, prefix: ''}}\n";

constexpr std::string_view kWhole = R"(
jwt:
- issuer:
    url: https://a.example
    discoveryURL: https://b.example/x
    certificateAuthority: pem
    audiences: [one, two]
    audienceMatchPolicy: MatchAny
  claimValidationRules:
  - {claim: hd, requiredValue: x}
  - {expression: 'claims.a == 1', message: nope}
  claimMappings:
    username: {claim: sub, prefix: ""}
    groups: {expression: claims.groups}
    uid: {claim: id}
    extra: [{key: example.org/a, valueExpression: claims.a}]
  userValidationRules: [{expression: 'true', message: m}]
anonymous: {enabled: true, conditions: [{path: /livez}]}
)";

TEST(AuthenticationConfig, IsReadWhole) {
  const auto read = AuthenticationConfig::read(std::string(kHead).append(kWhole), "auth.yaml");
  ASSERT_TRUE(read) << read.error().to_string();
  const AuthenticationConfig& config = *read;
  ASSERT_EQ(config.jwt.size(), 1u);
  const JwtConfig& one = config.jwt[0];
  EXPECT_EQ(one.issuer.discovery_url, "https://b.example/x");
  EXPECT_THAT(one.issuer.audiences, ElementsAre("one", "two"));
  EXPECT_EQ(one.claim_rules[0].required_value, "x");
  EXPECT_EQ(one.claim_rules[1].message, "nope");
  EXPECT_EQ(one.username.prefix, "");
  EXPECT_EQ(one.groups.expression, "claims.groups");
  EXPECT_EQ(one.extra[0].key, "example.org/a");
  EXPECT_TRUE(config.anonymous->allows("/livez"));
  EXPECT_FALSE(config.anonymous->allows("/livez/x"));
  EXPECT_FALSE(config.anonymous->allows("/api"));
}

TEST(AuthenticationConfig, IsReadInAnyOfItsVersionsAndStrictly) {
  for (const std::string_view version : {"v1", "v1beta1", "v1alpha1"}) {
    EXPECT_TRUE(AuthenticationConfig::read(
        fmt::format("apiVersion: apiserver.config.k8s.io/{}\nkind: AuthenticationConfiguration\n",
                    version),
        "f"));
  }
  EXPECT_FALSE(AuthenticationConfig::read("kind: AuthenticationConfiguration\n", "f"));
  EXPECT_THAT(fault("jwts: []\n"), HasSubstr("auth.yaml:3:1"));
  EXPECT_THAT(fault("jwt:\n- issuer: {uri: x}\n"), HasSubstr("uri"));
  EXPECT_THAT(fault("jwt: 7\n"), HasSubstr("want a list"));
  EXPECT_THAT(fault("anonymous: {enabled: 'yes'}\n"), HasSubstr("want a boolean"));
}

TEST(AuthenticationConfig, MayHaveNoIssuerAtAll) { EXPECT_EQ(fault(""), ""); }

TEST(AuthenticationConfig, IsRefusedInTheWordsOfKubernetes) {
  struct Case {
    std::string body;
    std::string_view wanted;
  };
  const Case cases[] = {
      {jwt(kNamed), ""},
      {jwt(kNamed, "url: ''"), "jwt[0].issuer.url: Required value"},
      {jwt(kNamed, "url: http://a.example"),
       R"(jwt[0].issuer.url: Invalid value: "http://a.example": URL scheme must be https)"},
      {jwt(kNamed, "url: https://u:p@a.example"),
       R"(jwt[0].issuer.url: Invalid value: "https://u:p@a.example": URL must not contain a )"
       "username or password"},
      {jwt(kNamed, "url: 'https://a.example?q=1'"),
       R"(jwt[0].issuer.url: Invalid value: "https://a.example?q=1": URL must not contain a query)"},
      {jwt(kNamed, "url: 'https://a.example#f'"),
       R"(jwt[0].issuer.url: Invalid value: "https://a.example#f": URL must not contain a )"
       "fragment"},
      {jwt(kNamed, "url: https://kubernetes.default.svc"),
       R"(jwt[0].issuer.url: Invalid value: "https://kubernetes.default.svc": URL must not )"
       "overlap with disallowed issuers: [https://kubernetes.default.svc]"},
      {jwt(kNamed, "url: https://a.example, discoveryURL: https://a.example/"),
       R"(jwt[0].issuer.discoveryURL: Invalid value: "https://a.example/": discoveryURL must be )"
       "different from URL"},
      {jwt(kNamed, "url: https://a.example", "[]"),
       "jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required"},
      {jwt(kNamed, "url: https://a.example", "[a, b]"),
       R"(jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be )"
       "MatchAny for multiple audiences"},
      {jwt(kNamed, "url: https://a.example, audienceMatchPolicy: MatchAny", "[a, a]"),
       R"(jwt[0].issuer.audiences[1]: Duplicate value: "a")"},
      {jwt(kNamed, "url: https://a.example, certificateAuthority: x"),
       R"(jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain )"
       "any valid RSA or ECDSA certificates"},
      {jwt(""), "jwt[0].claimMappings.username: Required value: claim or expression is required"},
      {jwt("  claimMappings: {username: {claim: sub}}\n"),
       "jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is "
       "set. It can be set to an empty string to disable prefixing"},
      {jwt("  claimMappings: {username: {claim: sub, prefix: '', expression: 'x'}}\n"),
       R"(jwt[0].claimMappings.username: Invalid value: "": claim and expression can't both be )"
       "set"},
      {jwt("  claimMappings: {username: {expression: claims.email}}\n"),
       R"(jwt[0].claimMappings.username.expression: Invalid value: "claims.email": )"
       "claims.email_verified must be used in claimMappings.username.expression or "
       "claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when "
       "claims.email is used in claimMappings.username.expression"},
      {jwt("  claimMappings: {username: {expression: 'claims.?email.orValue(\"\")'}}\n"
           "  claimValidationRules: [{expression: 'claims.?email_verified.orValue(true) == "
           "true'}]\n"),
       ""},
      {jwt(std::string(kNamed) + "  claimValidationRules: [{}]\n"),
       "jwt[0].claimValidationRules[0]: Required value: claim or expression is required"},
      {jwt(std::string(kNamed) + "  claimValidationRules: [{expression: claims.a}]\n"),
       R"(jwt[0].claimValidationRules[0].expression: Invalid value: "claims.a": must evaluate to )"
       "bool"},
      {jwt(std::string(kNamed) + "  claimValidationRules: [{claim: a, message: m}]\n"),
       R"(jwt[0].claimValidationRules[0].message: Invalid value: "m": may not be specified when )"
       "claim is set"},
      {jwt(std::string(kNamed) + "  userValidationRules: [{message: m}]\n"),
       "jwt[0].userValidationRules[0].expression: Required value"},
      {jwt("  claimMappings: {username: {claim: sub, prefix: ''}, extra: [{key: a, "
           "valueExpression: '1'}]}\n"),
       R"(jwt[0].claimMappings.extra[0].key: Invalid value: "a": must be a domain-prefixed path )"
       R"((such as "acme.io/foo"))"},
      {jwt("  claimMappings: {username: {claim: sub, prefix: ''}, extra: [{key: a.k8s.io/b, "
           "valueExpression: '1'}]}\n"),
       R"(jwt[0].claimMappings.extra[0].key: Invalid value: "a.k8s.io/b": k8s.io, kubernetes.io )"
       "and their subdomains are reserved for Kubernetes use"},
      {"anonymous: {enabled: false, conditions: [{path: /x}]}\n",
       R"(anonymous.conditions: Invalid value: [{"Path":"/x"}]: enabled should be set to true )"
       "when conditions are defined"},
  };
  for (const Case& one : cases) EXPECT_EQ(fault(one.body), one.wanted) << one.body;
  EXPECT_THAT(fault(jwt("  claimMappings: {username: {expression: 'claims.('}}\n")),
              HasSubstr("jwt[0].claimMappings.username.expression: Invalid value: \"claims.(\": "
                        "compilation failed: ERROR: <input>:1:"));
  EXPECT_THAT(fault(jwt(std::string(kNamed) + "  userValidationRules: [{expression: "
                                              "'user.name == 1'}]\n")),
              HasSubstr("undefined field 'name'"));
  EXPECT_EQ(
      fault(jwt(kNamed) + std::string("- issuer: {url: https://a.example, audiences: [x]}\n") +
            std::string(kNamed)),
      R"(jwt[1].issuer.url: Duplicate value: "https://a.example")");
}

}  // namespace
}  // namespace strake::auth
