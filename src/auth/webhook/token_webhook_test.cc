// A webhook that knows of tokens, over TLS.
#include "auth/webhook/token_webhook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include "api/test_server.h"
#include "async/run.h"
#include "async/signal.h"
#include "auth/authenticator.h"
#include "base/log.h"
#include "http/pki.h"
#include "http/server.h"
#include "http/test_server.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::auth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class HookServer final : public http::Handler {
 public:
  HookServer() {
    const WallTime now = system_clock().now();
    const http::Validity validity{.from = now - std::chrono::hours(1),
                                  .until = now + std::chrono::hours(24)};
    authority_ = http::make_ca("hook authority", validity).value();
    const http::CertifiedKey serving =
        http::issue_certificate(authority_, {.common_name = "hook",
                                             .organizations = {},
                                             .dns_names = {},
                                             .ip_addresses = {"127.0.0.1"},
                                             .validity = validity})
            .value();
    http::ServerOptions options;
    options.tls = http::TlsOptions{.certificate_pem = serving.certificate_pem,
                                   .key_pem = std::string(serving.key_pem.reveal()),
                                   .client_ca_pem = {}};
    server_ = http::Server::listen(std::move(options), loops_, *this).value();
  }
  kube::Access access() const {
    kube::Access out;
    out.server = fmt::format("https://127.0.0.1:{}/review", server_->port());
    out.ca_pem = authority_.certificate_pem;
    out.credentials.token = Secret("hook-token");
    return out;
  }
  boost::asio::awaitable<http::Response> handle(http::Request request) override {
    ++asked;
    {
      const std::lock_guard lock(mu_);
      target = request.path + "?" + request.query;
      authorization = request.headers.get("Authorization");
      body = request.body;
    }
    if (is_slow) static_cast<void>(co_await async::sleep_for(std::chrono::milliseconds(300)));
    http::Response out;
    out.headers.add("Content-Type", "application/json");
    if (failures > 0) {
      --failures;
      out.status = failing_status;
      co_return out;
    }
    const auto review = value::read_json(std::string_view(request.body)).value();
    const std::string token(value::text_of(review.root().get("spec"), "token"));
    const std::string status =
        token == "good"
            ? R"("authenticated":true,"user":{"username":"ann","uid":"7","groups":["dev"]})"
        : token == "for-x" ? R"("authenticated":true,"audiences":["x"],"user":{"username":"bob"})"
        : token == "why"   ? R"("error":"the token is worn out")"
                           : R"("authenticated":false)";
    out.body.emplace_back(
        fmt::format(R"({{"kind":"TokenReview","apiVersion":"{}","status":{{{}}}}})",
                    value::text_of(review.root(), "apiVersion"), status));
    co_return out;
  }
  bool is_authenticated(const http::Request&) const override { return true; }
  std::string last_body() {
    const std::lock_guard lock(mu_);
    return body;
  }

  std::atomic<int> asked = 0;
  std::atomic<int> failures = 0;
  std::atomic<int> failing_status = 500;
  std::atomic<bool> is_slow = false;
  std::string target;
  std::string authorization;
  std::string body;

 private:
  async::Loops loops_{1};
  http::CertifiedKey authority_;
  std::mutex mu_;
  std::unique_ptr<http::Server> server_;
};

class Webhook : public ::testing::Test {
 protected:
  ~Webhook() override {
    if (webhook) static_cast<void>(async::run_blocking(loops.at(0), webhook->stop()));
    loops.stop();
  }
  TokenWebhook::Options options() const {
    return {.access = hook.access(),
            .version = "v1",
            .kept = std::chrono::minutes(2),
            .api_audiences = {"api"},
            .timeout = std::chrono::seconds(5),
            .first_pause = std::chrono::milliseconds(1)};
  }
  void use(TokenWebhook::Options given) {
    webhook =
        TokenWebhook::make(std::move(given), {.loops = loops, .workers = workers, .clock = clock})
            .value();
  }
  WebhookVerdict ask(std::string token, std::vector<std::string> audiences = {"api"}) {
    return boost::asio::co_spawn(loops.at(0),
                                 webhook->ask(Secret(std::move(token)), std::move(audiences), {}),
                                 boost::asio::use_future)
        .get();
  }

  HookServer hook;
  FakeClock clock;
  async::Loops loops{2};
  async::Workers workers{1};
  std::unique_ptr<TokenWebhook> webhook;
};

TEST_F(Webhook, KnowsWhoseATokenIs) {
  use(options());
  const WebhookVerdict verdict = ask("good");
  ASSERT_TRUE(verdict.user) << verdict.error;
  EXPECT_EQ(verdict.user->name, "ann");
  EXPECT_THAT(verdict.user->groups, ElementsAre("dev", "system:authenticated"));
  EXPECT_THAT(verdict.audiences, ElementsAre("api"));
  EXPECT_EQ(hook.target, "/review?timeout=5s");
  EXPECT_EQ(hook.authorization, "Bearer hook-token");
  EXPECT_THAT(hook.last_body(), HasSubstr(R"("spec":{"token":"good","audiences":["api"]})"));
}

TEST_F(Webhook, KeepsRefusalsThatSayWhyForAsLongAsItIsToldTo) {
  TokenWebhook::Options with = options();
  with.errors_kept = std::chrono::seconds(1);
  use(with);
  EXPECT_EQ(ask("why").error, "the token is worn out");
  EXPECT_EQ(ask("why").error, "the token is worn out");
  EXPECT_EQ(hook.asked, 1);
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(ask("why").error, "the token is worn out");
  EXPECT_EQ(hook.asked, 2);
  // Those that say nothing are kept as all answers are.
  ask("unknown");
  clock.advance(std::chrono::seconds(1));
  ask("unknown");
  EXPECT_EQ(hook.asked, 3);
  // Not being able to ask is no answer.
  hook.failing_status = 403;
  hook.failures = 1;
  EXPECT_THAT(ask("good").error, HasSubstr("answered 403"));
  EXPECT_TRUE(ask("good").user);
}

TEST_F(Webhook, IsAskedBelowItsUrlWhereItIsToldTo) {
  TokenWebhook::Options with = options();
  with.path = "/apis/authentication.k8s.io/v1/tokenreviews";
  use(with);
  EXPECT_TRUE(ask("good").user);
  EXPECT_EQ(hook.target, "/review/apis/authentication.k8s.io/v1/tokenreviews?timeout=5s");
}

TEST_F(Webhook, SaysWhyATokenIsNoGood) {
  use(options());
  EXPECT_EQ(ask("why").error, "the token is worn out");
  EXPECT_EQ(ask("unknown").error, "");
  EXPECT_EQ(ask("unknown").user, nullptr);
}

TEST_F(Webhook, IsAskedInTheVersionThatWasAskedFor) {
  TokenWebhook::Options given = options();
  given.version = "v1beta1";
  use(std::move(given));
  EXPECT_TRUE(ask("good").user);
  EXPECT_THAT(hook.last_body(), HasSubstr("authentication.k8s.io/v1beta1"));
  given = options();
  given.version = "v2";
  EXPECT_FALSE(
      TokenWebhook::make(std::move(given), {.loops = loops, .workers = workers, .clock = clock}));
}

TEST_F(Webhook, TokensForOthersAreNoGoodHere) {
  use(options());
  EXPECT_EQ(ask("for-x").user, nullptr);
  EXPECT_EQ(ask("for-x", {"x", "y"}).user->name, "bob");
  EXPECT_THAT(ask("for-x", {"x", "y"}).audiences, ElementsAre("x"));
  EXPECT_EQ(ask("good", {"x"}).user, nullptr) << "what says nothing is for the server";
}

TEST_F(Webhook, AnswersAreKeptForAWhileAndFailuresAreNot) {
  use(options());
  EXPECT_FALSE(webhook->recall("good", {"api"}));
  ask("good");
  EXPECT_TRUE(webhook->recall("good", {"api"})->user);
  EXPECT_FALSE(webhook->recall("good", {"x"}));
  ask("unknown");
  ask("unknown");
  EXPECT_EQ(hook.asked, 2);
  EXPECT_FALSE(webhook->recall("unknown", {"api"})->user);
  ask("why");
  ask("why");
  EXPECT_EQ(hook.asked, 4) << "an error is no answer";
  clock.advance(std::chrono::minutes(2));
  EXPECT_FALSE(webhook->recall("good", {"api"}));
}

TEST_F(Webhook, NothingIsKeptWhereThatIsNotWanted) {
  TokenWebhook::Options given = options();
  given.kept = std::chrono::seconds(0);
  use(std::move(given));
  ask("good");
  ask("good");
  EXPECT_EQ(hook.asked, 2);
}

TEST_F(Webhook, FaultsThatMayPassAreTriedAgain) {
  use(options());
  for (const int status : {500, 429, 504}) {
    hook.failing_status = status;
    hook.failures = 2;
    const int before = hook.asked;
    EXPECT_TRUE(ask("good", {"api", fmt::format("{}", status)}).user) << status;
    EXPECT_EQ(hook.asked, before + 3);
  }
  hook.failures = 100;
  const int before = hook.asked;
  EXPECT_EQ(ask("other").error, "the webhook answered 504");
  EXPECT_EQ(hook.asked, before + 5);
  hook.failing_status = 403;
  EXPECT_EQ(ask("other").error, "the webhook answered 403");
  EXPECT_EQ(hook.asked, before + 6);
}

TEST_F(Webhook, OneQuestionServesAllWhoHaveTheSameToken) {
  use(options());
  hook.is_slow = true;
  std::vector<std::future<WebhookVerdict>> waiting;
  for (std::size_t i = 0; i < 10; ++i) {
    waiting.push_back(boost::asio::co_spawn(
        loops.at(i % 2), webhook->ask(Secret("good"), {"api"}, {}), boost::asio::use_future));
  }
  for (auto& one : waiting) EXPECT_TRUE(one.get().user);
  EXPECT_EQ(hook.asked, 1);
}

TEST_F(Webhook, IsWaitedForOnlySoLong) {
  hook.is_slow = true;
  TokenWebhook::Options given = options();
  given.timeout = std::chrono::milliseconds(50);
  use(std::move(given));
  const WebhookVerdict verdict = ask("good");
  EXPECT_EQ(verdict.user, nullptr);
  EXPECT_NE(verdict.error, "");
}

TEST_F(Webhook, ThatIsGoneOrAnotherLeavesTheTokenUnknownAndUnsaid) {
  std::string logged;
  log::configure(
      {.style = log::Style::kText, .sink = [&](std::string_view line) { logged += line; }});
  TokenWebhook::Options given = options();
  given.access.ca_pem =
      http::make_ca("other", {.from = system_clock().now(),
                              .until = system_clock().now() + std::chrono::hours(1)})
          .value()
          .certificate_pem;
  use(std::move(given));
  EXPECT_EQ(ask("my-secret-token").user, nullptr);
  EXPECT_EQ(hook.asked, 0);
  log::configure({});
  EXPECT_THAT(logged, HasSubstr("could not be asked"));
  EXPECT_THAT(logged, Not(HasSubstr("my-secret-token")));
  EXPECT_THAT(logged, Not(HasSubstr("hook-token")));
}

TEST_F(Webhook, WhoeverGivesUpWaitingIsNotHeld) {
  use(options());
  hook.is_slow = true;
  CancelSource cancel;
  auto waiting = boost::asio::co_spawn(
      loops.at(0), webhook->ask(Secret("good"), {"api"}, cancel.token()), boost::asio::use_future);
  cancel.cancel();
  EXPECT_EQ(waiting.get().user, nullptr);
  EXPECT_TRUE(
      http::testing::eventually([&] { return webhook->recall("good", {"api"}).has_value(); }));
}

// Over a whole server.
class Part final : public api::testing::TestPart {
 public:
  Part(api::Hub& hub, const HookServer& hook)
      : webhook(
            TokenWebhook::make({.access = hook.access(), .version = "v1"},
                               {.loops = hub.loops(), .workers = workers, .clock = system_clock()})
                .value()) {
    requests.use(*webhook);
  }
  const api::Authenticator* authenticator() const override { return &requests; }
  const api::TokenReviewer* token_reviewer() const override { return &requests; }
  async::Task<> stop() override { return webhook->stop(); }

  async::Workers workers{1};
  std::unique_ptr<TokenWebhook> webhook;
  RequestAuthenticator requests{read_token_file("static,eve,7,dev\n").value()};
};

TEST(WebhookTokens, LetRequestsInAndAreReviewed) {
  HookServer hook;
  api::testing::TestServer server(
      {.part = [&](api::Hub& hub) { return std::make_unique<Part>(hub, hook); }});
  const auto whoami = [&](const std::string& token) {
    return server.ask({.method = "POST",
                       .target = "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                       .body = "{}",
                       .type = "application/json",
                       .headers = {{"Authorization", "Bearer " + token}}});
  };
  EXPECT_EQ(whoami("static").text("status.userInfo.username"), "eve");
  EXPECT_EQ(hook.asked, 0) << "what is known here is not asked for";
  EXPECT_EQ(whoami("good").text("status.userInfo.username"), "ann");
  EXPECT_EQ(whoami("good").text("status.userInfo.username"), "ann");
  EXPECT_EQ(hook.asked, 1);
  EXPECT_EQ(whoami("bad").code, 401);
  const auto answer =
      server.post("/apis/authentication.k8s.io/v1/tokenreviews", R"({"spec":{"token":"why"}})");
  EXPECT_EQ(answer.text("status.error"), "[invalid bearer token, the token is worn out]");
}

}  // namespace
}  // namespace strake::auth
