// What an extension server asks its main server about users, over TLS, and what it keeps of the
// answers.
#include "auth/delegated/delegated_authorization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include "async/signal.h"
#include "auth/authorization/chain.h"
#include "http/test_server.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::auth {
namespace {

using Decision = api::Authorizer::Decision;
using http::testing::test_pki;
using http::testing::text_response;
using ::testing::HasSubstr;

class NoRoles final : public api::Authorizer {
 public:
  Decision authorize(const api::User&, const api::RequestInfo&) const override {
    ADD_FAILURE() << "roles were asked";
    return {};
  }
  Rules rules_of(const api::User&, std::string_view) const override { return {}; }
};

class DelegatedAuthorizationTest : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("no_proxy", "127.0.0.1", 1); }
  void TearDown() override { chain_.close(); }

  DelegatedAuthorization options() {
    kube::Access access{.server = server_.url("/main"),
                        .ca_pem = test_pki().authority.certificate_pem};
    access.credentials.token = Secret("t0ken");
    return {.access = std::move(access)};
  }
  void use(const DelegatedAuthorization& options) {
    chain_.set_backoff({.first = std::chrono::milliseconds(1), .tries = 2});
    ASSERT_TRUE(chain_.use(options.to_configuration().value()));
  }
  Decision ask(std::string user, std::string verb = "get", std::string group = "people") {
    api::User who{.name = std::move(user), .uid = "7", .groups = {std::move(group)}, .extra = {}};
    api::RequestInfo what;
    what.is_resource = true;
    what.verb = std::move(verb);
    what.group = "a.example";
    what.version = "v1";
    what.resource = "things";
    what.namespace_name = "default";
    return ask(std::move(who), std::move(what));
  }
  Decision ask_path(std::string path) {
    api::RequestInfo what;
    what.verb = "get";
    what.path = std::move(path);
    return ask({.name = "ann"}, std::move(what));
  }
  Decision ask(api::User who, api::RequestInfo what) {
    Decision out = chain_.authorize(who, what);
    if (!out.open) return out;
    return boost::asio::co_spawn(loops_.at(0), chain_.ask(who, what, {}), boost::asio::use_future)
        .get();
  }
  boost::asio::awaitable<http::Response> answer(http::Request request) {
    ++asked_;
    path_ = request.path;
    if (slow_) static_cast<void>(co_await async::sleep_for(std::chrono::seconds(5)));
    const auto review = value::read_json(std::string_view(request.body)).value();
    if (request.headers.get("Authorization") != "Bearer t0ken")
      co_return text_response("who are you?", 401);
    if (status_ != 201)
      co_return text_response(
          R"({"kind":"Status","status":"Failure","reason":"Forbidden","message":"you may not ask"})",
          status_);
    const value::Value& spec = review.root().get("spec");
    spec_ = request.body;
    const bool allowed = value::text_of(spec, "user") == "ann";
    co_return text_response(
        fmt::format(R"({{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1",)"
                    R"("status":{{"allowed":{},"reason":"says main"}}}})",
                    allowed),
        201);
  }

  std::atomic<int> asked_ = 0;
  std::atomic<int> status_ = 201;
  std::atomic<bool> slow_ = false;
  std::string path_;
  std::string spec_;
  http::testing::TestServer server_{
      [this](http::Request request) { return answer(std::move(request)); }, {}, true};
  async::Loops loops_{1};
  FakeClock clock_;
  NoRoles roles_;
  AuthorizerChain chain_{roles_, loops_, clock_};
};

TEST_F(DelegatedAuthorizationTest, AsksTheMainServerAboutTheOriginalUser) {
  use(options());
  const Decision yes = ask("ann");
  EXPECT_TRUE(yes.allowed) << yes.error;
  EXPECT_EQ(path_, "/main/apis/authorization.k8s.io/v1/subjectaccessreviews");
  EXPECT_THAT(spec_, HasSubstr(R"("apiVersion":"authorization.k8s.io/v1")"));
  EXPECT_THAT(spec_, HasSubstr(R"("user":"ann")"));
  EXPECT_THAT(spec_, HasSubstr(R"("groups":["people"])"));
  EXPECT_THAT(spec_, HasSubstr(R"("uid":"7")"));
  const Decision no = ask("bob");
  EXPECT_FALSE(no.allowed);
  EXPECT_EQ(no.reason, "says main");
}

TEST_F(DelegatedAuthorizationTest, KeepsBothAnswersForTenSeconds) {
  use(options());
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(ask("ann").allowed);
    EXPECT_FALSE(ask("bob").allowed);
  }
  EXPECT_EQ(asked_, 2);
  clock_.advance(std::chrono::milliseconds(9'999));
  ask("ann");
  ask("bob");
  EXPECT_EQ(asked_, 2);
  clock_.advance(std::chrono::milliseconds(1));
  ask("ann");
  ask("bob");
  EXPECT_EQ(asked_, 4);
}

TEST_F(DelegatedAuthorizationTest, KeepsNothingWhenItIsToldSo) {
  DelegatedAuthorization with = options();
  with.allowed_kept = with.refused_kept = std::chrono::seconds(0);
  use(with);
  ask("ann");
  ask("ann");
  ask("bob");
  ask("bob");
  EXPECT_EQ(asked_, 4);
}

TEST_F(DelegatedAuthorizationTest, LetsMastersDoEverythingWithoutAsking) {
  use(options());
  EXPECT_TRUE(ask("root", "delete", "system:masters").allowed);
  EXPECT_EQ(asked_, 0);
}

TEST_F(DelegatedAuthorizationTest, OpensTheHealthPathsAlone) {
  use(options());
  for (const char* path : {"/healthz", "/readyz", "/livez"}) {
    EXPECT_TRUE(ask_path(path).allowed) << path;
  }
  EXPECT_EQ(asked_, 0);
  ask_path("/healthz/etcd");
  ask_path("/metrics");
  EXPECT_EQ(asked_, 2);
}

TEST_F(DelegatedAuthorizationTest, OpensThePathsThatItIsTold) {
  DelegatedAuthorization with = options();
  with.open_paths = {"/public/*", "open"};
  use(with);
  EXPECT_TRUE(ask_path("/public/a/b").allowed);
  EXPECT_TRUE(ask_path("/open").allowed);
  EXPECT_EQ(asked_, 0);
  ask_path("/healthz");
  EXPECT_EQ(asked_, 1);
  with.open_paths = {"/a*b"};
  EXPECT_THAT(with.to_configuration().error().message(),
              HasSubstr("a * may only stand at the end of a path, got \"/a*b\""));
}

TEST_F(DelegatedAuthorizationTest, AllowsNothingThatTheMainServerDoesNotAnswer) {
  use(options());
  status_ = 403;
  const Decision refused = ask("ann");
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.error, "you may not ask");
  // A failure is not kept.
  status_ = 201;
  EXPECT_TRUE(ask("ann").allowed);
}

TEST_F(DelegatedAuthorizationTest, AllowsNothingWhileTheMainServerIsAway) {
  use(options());
  EXPECT_TRUE(ask("ann").allowed);
  DelegatedAuthorization away = options();
  away.access.server = "https://127.0.0.1:1";
  ASSERT_TRUE(chain_.use(away.to_configuration().value()));
  const Decision decision = ask("ann");
  EXPECT_FALSE(decision.allowed);
  EXPECT_EQ(decision.error,
            "Post \"https://127.0.0.1:1/apis/authorization.k8s.io/v1/subjectaccessreviews?timeout="
            "10s\": dial tcp 127.0.0.1:1: connect: connection refused");
}

TEST_F(DelegatedAuthorizationTest, GivesUpOnASlowMainServer) {
  DelegatedAuthorization with = options();
  with.timeout = std::chrono::milliseconds(50);
  use(with);
  slow_ = true;
  const Decision decision = ask("ann");
  EXPECT_FALSE(decision.allowed);
  EXPECT_THAT(decision.error, HasSubstr("context deadline exceeded"));
}

}  // namespace
}  // namespace strake::auth
