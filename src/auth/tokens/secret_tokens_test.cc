// Secrets with tokens of service accounts, over a whole server in the test program.
#include "auth/tokens/secret_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/test_server.h"
#include "auth/authenticator.h"
#include "auth/jwt/jwt.h"
#include "base/base64.h"
#include "http/test_server.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using api::testing::Answered;
using api::testing::Asking;
using api::testing::expect_ok;
using api::testing::TestServer;
using http::testing::eventually;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kAccountsUrl = "/api/v1/namespaces/default/serviceaccounts";
constexpr std::string_view kSecretsUrl = "/api/v1/namespaces/default/secrets";
constexpr std::string_view kReviews = "/apis/authentication.k8s.io/v1/tokenreviews";
constexpr std::string_view kSelf = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
constexpr std::string_view kAuthority = "-----BEGIN CERTIFICATE-----\n";

class Part final : public api::testing::TestPart {
 public:
  Part(api::Hub& hub, const Clock& clock, bool fills)
      : tokens(hub, clock, {}, {.signing = SigningKey::make().value(), .verifying = {}}),
        secrets(hub, tokens),
        fills_(fills) {}
  const api::Authenticator* authenticator() const override { return &requests; }
  const api::TokenReviewer* token_reviewer() const override { return &requests; }
  const api::TokenIssuer* token_issuer() const override { return &tokens; }
  async::Task<> start(api::Core& core) override {
    return secrets.start(core, fills_, std::string(kAuthority));
  }
  async::Task<> stop() override { return secrets.stop(); }

  ServiceAccountTokens tokens;
  SecretTokens secrets;
  RequestAuthenticator requests{{}, &tokens};

 private:
  bool fills_;
};

class SecretTokensTest : public ::testing::Test {
 protected:
  explicit SecretTokensTest(bool fills = true)
      : server({.part = [this, fills](api::Hub& hub) {
          auto made = std::make_unique<Part>(hub, clock, fills);
          part = made.get();
          return made;
        }}) {}

  static std::string secret_json(std::string_view name, std::string_view account,
                                 std::string_view more = "") {
    return fmt::format(
        R"({{"metadata":{{"name":"{}","annotations":{{"kubernetes.io/service-account.name":"{}"}}}},)"
        R"("type":"kubernetes.io/service-account-token"{}}})",
        name, account, more);
  }
  Answered secret(std::string_view name) {
    return server.get(fmt::format("{}/{}", kSecretsUrl, name));
  }
  std::string content(std::string_view name, std::string_view key) {
    return base64_decode(secret(name).text(fmt::format("data.{}", key))).value_or("");
  }
  // Makes the account and a Secret for it; the token in that.
  std::string make(std::string_view account, std::string_view name) {
    server.create(kAccountsUrl, fmt::format(R"({{"metadata":{{"name":"{}"}}}})", account));
    server.create(kSecretsUrl, secret_json(name, account));
    EXPECT_TRUE(eventually([&] { return !content(name, "token").empty(); }));
    return content(name, "token");
  }
  Answered whoami(std::string_view bearer) {
    Asking asking{.method = "POST", .target = kSelf, .body = "{}", .type = "application/json"};
    asking.headers.push_back({"Authorization", fmt::format("Bearer {}", bearer)});
    return server.ask(asking);
  }
  std::string error_of(std::string_view bearer) {
    const Answered got =
        server.post(kReviews, fmt::format(R"({{"spec":{{"token":"{}"}}}})", bearer));
    return got.at("status.authenticated") == "true" ? "" : got.text("status.error");
  }

  FakeClock clock;
  Part* part = nullptr;
  TestServer server;
};

TEST_F(SecretTokensTest, AreWhatKubernetesPutsIntoThem) {
  const std::string token = make("robot", "kept");
  const std::string uid = server.get(fmt::format("{}/robot", kAccountsUrl)).uid();
  EXPECT_EQ(value::to_json(read_token(token).value().claims.root()),
            fmt::format(R"({{"iss":"kubernetes/serviceaccount",)"
                        R"("kubernetes.io/serviceaccount/namespace":"default",)"
                        R"("kubernetes.io/serviceaccount/secret.name":"kept",)"
                        R"("kubernetes.io/serviceaccount/service-account.name":"robot",)"
                        R"("kubernetes.io/serviceaccount/service-account.uid":"{}",)"
                        R"("sub":"system:serviceaccount:default:robot"}})",
                        uid));
  EXPECT_EQ(content("kept", "namespace"), "default");
  EXPECT_EQ(base64_decode(secret("kept").json().get("data").get("ca.crt").as_string()).value(),
            kAuthority);
  EXPECT_THAT(secret("kept").at("metadata.annotations"),
              HasSubstr(fmt::format(R"("kubernetes.io/service-account.uid":"{}")", uid)));
}

TEST_F(SecretTokensTest, LetTheirAccountInAndNeverExpire) {
  const std::string token = make("robot", "kept");
  clock.advance(std::chrono::hours(24 * 365 * 20));
  const Answered who = whoami(token);
  expect_ok(who, 201);
  EXPECT_EQ(who.text("status.userInfo.username"), "system:serviceaccount:default:robot");
  EXPECT_EQ(who.text("status.userInfo.uid"),
            server.get(fmt::format("{}/robot", kAccountsUrl)).uid());
  EXPECT_EQ(
      who.at("status.userInfo.groups"),
      R"(["system:serviceaccounts","system:serviceaccounts:default","system:authenticated"])");
  EXPECT_EQ(who.at("status.userInfo.extra"), "");
  EXPECT_THAT(who.warnings, IsEmpty());
}

TEST_F(SecretTokensTest, AreMendedAndKeepWhatIsThere) {
  const std::string token = make("robot", "kept");
  const std::string url = fmt::format("{}/kept", kSecretsUrl);
  expect_ok(server.merge(url, R"({"data":{"ca.crt":"eA==","namespace":null}})"));
  EXPECT_TRUE(eventually([&] { return content("kept", "namespace") == "default"; }));
  EXPECT_EQ(content("kept", "token"), token);
  expect_ok(server.merge(url, R"({"data":{"token":null}})"));
  EXPECT_TRUE(eventually([&] { return !content("kept", "token").empty(); }));
}

TEST_F(SecretTokensTest, GoWithTheirAccount) {
  const std::string token = make("robot", "kept");
  EXPECT_EQ(whoami(token).code, 201);
  expect_ok(server.remove(fmt::format("{}/robot", kAccountsUrl)));
  EXPECT_EQ(whoami(token).code, 401);
  EXPECT_TRUE(eventually([&] { return secret("kept").code == 404; }));
}

TEST_F(SecretTokensTest, AreDeletedWhenThereIsNoSuchAccount) {
  server.create(kSecretsUrl, secret_json("nobody", "missing"));
  EXPECT_TRUE(eventually([&] { return secret("nobody").code == 404; }));
  // Nor is one kept that was made for an earlier account of that name.
  make("robot", "kept");
  server.create(
      kSecretsUrl,
      R"({"metadata":{"name":"old","annotations":{"kubernetes.io/service-account.name":"robot",)"
      R"("kubernetes.io/service-account.uid":"another"}},)"
      R"("type":"kubernetes.io/service-account-token"})");
  EXPECT_TRUE(eventually([&] { return secret("old").code == 404; }));
  EXPECT_EQ(secret("kept").code, 200);
}

TEST_F(SecretTokensTest, LeaveOtherSecretsAlone) {
  server.create(
      kSecretsUrl,
      R"({"metadata":{"name":"other","annotations":{"kubernetes.io/service-account.name":"robot",)"
      R"("about":"kubernetes.io/service-account-token"}}})");
  const std::string version = secret("other").version();
  make("robot", "kept");
  EXPECT_EQ(secret("other").version(), version);
}

TEST_F(SecretTokensTest, AreRefusedInTheWordsOfKubernetes) {
  const std::string token = make("robot", "kept");
  EXPECT_EQ(error_of(token), "");
  // Another token in its place.
  const std::string url = fmt::format("{}/kept", kSecretsUrl);
  expect_ok(server.merge(url, fmt::format(R"({{"data":{{"token":"{}"}}}})", base64_encode("x"))));
  EXPECT_THAT(error_of(token), HasSubstr("Token does not match server's copy"));
  expect_ok(server.merge(url, fmt::format(R"({{"data":{{"token":"{}"}}}})", base64_encode(token))));
  EXPECT_EQ(error_of(token), "");
  expect_ok(server.merge(
      url, R"({"metadata":{"labels":{"kubernetes.io/legacy-token-invalid-since":"2024-01-01"}}})"));
  EXPECT_THAT(error_of(token),
              HasSubstr("the token in secret default/kept for service account default/robot has "
                        "been marked invalid. Use tokens from the TokenRequest API or manually "
                        "created secret-based tokens, or remove the "
                        "'kubernetes.io/legacy-token-invalid-since' label from the secret to "
                        "temporarily allow use of this token"));
  EXPECT_EQ(whoami(token).code, 401);
  expect_ok(server.merge(
      url, R"({"metadata":{"labels":{"kubernetes.io/legacy-token-invalid-since":null}}})"));
  EXPECT_EQ(error_of(token), "");
  // At once when it is being deleted, as in kube-apiserver 1.36; other tokens have a minute.
  expect_ok(server.merge(url, R"({"metadata":{"finalizers":["example.com/wait"]}})"));
  expect_ok(server.remove(url));
  EXPECT_THAT(error_of(token), HasSubstr("Token has been invalidated"));
}

TEST_F(SecretTokensTest, AreOfOneAccountAndNotOfItsNextOne) {
  const std::string token = make("robot", "kept");
  expect_ok(server.merge(fmt::format("{}/robot", kAccountsUrl),
                         R"({"metadata":{"finalizers":["example.com/wait"]}})"));
  expect_ok(server.remove(fmt::format("{}/robot", kAccountsUrl)));
  EXPECT_THAT(error_of(token), HasSubstr("ServiceAccount default/robot has been deleted"));
}

TEST_F(SecretTokensTest, AreWarnedOfWhereTheAccountListsThem) {
  const std::string token = make("robot", "kept");
  expect_ok(
      server.merge(fmt::format("{}/robot", kAccountsUrl), R"({"secrets":[{"name":"kept"}]})"));
  const Answered who = whoami(token);
  expect_ok(who, 201);
  EXPECT_THAT(who.warnings,
              ElementsAre(HasSubstr("Use tokens from the TokenRequest API or manually created "
                                    "secret-based tokens instead of auto-generated secret-based "
                                    "tokens.")));
  const Answered review =
      server.post(kReviews, fmt::format(R"({{"spec":{{"token":"{}"}}}})", token));
  EXPECT_THAT(review.warnings, ElementsAre(HasSubstr("Use tokens from")));
}

TEST_F(SecretTokensTest, SayOnWhichDayTheyWereUsed) {
  const auto used = [this] {
    const Answered got = secret("kept");
    return std::string(value::text_of(got.json().get("metadata").get("labels"), kLastUsedLabel));
  };
  const std::string token = make("robot", "kept");
  EXPECT_EQ(used(), "");
  EXPECT_EQ(whoami(token).code, 201);
  EXPECT_TRUE(eventually([&] { return used() == "2024-01-01"; }));
  const std::string version = secret("kept").version();
  EXPECT_EQ(whoami(token).code, 201);
  EXPECT_EQ(secret("kept").version(), version);
  clock.advance(std::chrono::hours(24));
  server.advance(std::chrono::hours(24));
  EXPECT_EQ(whoami(token).code, 201);
  EXPECT_TRUE(eventually([&] { return used() == "2024-01-02"; }));
}

TEST_F(SecretTokensTest, AreNothingWithoutTheSignature) {
  const std::string token = make("robot", "kept");
  const std::string forged = token.substr(0, token.rfind('.') + 1) + "AAAA";
  EXPECT_EQ(whoami(forged).code, 401);
  const SigningKey other = SigningKey::make().value();
  EXPECT_EQ(
      whoami(write_token(write_kept_claims("default", {.name = "robot", .uid = "x"}, "kept"), other)
                 .value())
          .code,
      401);
}

TEST_F(SecretTokensTest, NeedAllTheirClaims) {
  make("robot", "kept");
  const auto error = [this](std::string_view space, std::string_view account, std::string_view uid,
                            std::string_view kept) {
    return error_of(
        part->tokens
            .issue_for_secret(space, {.name = std::string(account), .uid = std::string(uid)}, kept)
            .value());
  };
  EXPECT_THAT(error("", "robot", "u", "kept"), HasSubstr("namespace claim is missing"));
  EXPECT_THAT(error("default", "robot", "u", ""), HasSubstr("secretName claim is missing"));
  EXPECT_THAT(error("default", "", "u", "kept"), HasSubstr("serviceAccountName claim is missing"));
  EXPECT_THAT(error("default", "robot", "", "kept"),
              HasSubstr("serviceAccountUID claim is missing"));
  // Signed by us, and not what the Secret has.
  EXPECT_THAT(error("default", "robot", "u", "kept"),
              HasSubstr("Token does not match server's copy"));
  EXPECT_THAT(error("default", "robot", "u", "none"), HasSubstr("Token has been invalidated"));
}

class UnfilledSecrets : public SecretTokensTest {
 protected:
  UnfilledSecrets() : SecretTokensTest(false) {}
};

TEST_F(UnfilledSecrets, AreLeftToOthers) {
  server.create(kSecretsUrl, secret_json("kept", "missing"));
  server.create(kAccountsUrl, R"({"metadata":{"name":"robot"}})");
  const std::string uid = server.get(fmt::format("{}/robot", kAccountsUrl)).uid();
  // Somebody else fills it, with a token of this server's key.
  const std::string token =
      part->tokens.issue_for_secret("default", {.name = "robot", .uid = uid}, "own").value();
  server.create(kSecretsUrl,
                secret_json("own", "robot",
                            fmt::format(R"(,"data":{{"token":"{}"}})", base64_encode(token))));
  EXPECT_EQ(whoami(token).code, 201);
  EXPECT_EQ(secret("kept").code, 200);
}

}  // namespace
}  // namespace strake::auth
