#include "api/filters/authentication.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "api/filters/test_stages.h"

namespace strake::api {
namespace {

using testing::call_for;
using testing::code_of;

class AuthenticationStageTest : public ::testing::Test {
 protected:
  bool is_kept(Call& call) {
    http::Response response;
    stage_.leave(call, response);
    return response.to_authenticated;
  }
  testing::FakeAuthenticator who_;
  AuthenticationStage stage_{who_, true};
  AuthenticationStage strict_{who_, false};
};

TEST_F(AuthenticationStageTest, KnowsTheUserOfGoodCredentials) {
  who_.answer = testing::user_named("jane", {"system:authenticated"});
  const CallPtr call = call_for("GET", "/api");
  EXPECT_EQ(code_of(stage_.enter(*call)), 0);
  EXPECT_EQ(call->asking->name, "jane");
  EXPECT_EQ(call->user, call->asking);
  EXPECT_TRUE(is_kept(*call));
}

TEST_F(AuthenticationStageTest, RefusesBadCredentialsWithoutATraceOfAUser) {
  who_.answer = fail(Code::kUnauthorized, "the token has expired");
  const CallPtr call = call_for("GET", "/api");
  EXPECT_EQ(code_of(stage_.enter(*call)), 401);
  EXPECT_EQ(call->user, nullptr);
  EXPECT_FALSE(is_kept(*call));
}

TEST_F(AuthenticationStageTest, TakesCallsWithoutCredentialsForAnonymousOnes) {
  const CallPtr call = call_for("GET", "/api");
  EXPECT_EQ(code_of(stage_.enter(*call)), 0);
  EXPECT_EQ(call->user->name, "system:anonymous");
  EXPECT_TRUE(call->user->in_group("system:unauthenticated"));
  EXPECT_FALSE(is_kept(*call));
}

TEST_F(AuthenticationStageTest, RefusesCallsWithoutCredentialsWhenNobodyMayBeAnonymous) {
  const CallPtr call = call_for("GET", "/api");
  EXPECT_EQ(code_of(strict_.enter(*call)), 401);
}

TEST_F(AuthenticationStageTest, TakesCallsWithoutCredentialsOnlyWhereThatIsAllowed) {
  who_.anonymous_path = "/livez";
  const auto code = [this](std::string_view target) {
    const CallPtr call = call_for("GET", target);
    call->info.path = call->request.path;
    return code_of(stage_.enter(*call));
  };
  EXPECT_EQ(code("/livez"), 0);
  EXPECT_EQ(code("/livez?verbose"), 0);
  EXPECT_EQ(code("/livez/ping"), 401);
  EXPECT_EQ(code("/api"), 401);
  who_.answer = testing::user_named("jane", {});
  EXPECT_EQ(code("/api"), 0) << "who has credentials may go anywhere";
}

TEST_F(AuthenticationStageTest, WaitsForWhoMayKnowOfCredentials) {
  const auto code = [this](const CallPtr& call) {
    Passage passage = stage_.enter(*call);
    auto waiting = passage.take_wait();
    EXPECT_TRUE(waiting);
    boost::asio::io_context loop;
    auto outcome = boost::asio::co_spawn(loop, *std::move(waiting), boost::asio::use_future);
    loop.run();
    const Passage::Outcome end = outcome.get();
    return end ? 0 : end.error().code;
  };
  who_.answer = fail(Code::kUnauthorized, "not known here");
  who_.found = testing::user_named("jane", {"system:authenticated"});
  const CallPtr call = call_for("GET", "/api");
  EXPECT_EQ(code(call), 0);
  EXPECT_EQ(call->asking->name, "jane");
  EXPECT_TRUE(is_kept(*call));
  who_.found = fail(Code::kUnauthorized, "not known there");
  EXPECT_EQ(code(call_for("GET", "/api")), 401);
}

TEST_F(AuthenticationStageTest, TellsFromAHeadWhetherItsBodyIsThatOfAKnownUser) {
  http::Request head;
  EXPECT_FALSE(has_good_credentials(who_, head)) << "no credentials";
  who_.answer = testing::user_named("jane", {});
  EXPECT_TRUE(has_good_credentials(who_, head));
  who_.answer = fail(Code::kUnauthorized, "bad");
  EXPECT_FALSE(has_good_credentials(who_, head));
}

}  // namespace
}  // namespace strake::api
