// Groups that are not in a token, but where it says.
#include "auth/oidc/distributed_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "async/run.h"
#include "auth/oidc/jwt_authenticators.h"
#include "auth/oidc/test_issuer.h"
#include "http/test_server.h"
#include "value/json_reader.h"

namespace strake::auth {
namespace {

using http::testing::text_response;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TestIssuer;

// What went wrong is known for a moment: the clock of the tests stands still.
constexpr KeyTimes kRemembering{.least = std::chrono::milliseconds(1)};

class GroupsElsewhere : public ::testing::Test {
 protected:
  GroupsElsewhere() {
    issuer.other_pages = [this](const http::Request& request) {
      ++asked;
      const std::lock_guard lock(mu);
      shown = request.headers.get("Authorization");
      if (request.path == "/away") {
        http::Response out = text_response("", 302);
        out.headers.add("Location", elsewhere);
        return out;
      }
      return text_response(page, code);
    };
  }
  ~GroupsElsewhere() override {
    if (issuers) static_cast<void>(async::run_blocking(loops.at(0), issuers->stop()));
    loops.stop();
  }
  void believe(KeyTimes times = {.least = std::chrono::milliseconds(0)},
               const std::string& more_authorities = {}) {
    JwtConfig config = issuer.config();
    config.issuer.certificate_authority += more_authorities;
    config.groups = {.claim = "groups", .prefix = "", .expression = {}};
    issuers = std::make_unique<JwtAuthenticators>(loops, workers, issuer.clock, times);
    std::vector<CompiledJwt> list;
    list.push_back(compile_jwt(config, {}).value());
    issuers->set(std::move(list));
    issuers->start();
  }
  JwtVerdict judge(const std::string& token, CancelToken cancel = {}) {
    return async::run_blocking(loops.at(0),
                               [](JwtAuthenticators& all, Secret text,
                                  CancelToken until) -> async::Task<JwtVerdict> {
                                 co_return co_await all.judge_anew(std::move(text),
                                                                   std::move(until));
                               }(*issuers, Secret(token), std::move(cancel)))
        .value();
  }
  std::vector<std::string> groups(const std::string& token) {
    const JwtVerdict verdict = judge(token);
    EXPECT_EQ(verdict.error, "");
    return verdict.user ? verdict.user->groups : std::vector<std::string>();
  }
  std::string first_group(const std::string& token) {
    const std::vector<std::string> all = groups(token);
    return all.empty() ? "" : all.front();
  }
  // At once.
  std::string known_group(const std::string& token) const {
    const JwtVerdict verdict = issuers->judge(token);
    return verdict.user ? verdict.user->groups.front() : "";
  }
  // A token that says that its groups are there.
  std::string token_to(std::string_view path = "/claims", std::string_view more = "") {
    return issuer.token(fmt::format(
        R"("sub":"ann","_claim_names":{{"groups":"src"}},"_claim_sources":{{"src":{{"endpoint":"{}"{}}}}})",
        path.starts_with('/') ? issuer.url() + std::string(path) : std::string(path), more));
  }
  void answer(std::string text, int status = 200) {
    const std::lock_guard lock(mu);
    page = std::move(text);
    code = status;
  }

  TestIssuer issuer;
  std::atomic<int> asked = 0;
  std::mutex mu;
  std::string page;       // guarded by mu
  int code = 200;         // guarded by mu
  std::string shown;      // guarded by mu
  std::string elsewhere;  // guarded by mu
  async::Loops loops{2};
  async::Workers workers{1};
  std::unique_ptr<JwtAuthenticators> issuers;
};

TEST_F(GroupsElsewhere, AreFetched) {
  believe();
  answer(issuer.token(R"("groups":["dev","ops"])"));
  const std::string token = token_to("/claims", R"(,"access_token":"let-me-in")");
  EXPECT_THAT(groups(token), ElementsAre("dev", "ops", "system:authenticated"));
  const std::lock_guard lock(mu);
  EXPECT_EQ(shown, "Bearer let-me-in");
}

TEST_F(GroupsElsewhere, AreKnownForAWhile) {
  believe();
  answer(issuer.token(R"("groups":["dev"])"));
  const std::string token = token_to();
  EXPECT_EQ(first_group(token), "dev");
  answer(issuer.token(R"("groups":["ops"])"));
  EXPECT_EQ(first_group(token), "dev");
  EXPECT_EQ(known_group(token), "dev");
  EXPECT_EQ(asked, 1);
  // Then they are fetched again, before anybody is let in by them.
  issuer.clock.advance(std::chrono::minutes(10));
  EXPECT_TRUE(issuers->judge(token).wants_claims);
  EXPECT_EQ(first_group(token), "ops");
  EXPECT_EQ(asked, 2);
}

TEST_F(GroupsElsewhere, ThatCannotBeFetchedLetNobodyIn) {
  believe({.least = std::chrono::seconds(10)});
  answer("no", 500);
  const std::string token = token_to();
  const JwtVerdict refused = judge(token);
  EXPECT_EQ(refused.user, nullptr);
  EXPECT_THAT(refused.error,
              HasSubstr("oidc: could not expand distributed claims: while getting distributed "
                        "claim \"groups\": "));
  // Nobody can make us ask all the time.
  answer(issuer.token(R"("groups":["dev"])"));
  EXPECT_EQ(judge(token).user, nullptr);
  EXPECT_EQ(asked, 1);
  issuer.clock.advance(std::chrono::seconds(10));
  EXPECT_EQ(first_group(token), "dev");
}

TEST_F(GroupsElsewhere, MustBeSignedForTheServerAndStillBeGood) {
  believe(kRemembering);
  const auto error = [&](std::string text) {
    answer(std::move(text));
    issuer.clock.advance(std::chrono::hours(1));
    return judge(token_to()).error;
  };
  EXPECT_THAT(error("nothing"), HasSubstr("getting untrusted issuer from endpoint"));
  EXPECT_THAT(error(issuer.token(R"("groups":["dev"])", "other")),
              HasSubstr("verify distributed claim token: oidc: expected audience"));
  EXPECT_THAT(error(issuer.token(R"("groups":["dev"])", "app", 1)),
              HasSubstr("verify distributed claim token: oidc: token is expired"));
  std::string forged = issuer.token(R"("groups":["dev"])", "app", 100'000);
  forged = forged.substr(0, forged.rfind('.') + 1) + "AAAA";
  EXPECT_THAT(error(forged), HasSubstr("verify distributed claim token: failed to verify"));
  EXPECT_THAT(error(issuer.token(R"("roles":["dev"])", "app", 100'000)),
              HasSubstr("did not contain claim: groups"));
}

TEST_F(GroupsElsewhere, MayBeOfAnotherIssuer) {
  TestIssuer other;
  believe({.least = std::chrono::milliseconds(0)}, other.ca_pem());
  answer(other.token(R"("groups":["dev"])"));
  EXPECT_EQ(first_group(token_to()), "dev");
  EXPECT_EQ(other.key_fetches, 1);
}

TEST_F(GroupsElsewhere, NeedAnIssuerThatAnswersAsItself) {
  TestIssuer other;
  other.says_issuer = "https://somebody.example";
  believe(kRemembering, other.ca_pem());
  answer(other.token(R"("groups":["dev"])"));
  EXPECT_THAT(judge(token_to()).error, HasSubstr("verifier not initialized for issuer"));
}

TEST_F(GroupsElsewhere, AreFoundHoweverManyIssuersAreMadeUp) {
  TestIssuer other;
  believe(kRemembering, other.ca_pem());
  for (int i = 0; i < 20; ++i) {
    answer(issuer.sign(fmt::format(R"({{"iss":"https://127.0.0.1:1/{}"}})", i)));
    issuer.clock.advance(std::chrono::seconds(1));
    EXPECT_THAT(judge(token_to()).error, HasSubstr("verifier not initialized for issuer"));
  }
  answer(other.token(R"("groups":["dev"])"));
  issuer.clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(first_group(token_to()), "dev");
}

TEST_F(GroupsElsewhere, ShowTheirTokenToNoOtherHost) {
  TestIssuer other;
  std::string other_was_shown = "nothing";
  other.other_pages = [&](const http::Request& request) {
    other_was_shown = request.headers.get("Authorization");
    return text_response(issuer.token(R"("groups":["dev"])"));
  };
  believe({.least = std::chrono::milliseconds(0)}, other.ca_pem());
  {
    const std::lock_guard lock(mu);
    elsewhere = other.url() + "/claims";
  }
  EXPECT_EQ(first_group(token_to("/away", R"(,"access_token":"mine")")), "dev");
  EXPECT_EQ(other_was_shown, "");
}

TEST_F(GroupsElsewhere, AreFetchedOverHttpsAlone) {
  believe(kRemembering);
  EXPECT_THAT(judge(token_to("http://127.0.0.1:1/")).error, HasSubstr("over https alone"));
  // Nor when the endpoint says so.
  {
    const std::lock_guard lock(mu);
    elsewhere = "http://127.0.0.1:1/";
  }
  EXPECT_THAT(judge(token_to("/away")).error, HasSubstr("over https alone"));
}

TEST_F(GroupsElsewhere, AreFollowedWhereTheirHostSendsUs) {
  believe();
  answer(issuer.token(R"("groups":["dev"])"));
  {
    const std::lock_guard lock(mu);
    elsewhere = "/claims";
  }
  EXPECT_EQ(first_group(token_to("/away", R"(,"access_token":"mine")")), "dev");
  {
    const std::lock_guard lock(mu);
    EXPECT_EQ(shown, "Bearer mine");
  }
}

TEST_F(GroupsElsewhere, AreFetchedOnceForAllWhoWait) {
  believe();
  answer(issuer.token(R"("groups":["dev"])"));
  static_cast<void>(judge(issuer.token()));  // its keys are known
  issuer.is_slow = true;
  const std::string token = token_to();
  CancelSource gone;
  std::vector<std::thread> clients;
  std::atomic<int> let_in = 0;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&, i] {
      if (judge(token, i == 0 ? gone.token() : CancelToken()).user) ++let_in;
    });
  }
  gone.cancel();
  for (std::thread& one : clients) one.join();
  EXPECT_GE(let_in, 3);
  EXPECT_EQ(asked, 1);
}

struct Found {
  std::string_view claims;
  std::string_view want;
};

TEST(ClaimSources, AreReadAsKubernetesReadsThem) {
  for (const Found& one : {
           Found{R"({})", "none"},
           Found{R"({"groups":["a"],"_claim_names":{"groups":"s"}})", "none"},
           Found{R"({"_claim_names":{"other":"s"},"_claim_sources":{}})", "none"},
           Found{R"({"_claim_names":{"groups":"s"}})", "oidc: no claim sources"},
           Found{R"({"_claim_names":1})", "oidc: error parsing distributed claim names"},
           Found{R"({"_claim_names":{"groups":"s"},"_claim_sources":[]})",
                 "oidc: could not parse claim sources"},
           Found{R"({"_claim_names":{"groups":"s"},"_claim_sources":{"t":{}}})",
                 "id token _claim_names contained a source s missing in _claims_sources"},
           Found{R"({"_claim_names":{"groups":"s"},"_claim_sources":{"s":{"JWT":"x"}}})", "none"},
           Found{R"({"_claim_names":{"groups":"s"},"_claim_sources":{"s":{"endpoint":"u"}}})", "u"},
       }) {
    const auto document = value::read_json(one.claims).value();
    const auto found = find_claim_source(document.root(), "groups");
    EXPECT_EQ(!found   ? found.error().message()
              : *found ? (*found)->endpoint
                       : "none",
              one.want)
        << one.claims;
    EXPECT_FALSE(find_claim_source(document.root(), "").value());
  }
}

}  // namespace
}  // namespace strake::auth
