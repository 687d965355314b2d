// Tokens of service accounts over a whole server in the test program.
#include "auth/tokens/service_account_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/test_server.h"
#include "auth/authenticator.h"
#include "auth/jwt/jwt.h"
#include "auth/jwt/test_keys.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using api::testing::Answered;
using api::testing::Asking;
using api::testing::expect_ok;
using api::testing::expect_status;
using api::testing::TestServer;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr std::string_view kIssuer = "https://kubernetes.default.svc";
constexpr std::string_view kAccounts = "/api/v1/namespaces/default/serviceaccounts";
constexpr std::string_view kSecrets = "/api/v1/namespaces/default/secrets";
constexpr std::string_view kReviews = "/apis/authentication.k8s.io/v1/tokenreviews";
constexpr std::string_view kSelf = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

class Part final : public api::testing::TestPart {
 public:
  Part(api::Hub& hub, const Clock& clock, ServiceAccountTokens::Options options, Secret key)
      : tokens(hub, clock, std::move(options),
               {.signing = SigningKey::read(key).value(), .verifying = {}}) {}
  const api::Authenticator* authenticator() const override { return &requests; }
  const api::TokenReviewer* token_reviewer() const override { return &requests; }
  const api::TokenIssuer* token_issuer() const override { return &tokens; }

  ServiceAccountTokens tokens;
  RequestAuthenticator requests{read_token_file("static,eve,7,dev\n").value(), &tokens};
};

class AccountTokens : public ::testing::Test {
 protected:
  AccountTokens() {
    server.create(kAccounts, R"({"metadata":{"name":"a"}})");
    server.create(kSecrets, R"({"metadata":{"name":"s"}})");
  }

  Answered request(std::string_view spec, std::string_view account = "a",
                   std::string_view more = "") {
    return server.post(fmt::format("{}/{}/token", kAccounts, account),
                       fmt::format(R"({{{}"spec":{}}})", more, spec));
  }
  std::string token(std::string_view spec = "{}", std::string_view account = "a") {
    const Answered got = request(spec, account);
    expect_ok(got, 201);
    return got.text("status.token");
  }
  Answered whoami(std::string_view bearer) {
    Asking asking{.method = "POST", .target = kSelf, .body = "{}", .type = "application/json"};
    asking.headers.push_back({"Authorization", fmt::format("Bearer {}", bearer)});
    return server.ask(asking);
  }
  Answered review(std::string_view bearer, std::string_view audiences = "[]",
                  std::string_view status = "{}") {
    const Answered got = server.post(
        kReviews, fmt::format(R"({{"spec":{{"token":"{}","audiences":{}}},"status":{}}})", bearer,
                              audiences, status));
    expect_ok(got, 201);
    return got;
  }
  std::string error_of(std::string_view bearer, std::string_view audiences = "[]") {
    const Answered got = review(bearer, audiences);
    EXPECT_EQ(got.at("status.authenticated"), "");
    return got.text("status.error");
  }
  void pass(seconds time) {
    clock.advance(time);
    server.advance(time);
  }
  static std::string claims_of(const std::string& token) {
    return value::to_json(read_token(token).value().claims.root());
  }
  // A token that the server did not issue.
  std::string forged(std::string_view claims, const SigningKey& by) {
    return write_token(claims, by).value();
  }

  FakeClock clock;
  SigningKey key = SigningKey::make().value();
  ServiceAccountTokens::Options options = {};
  Part* part = nullptr;
  TestServer server{{.part = [this](api::Hub& hub) {
    auto made = std::make_unique<Part>(hub, clock, options, key.pem());
    part = made.get();
    return made;
  }}};
};

TEST_F(AccountTokens, SayWhatKubernetesSays) {
  const Answered got =
      request(R"({"boundObjectRef":{"kind":"Secret","apiVersion":"v1","name":"s"}})");
  expect_ok(got, 201);
  EXPECT_EQ(got.text("kind"), "TokenRequest");
  EXPECT_EQ(got.text("metadata.name"), "a");
  EXPECT_EQ(got.text("metadata.namespace"), "default");
  EXPECT_EQ(got.at("spec.audiences"), R"(["https://kubernetes.default.svc"])");
  EXPECT_EQ(got.at("spec.expirationSeconds"), "3600");
  EXPECT_EQ(got.text("status.expirationTimestamp"), "2024-01-01T01:00:00Z");
  const std::string token = got.text("status.token");
  const UnverifiedToken read = read_token(token).value();
  const std::string id(read.claims.root().get("jti").as_string());
  EXPECT_EQ(
      claims_of(token),
      fmt::format(R"({{"aud":["{0}"],"exp":1704070800,"iat":1704067200,"iss":"{0}","jti":"{1}",)"
                  R"("kubernetes.io":{{"namespace":"default","secret":{{"name":"s","uid":"{2}"}},)"
                  R"("serviceaccount":{{"name":"a","uid":"{3}"}}}},"nbf":1704067200,)"
                  R"("sub":"system:serviceaccount:default:a"}})",
                  kIssuer, id, server.get(fmt::format("{}/s", kSecrets)).uid(),
                  server.get(fmt::format("{}/a", kAccounts)).uid()));
  EXPECT_TRUE(read.is_signed_by(key.verifying()));
}

TEST_F(AccountTokens, LetTheirAccountIn) {
  const std::string bearer = token();
  const Answered who = whoami(bearer);
  expect_ok(who, 201);
  EXPECT_EQ(who.text("status.userInfo.username"), "system:serviceaccount:default:a");
  EXPECT_EQ(
      who.at("status.userInfo.groups"),
      R"(["system:serviceaccounts","system:serviceaccounts:default","system:authenticated"])");
  EXPECT_EQ(who.text("status.userInfo.uid"), server.get(fmt::format("{}/a", kAccounts)).uid());
  const std::string id(read_token(bearer).value().claims.root().get("jti").as_string());
  EXPECT_THAT(
      who.at("status.userInfo.extra"),
      HasSubstr(fmt::format(R"("authentication.kubernetes.io/credential-id":["JTI={}"])", id)));
}

TEST_F(AccountTokens, AreRefusedInTheWordsOfKubernetes) {
  struct Case {
    std::string_view spec;
    int code;
    std::string_view reason;
    std::string_view message;
  };
  for (
      const Case& one : {
          Case{R"({"expirationSeconds":599})", 422, "Invalid",
               R"(TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: )"
               R"(Invalid value: 599: may not specify a duration less than 10 minutes)"},
          Case{
              R"({"expirationSeconds":4294967297})", 422, "Invalid",
              R"(TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid )"
              R"(value: 4294967297: may not specify a duration larger than 2^32 seconds)"},
          Case{R"({"boundObjectRef":{"kind":"ConfigMap","apiVersion":"v1","name":"s"}})", 400,
               "BadRequest", "cannot bind token to object of type /v1, Kind=ConfigMap"},
          Case{R"({"boundObjectRef":{"kind":"Secret","apiVersion":"apps/v1","name":"s"}})", 400,
               "BadRequest", "cannot bind token to object of type apps/v1, Kind=Secret"},
          Case{R"({"boundObjectRef":{"kind":"Secret","apiVersion":"v1"}})", 400, "BadRequest",
               "Name parameter required."},
          Case{R"({"boundObjectRef":{"kind":"Secret","apiVersion":"v1","name":"a/b"}})", 400,
               "BadRequest", R"(Name parameter invalid: "a/b": may not contain '/')"},
          Case{R"({"boundObjectRef":{"kind":"Secret","apiVersion":"v1","name":"none"}})", 404,
               "NotFound", R"(secrets "none" not found)"},
          Case{R"({"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"p"}})", 404, "NotFound",
               R"(pods "p" not found)"},
          Case{R"({"boundObjectRef":{"kind":"Node","apiVersion":"v1","name":"n"}})", 404,
               "NotFound", R"(nodes "n" not found)"},
          Case{R"({"boundObjectRef":{"kind":"Secret","apiVersion":"v1","name":"s","uid":"x"}})",
               409, "Conflict",
               R"(Operation cannot be fulfilled on Secret "s": the UID in the bound object )"
               R"(reference (x) does not match the UID in record. The object might have been )"
               R"(deleted and then recreated)"},
      }) {
    expect_status(request(one.spec), one.code, one.reason, one.message);
  }
  expect_status(request("{}", "zz"), 404, "NotFound", R"(serviceaccounts "zz" not found)");
  expect_status(
      request("{}", "a", R"("metadata":{"name":"other"},)"), 422, "Invalid",
      R"(TokenRequest.authentication.k8s.io "a" is invalid: metadata.name: Invalid value: )"
      R"("other": must match the service account name if specified)");
}

TEST_F(AccountTokens, AreForTheirAudiencesAlone) {
  const std::string bearer = token(R"({"audiences":["one","two"]})");
  EXPECT_EQ(whoami(bearer).code, 401);
  EXPECT_EQ(error_of(bearer),
            R"([invalid bearer token, token audiences ["one" "two"] is invalid for the target )"
            R"(audiences ["https://kubernetes.default.svc"]])");
  EXPECT_EQ(review(bearer, R"(["two","zzz","one"])").at("status.audiences"), R"(["two","one"])");
  // Static tokens are for the server.
  EXPECT_EQ(review("static").at("status.audiences"), R"(["https://kubernetes.default.svc"])");
  EXPECT_EQ(error_of("static", R"(["one"])"), "invalid bearer token");
}

TEST_F(AccountTokens, EndWithTheirAccount) {
  const std::string bearer = token();
  expect_ok(whoami(bearer), 201);
  server.remove(fmt::format("{}/a", kAccounts));
  EXPECT_EQ(whoami(bearer).code, 401);
  EXPECT_EQ(error_of(bearer), R"([invalid bearer token, serviceaccounts "a" not found])");
  // Another of that name is not the one that was meant.
  const std::string old_uid = std::string(read_token(bearer)
                                              .value()
                                              .claims.root()
                                              .get("kubernetes.io")
                                              .get("serviceaccount")
                                              .get("uid")
                                              .as_string());
  const std::string uid = server.create(kAccounts, R"({"metadata":{"name":"a"}})").uid();
  EXPECT_EQ(
      error_of(bearer),
      fmt::format("[invalid bearer token, service account UID ({}) does not match claim ({})]", uid,
                  old_uid));
}

TEST_F(AccountTokens, EndWithWhatTheyAreBoundTo) {
  const std::string bearer =
      token(R"({"boundObjectRef":{"kind":"Secret","apiVersion":"v1","name":"s"}})");
  const std::string unbound = token();
  for (int i = 0; i < 2; ++i) expect_ok(whoami(bearer), 201);
  // A change that is none of the token's business.
  server.merge(fmt::format("{}/s", kSecrets), R"({"metadata":{"labels":{"a":"b"}}})");
  expect_ok(whoami(bearer), 201);
  server.remove(fmt::format("{}/s", kSecrets));
  EXPECT_EQ(whoami(bearer).code, 401);
  EXPECT_EQ(error_of(bearer), "[invalid bearer token, service account token has been invalidated]");
  server.create(kSecrets, R"({"metadata":{"name":"s"}})");
  EXPECT_THAT(error_of(bearer), HasSubstr("does not match service account secret ref claim ("));
  expect_ok(whoami(unbound), 201);
}

TEST_F(AccountTokens, OutliveByAMinuteWhatIsBeingDeleted) {
  server.merge(fmt::format("{}/a", kAccounts), R"({"metadata":{"finalizers":["x.example/y"]}})");
  const std::string bearer = token();
  server.remove(fmt::format("{}/a", kAccounts));
  expect_ok(whoami(bearer), 201);
  expect_ok(request("{}"), 201);
  pass(seconds(60));
  expect_ok(whoami(bearer), 201);
  pass(seconds(1));
  EXPECT_EQ(error_of(bearer), "[invalid bearer token, service account default/a has been deleted]");
}

TEST_F(AccountTokens, ExpireAMinuteLate) {
  const std::string bearer = token(R"({"expirationSeconds":600})");
  pass(seconds(660));
  expect_ok(whoami(bearer), 201);
  pass(seconds(1));
  EXPECT_EQ(whoami(bearer).code, 401);
  EXPECT_EQ(error_of(bearer), "[invalid bearer token, service account token has expired]");
}

TEST_F(AccountTokens, AreNotGoodBeforeTheirTime) {
  const std::string later = token();
  clock.set_wall(clock.now() - seconds(60));
  expect_ok(whoami(later), 201);
  clock.set_wall(clock.now() - seconds(1));
  EXPECT_EQ(error_of(later), "[invalid bearer token, service account token is not valid yet]");
}

TEST_F(AccountTokens, AreVerifiedWithEveryKeyThatIsKnown) {
  const std::string old = token();
  expect_ok(whoami(old), 201);
  const SigningKey next = SigningKey::read(testing::rsa_key()).value();
  part->tokens.set_keys({.signing = next, .verifying = {key.verifying()}});
  const std::string fresh = token();
  expect_ok(whoami(old), 201);
  expect_ok(whoami(fresh), 201);
  EXPECT_EQ(to_string(read_token(fresh).value().algorithm), "RS256");
  // A key that is not known any more verifies nothing, whatever was verified before.
  part->tokens.set_keys({.signing = next, .verifying = {}});
  EXPECT_EQ(whoami(old).code, 401);
  EXPECT_EQ(error_of(old), "[invalid bearer token, invalid signature, no keys found]");
  expect_ok(whoami(fresh), 201);
}

TEST_F(AccountTokens, OfOthersAreRefused) {
  const std::string good = token();
  const std::string claims = claims_of(good);
  const SigningKey other = SigningKey::make().value();
  EXPECT_EQ(error_of(forged(claims, other)),
            "[invalid bearer token, invalid signature, no keys found]");
  // Under the name of our key.
  const std::string mixed = fmt::format("{}.{}", good.substr(0, good.rfind('.')), [&] {
    const std::string t = forged(claims, other);
    return t.substr(t.rfind('.') + 1);
  }());
  EXPECT_EQ(error_of(mixed),
            "[invalid bearer token, square/go-jose: error in cryptographic primitive]");
  EXPECT_EQ(whoami(mixed).code, 401);
  EXPECT_EQ(whoami(good + "x").code, 401);
  // Of another issuer, they are none of ours to judge.
  EXPECT_EQ(error_of(forged(R"({"iss":"https://elsewhere"})", key)), "invalid bearer token");
  EXPECT_EQ(error_of("a.b.c"), "invalid bearer token");
  expect_status(server.post(kReviews, R"({"spec":{"token":""}})"), 400, "BadRequest",
                "token is required for TokenReview in authentication");
}

TEST_F(AccountTokens, NeedTheirClaims) {
  const auto claims = [](std::string_view more) {
    return fmt::format(R"({{"iss":"{}"{}}})", kIssuer, more);
  };
  EXPECT_EQ(error_of(forged(claims(""), key)),
            R"([invalid bearer token, serviceaccounts "" not found])");
  for (const std::string_view wrong :
       {R"(,"exp":"soon")", R"(,"aud":[7])", R"(,"kubernetes.io":[])", R"(,"jti":1)",
        R"(,"kubernetes.io":{"secret":"s"})"}) {
    EXPECT_EQ(whoami(forged(claims(wrong), key)).code, 401) << wrong;
  }
}

TEST_F(AccountTokens, KeepWhatAForgedReviewSays) {
  const Answered bad = review("nope", "[]", R"({"authenticated":true,"user":{"username":"root"}})");
  EXPECT_EQ(bad.at("status"), R"({"error":"invalid bearer token","user":{"username":"root"}})");
  const Answered good = review("static", "[]", R"({"error":"forged","user":{"username":"root"}})");
  EXPECT_EQ(good.text("status.user.username"), "eve");
  EXPECT_EQ(good.text("status.error"), "forged");
}

TEST_F(AccountTokens, ArePublishedWithTheirKeys) {
  part->tokens.set_server_url("https://127.0.0.1:6443");
  const Answered keys = server.ask("GET", "/openid/v1/jwks", {}, "application/jwk-set+json");
  expect_ok(keys);
  EXPECT_EQ(keys.body, fmt::format(R"({{"keys":[{}]}})", key.verifying().jwk()));
  EXPECT_EQ(keys.header("Content-Type"), "application/jwk-set+json");
  EXPECT_EQ(keys.header("Cache-Control"), "public, max-age=3600");
  expect_status(server.get("/openid/v1/jwks"), 406, "NotAcceptable",
                "406: Not Acceptable\n\nAvailable representations: application/jwk-set+json");
  EXPECT_EQ(
      server.get("/.well-known/openid-configuration").body,
      R"({"issuer":"https://kubernetes.default.svc","jwks_uri":)"
      R"("https://127.0.0.1:6443/openid/v1/jwks","response_types_supported":["id_token"],)"
      R"("subject_types_supported":["public"],"id_token_signing_alg_values_supported":["ES256"]})");
}

TEST(AccountTokenOptions, ShortenLivesWithAWarning) {
  FakeClock clock;
  const SigningKey key = SigningKey::make().value();
  TestServer server{{.part = [&](api::Hub& hub) {
    return std::make_unique<Part>(hub, clock,
                                  ServiceAccountTokens::Options{.issuers = {"local", "https://old"},
                                                                .audiences = {"here"},
                                                                .longest_life = seconds(1800)},
                                  key.pem());
  }}};
  server.create(kAccounts, R"({"metadata":{"name":"a"}})");
  const Answered got = server.post(fmt::format("{}/a/token", kAccounts), "{}");
  expect_ok(got, 201);
  EXPECT_EQ(got.warnings,
            std::vector<std::string>{
                R"(299 - "requested expiration of 3600 seconds shortened to 1800 seconds")"});
  EXPECT_EQ(got.at("spec"),
            R"({"audiences":["here"],"boundObjectRef":null,"expirationSeconds":1800})");
  EXPECT_EQ(got.text("status.expirationTimestamp"), "2024-01-01T00:30:00Z");
  // An issuer that is no URL has no documents.
  EXPECT_EQ(server.get("/.well-known/openid-configuration").code, 404);
}

}  // namespace
}  // namespace strake::auth
