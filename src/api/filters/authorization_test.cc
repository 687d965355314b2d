#include "api/filters/authorization.h"

#include <gtest/gtest.h>

#include "api/filters/test_stages.h"

namespace strake::api {
namespace {

using testing::call_of;
using testing::code_of;
using testing::message_of;

class AuthorizationStageTest : public ::testing::Test {
 protected:
  AuthorizationStageTest() {
    may_.allows = [](const User& user, const RequestInfo&) { return user.name == "admin"; };
  }
  std::string refusal(std::string_view method, std::string_view target) {
    return message_of(stage_.enter(*call_of(testing::user_named("j<n", {}), method, target)));
  }
  testing::FakeAuthorizer may_;
  AuthorizationStage stage_{may_};
};

TEST_F(AuthorizationStageTest, LetsThroughWhatIsAllowed) {
  EXPECT_EQ(code_of(stage_.enter(*call_of(testing::user_named("admin", {}), "GET", "/api"))), 0);
  EXPECT_EQ(code_of(stage_.enter(*call_of(testing::user_named("jane", {}), "GET", "/api"))), 403);
}

TEST_F(AuthorizationStageTest, AsksAboutTheUserThatTheCallActsAs) {
  const CallPtr call = call_of(testing::user_named("admin", {}), "GET", "/api");
  call->user = testing::user_named("jane", {});
  EXPECT_EQ(code_of(stage_.enter(*call)), 403);
}

TEST_F(AuthorizationStageTest, TakesAListOfOneNameForARequestForThatObject) {
  may_.allows = [](const User&, const RequestInfo& info) { return info.name == "one"; };
  const auto ask = [this](std::string_view target) {
    return code_of(stage_.enter(*call_of(testing::user_named("jane", {}), "GET", target)));
  };
  EXPECT_EQ(ask("/api/v1/secrets?fieldSelector=metadata.name%3Done"), 0);
  EXPECT_EQ(ask("/api/v1/secrets?watch=1&fieldSelector=metadata.name%3Done"), 0);
  EXPECT_EQ(ask("/api/v1/secrets?fieldSelector=metadata.name%3Dtwo"), 403);
  EXPECT_EQ(ask("/api/v1/secrets?fieldSelector=metadata.name%21%3Done"), 403);
  EXPECT_EQ(ask("/api/v1/secrets"), 403);
}

TEST_F(AuthorizationStageTest, SaysWhoCannotDoWhatAndWhere) {
  EXPECT_EQ(refusal("GET", "/metrics"), "forbidden: User \"j&lt;n\" cannot get path \"/metrics\"");
  EXPECT_EQ(refusal("GET", "/apis/a.example/v1/namespaces/here/things/one"),
            "things.a.example \"one\" is forbidden: User \"j&lt;n\" cannot get resource \"things\" "
            "in API group \"a.example\" in the namespace \"here\"");
  EXPECT_EQ(refusal("PUT", "/api/v1/namespaces/here/status"),
            "namespaces \"here\" is forbidden: User \"j&lt;n\" cannot update resource "
            "\"namespaces/status\" in API group \"\" in the namespace \"here\"");
  EXPECT_EQ(refusal("GET", "/api/v1/nodes"),
            "nodes is forbidden: User \"j&lt;n\" cannot list resource \"nodes\" in API group \"\" "
            "at the cluster scope");
  may_.reason = "no rule allows it";
  EXPECT_EQ(refusal("GET", "/metrics"),
            "forbidden: User \"j&lt;n\" cannot get path \"/metrics\": no rule allows it");
}

}  // namespace
}  // namespace strake::api
