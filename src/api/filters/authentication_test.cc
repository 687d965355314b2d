#include "api/filters/authentication.h"

#include <gtest/gtest.h>

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
