// Tokens of an issuer that is asked over TLS for its keys.
#include "auth/oidc/jwt_authenticators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include "api/test_server.h"
#include "async/run.h"
#include "auth/authenticator.h"
#include "auth/oidc/test_issuer.h"
#include "base/base64.h"
#include "http/test_server.h"

namespace strake::auth {
namespace {

using api::testing::Answered;
using api::testing::TestServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TestIssuer;

CompiledJwt compiled(const JwtConfig& config) { return compile_jwt(config, {}).value(); }

class Issued : public ::testing::Test {
 protected:
  ~Issued() override {
    if (issuers) static_cast<void>(async::run_blocking(loops.at(0), issuers->stop()));
    loops.stop();
  }
  void believe(const JwtConfig& config, KeyTimes times = {.least = std::chrono::milliseconds(0)}) {
    issuers = std::make_unique<JwtAuthenticators>(loops, workers, issuer.clock, times);
    std::vector<CompiledJwt> list;
    list.push_back(compiled(config));
    issuers->set(std::move(list));
    issuers->start();
  }
  // With its keys fetched, where there are none.
  JwtVerdict judge(const std::string& token) {
    return async::run_blocking(loops.at(0),
                               [](JwtAuthenticators& all, Secret text) -> async::Task<JwtVerdict> {
                                 co_return co_await all.judge_anew(std::move(text), {});
                               }(*issuers, Secret(token)))
        .value();
  }
  std::string refusal(const std::string& token) {
    const JwtVerdict verdict = judge(token);
    EXPECT_EQ(verdict.user, nullptr);
    return verdict.error;
  }
  std::string name(const std::string& token) {
    const JwtVerdict verdict = judge(token);
    EXPECT_EQ(verdict.error, "");
    return verdict.user ? verdict.user->name : "";
  }

  // At once.
  std::string known(const std::string& token) const {
    const JwtVerdict verdict = issuers->judge(token);
    return verdict.user ? verdict.user->name : "error " + verdict.error;
  }

  TestIssuer issuer;
  async::Loops loops{2};
  async::Workers workers{1};
  std::unique_ptr<JwtAuthenticators> issuers;
};

TEST_F(Issued, TokensNameTheirUsers) {
  JwtConfig config = issuer.config();
  config.username.prefix = "oidc:";
  config.groups = {.claim = "groups", .prefix = "g:", .expression = {}};
  believe(config);
  const JwtVerdict verdict = judge(issuer.token(R"("sub":"ann","groups":["dev","ops"],"jti":"7")"));
  ASSERT_TRUE(verdict.user) << verdict.error;
  EXPECT_EQ(verdict.user->name, "oidc:ann");
  EXPECT_THAT(verdict.user->groups, ElementsAre("g:dev", "g:ops", "system:authenticated"));
  EXPECT_THAT(verdict.user->extra.at("authentication.kubernetes.io/credential-id"),
              ElementsAre("JTI=7"));
}

TEST_F(Issued, TokensAreVerifiedOnceAndAtOnceTheNextTime) {
  believe(issuer.config());
  const std::string token = issuer.token();
  EXPECT_EQ(name(token), "ann");
  const int fetches = issuer.key_fetches;
  EXPECT_EQ(known(token), "ann");
  EXPECT_EQ(issuer.key_fetches, fetches);
}

TEST_F(Issued, TokensAreRefusedForWhatTheySay) {
  believe(issuer.config(), {.least = std::chrono::hours(1)});
  ASSERT_EQ(name(issuer.token()), "ann");
  const std::int64_t now = Instant::from(issuer.clock.now()).seconds;
  EXPECT_EQ(refusal(issuer.token(R"("sub":"ann")", "other")),
            R"(oidc: verify token: oidc: expected audience "app" got ["other"])");
  EXPECT_EQ(refusal(issuer.token(R"("sub":"ann")", "app", -1)),
            "oidc: verify token: oidc: token is expired (Token Expiry: 2023-12-31 23:59:59 +0000 "
            "UTC)");
  EXPECT_EQ(
      refusal(issuer.sign(fmt::format(R"({{"iss":"{}","aud":"app","sub":"a"}})", issuer.url()))),
      "oidc: verify token: oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 "
      "UTC)");
  EXPECT_THAT(refusal(issuer.token(fmt::format(R"("sub":"ann","nbf":{})", now + 61))),
              HasSubstr("before the nbf (not before) time: 2024-01-01 00:01:01 +0000 UTC"));
  EXPECT_EQ(name(issuer.token(fmt::format(R"("sub":"ann","nbf":{})", now + 60))), "ann");
  EXPECT_EQ(refusal(issuer.token(R"("name":"ann")")),
            R"(oidc: parse username claims "sub": claim not present)");
  // Another issuer's is nobody's.
  EXPECT_EQ(refusal(issuer.sign(R"({"iss":"https://other.example","aud":"app","sub":"a"})")), "");
}

TEST_F(Issued, TokensEndWhileTheyAreKnown) {
  believe(issuer.config());
  const std::string token = issuer.token(R"("sub":"ann")", "app", 10);
  EXPECT_EQ(name(token), "ann");
  issuer.clock.advance(std::chrono::seconds(11));
  EXPECT_THAT(refusal(token), HasSubstr("token is expired"));
}

TEST_F(Issued, TokensWithoutAGoodSignatureAreRefused) {
  believe(issuer.config(), {.least = std::chrono::hours(1)});
  ASSERT_EQ(name(issuer.token()), "ann");
  const std::string good = issuer.token();
  const std::string claims = good.substr(good.find('.') + 1, good.rfind('.') - good.find('.') - 1);
  const auto with_header = [&](std::string_view header, std::string_view signature) {
    return fmt::format("{}.{}.{}", base64_encode(header, Base64::kUrlRaw), claims, signature);
  };
  // Not signed at all, by a shared secret that would be the public key, with an unknown duty.
  EXPECT_EQ(refusal(with_header(R"({"alg":"none"})", "")), "");
  EXPECT_EQ(refusal(with_header(R"({"alg":"HS256"})", "c2ln")), "");
  const std::string decoded = base64_decode(claims, Base64::kUrlRaw).value();
  EXPECT_EQ(refusal(issuer.sign_with_header(R"({"alg":"ES256","crit":["x"],"x":1})", decoded)), "");
  // The right key, another algorithm than was signed with.
  EXPECT_THAT(refusal(issuer.sign_with_header(R"({"alg":"ES384"})", decoded)),
              HasSubstr("failed to verify id token signature"));
  EXPECT_THAT(refusal(issuer.sign_with_header(R"({"alg":"RS256"})", decoded)),
              HasSubstr("failed to verify id token signature"));
  // Another key of the same kind.
  const SigningKey other = SigningKey::make().value();
  EXPECT_THAT(refusal(write_token(decoded, other).value()),
              HasSubstr("failed to verify id token signature"));
  std::string changed = good;
  changed[changed.rfind('.') + 5] ^= 1;
  EXPECT_THAT(refusal(changed), ::testing::AnyOf(HasSubstr("failed to verify"), ""));
}

TEST_F(Issued, TokensOfOtherAlgorithmsThanThoseAllowedAreRefused) {
  JwtConfig config = issuer.config();
  config.issuer.algorithms = {Algorithm::kRs256, Algorithm::kPs256};
  believe(config);
  EXPECT_EQ(refusal(issuer.token()),
            R"(oidc: verify token: oidc: id token signed with unsupported algorithm, expected )"
            R"(["RS256" "PS256"] got "ES256")");
}

TEST_F(Issued, KeysThatAreRotatedAreFetchedWhenATokenAsksForThem) {
  believe(issuer.config());
  const std::string old = issuer.token();
  EXPECT_EQ(name(old), "ann");
  issuer.rotate();
  EXPECT_EQ(name(issuer.token(R"("sub":"bob")")), "bob");
  EXPECT_THAT(refusal(old), HasSubstr("failed to verify id token signature"))
      << "what was verified with keys that are gone is verified again";
}

TEST_F(Issued, KeysAreNotFetchedForEveryBadToken) {
  believe(issuer.config(), {.least = std::chrono::seconds(10)});
  EXPECT_EQ(name(issuer.token()), "ann");
  issuer.rotate();
  const std::string bad =
      write_token(
          fmt::format(R"({{"iss":"{}","aud":"app","sub":"eve","exp":9999999999}})", issuer.url()),
          SigningKey::make().value())
          .value();
  for (int i = 0; i < 20; ++i) refusal(bad);
  EXPECT_LE(issuer.key_fetches, 2);
  issuer.clock.advance(std::chrono::seconds(11));
  refusal(bad);
  EXPECT_LE(issuer.key_fetches, 3);
}

TEST_F(Issued, KeysAreFetchedOnceForManyThatWait) {
  believe(issuer.config(), {.least = std::chrono::hours(1)});
  ASSERT_EQ(name(issuer.token()), "ann");
  issuer.rotate();
  const std::string token = issuer.token(R"("sub":"bob")");
  issuer.is_slow = true;
  const int before = issuer.key_fetches;
  std::vector<std::future<JwtVerdict>> waiting;
  for (int i = 0; i < 10; ++i) {
    waiting.push_back(boost::asio::co_spawn(loops.at(static_cast<std::size_t>(i % 2)),
                                            issuers->judge_anew(Secret(token), {}),
                                            boost::asio::use_future));
  }
  for (auto& one : waiting) EXPECT_TRUE(one.get().user);
  EXPECT_EQ(issuer.key_fetches, before + 1);
}

TEST_F(Issued, TokensWaitForAnIssuerThatIsDownAndWorkWhenItIsBack) {
  issuer.down = true;
  believe(issuer.config(),
          {.retry = std::chrono::milliseconds(20), .least = std::chrono::milliseconds(0)});
  EXPECT_EQ(refusal(issuer.token()), "oidc: authenticator not initialized");
  issuer.down = false;
  EXPECT_TRUE(http::testing::eventually([&] { return judge(issuer.token()).user != nullptr; }));
  // Down again: what is known stays.
  issuer.down = true;
  EXPECT_EQ(name(issuer.token(R"("sub":"bob")")), "bob");
}

TEST_F(Issued, AnIssuerThatIsTooSlowIsNotWaitedFor) {
  issuer.is_slow = true;
  believe(issuer.config(),
          {.least = std::chrono::hours(1), .timeout = std::chrono::milliseconds(50)});
  EXPECT_EQ(refusal(issuer.token()), "oidc: authenticator not initialized");
}

TEST_F(Issued, AnIssuerOfAnotherAuthorityIsNotBelieved) {
  JwtConfig config = issuer.config();
  const TestIssuer other;
  config.issuer.certificate_authority = other.ca_pem();
  believe(config);
  EXPECT_EQ(refusal(issuer.token()), "oidc: authenticator not initialized");
  EXPECT_EQ(issuer.discoveries, 0);
}

TEST_F(Issued, ADiscoveryDocumentOfAnotherIssuerIsNotBelieved) {
  issuer.says_issuer = "https://other.example";
  believe(issuer.config());
  EXPECT_EQ(refusal(issuer.token()), "oidc: authenticator not initialized");
  EXPECT_EQ(issuer.key_fetches, 0);
}

TEST_F(Issued, DiscoveryMayBeElsewhereAndMoved) {
  JwtConfig config = issuer.config();
  config.issuer.url = "https://issuer.example";
  config.issuer.discovery_url = issuer.url() + "/moved";
  issuer.says_issuer = "https://issuer.example";
  believe(config);
  EXPECT_EQ(name(issuer.sign(
                R"({"iss":"https://issuer.example","aud":["x","app"],"sub":"ann","exp":9e9})")),
            "ann");
}

TEST_F(Issued, KeysMayComeFromAFile) {
  const std::string file = ::testing::TempDir() + "/keys.json";
  const auto write = [&] {
    FILE* out = std::fopen(file.c_str(), "w");
    std::fputs(issuer.keys_document().c_str(), out);
    std::fclose(out);
  };
  write();
  JwtConfig config = issuer.config();
  config.issuer.keys_file = file;
  believe(config, {.retry = std::chrono::milliseconds(10), .least = std::chrono::hours(1)});
  EXPECT_EQ(name(issuer.token()), "ann");
  EXPECT_EQ(issuer.discoveries, 0);
  issuer.rotate();
  write();
  EXPECT_TRUE(http::testing::eventually([&] { return judge(issuer.token()).user != nullptr; }));
}

TEST_F(Issued, ANewConfigurationKeepsTheKeysOfIssuersThatStay) {
  believe(issuer.config());
  EXPECT_EQ(name(issuer.token()), "ann");
  const int fetches = issuer.key_fetches;
  JwtConfig config = issuer.config();
  config.username.prefix = "new:";
  std::vector<CompiledJwt> list;
  list.push_back(compiled(config));
  issuer.down = true;
  issuers->set(std::move(list));
  EXPECT_EQ(known(issuer.token()), "new:ann");
  EXPECT_EQ(issuer.key_fetches, fetches);
  issuers->set({});
  EXPECT_EQ(issuers->judge(issuer.token()).user, nullptr);
}

// Over a whole server.
class Part final : public api::testing::TestPart {
 public:
  Part(api::Hub& hub, const TestIssuer& issuer)
      : issuers(hub.loops(), workers, issuer.clock), config(issuer.config()) {
    requests.use(issuers);
  }
  const api::Authenticator* authenticator() const override { return &requests; }
  const api::TokenReviewer* token_reviewer() const override { return &requests; }
  async::Task<> start(api::Core&) override {
    std::vector<CompiledJwt> list;
    list.push_back(compiled(config));
    issuers.set(std::move(list));
    issuers.start();
    co_return Result<>();
  }
  async::Task<> stop() override { return issuers.stop(); }

  async::Workers workers{1};
  JwtAuthenticators issuers;
  JwtConfig config;
  RequestAuthenticator requests{read_token_file("static,eve,7,dev\n").value()};
};

TEST(IssuedTokens, LetRequestsInAndAreReviewed) {
  TestIssuer issuer;
  TestServer server({.part = [&](api::Hub& hub) { return std::make_unique<Part>(hub, issuer); }});
  const auto whoami = [&](const std::string& token) {
    return server.ask({.method = "POST",
                       .target = "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                       .body = "{}",
                       .type = "application/json",
                       .headers = {{"Authorization", "Bearer " + token}}});
  };
  EXPECT_EQ(whoami(issuer.token()).text("status.userInfo.username"), "ann");
  EXPECT_EQ(whoami("static").text("status.userInfo.username"), "eve");
  EXPECT_EQ(whoami(issuer.token(R"("sub":"ann")", "other")).code, 401);
  EXPECT_EQ(whoami("nonsense").code, 401);
  const auto review = [&](const std::string& token) {
    return server.post("/apis/authentication.k8s.io/v1/tokenreviews",
                       fmt::format(R"({{"spec":{{"token":"{}"}}}})", token));
  };
  EXPECT_EQ(review(issuer.token()).text("status.user.username"), "ann");
  EXPECT_EQ(review(issuer.token(R"("sub":"ann")", "other")).text("status.error"),
            R"([invalid bearer token, oidc: verify token: oidc: expected audience "app" got )"
            R"(["other"]])");
  EXPECT_EQ(review("nonsense").text("status.error"), "invalid bearer token");
}

}  // namespace
}  // namespace strake::auth
