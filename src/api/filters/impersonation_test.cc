#include "api/filters/impersonation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/filters/test_stages.h"

namespace strake::api {
namespace {

using testing::code_of;
using ::testing::ElementsAre;

class ImpersonationStageTest : public ::testing::Test {
 protected:
  CallPtr call(std::vector<http::Header> headers) {
    return testing::call_of(admin_, "GET", "/api/v1/namespaces", std::move(headers));
  }
  const UserPtr admin_ = testing::user_named("admin", {"system:masters"});
  testing::FakeAuthorizer may_;
  ImpersonationStage stage_{may_};
};

TEST_F(ImpersonationStageTest, LeavesTheUserAloneWithoutHeaders) {
  const CallPtr one = call({{"User-Agent", "kubectl"}});
  EXPECT_EQ(code_of(stage_.enter(*one)), 0);
  EXPECT_EQ(one->user, admin_);
}

TEST_F(ImpersonationStageTest, ActsAsTheNamedUserAndRemembersWhoAsked) {
  const CallPtr one = call({{"Impersonate-User", "jane"},
                            {"Impersonate-Group", "dev"},
                            {"Impersonate-Uid", "u-1"},
                            {"Impersonate-Extra-Scopes%2fview", "read"}});
  EXPECT_EQ(code_of(stage_.enter(*one)), 0);
  EXPECT_EQ(one->user->name, "jane");
  EXPECT_EQ(one->user->uid, "u-1");
  EXPECT_THAT(one->user->groups, ElementsAre("dev", "system:authenticated"));
  EXPECT_THAT(one->user->extra.at("scopes/view"), ElementsAre("read"));
  EXPECT_EQ(one->asking, admin_);
}

TEST_F(ImpersonationStageTest, GivesServiceAccountsTheirGroups) {
  const CallPtr one = call({{"Impersonate-User", "system:serviceaccount:here:robot"}});
  EXPECT_EQ(code_of(stage_.enter(*one)), 0);
  EXPECT_THAT(
      one->user->groups,
      ElementsAre("system:serviceaccounts", "system:serviceaccounts:here", "system:authenticated"));
}

TEST_F(ImpersonationStageTest, NeedsAUserName) {
  EXPECT_EQ(code_of(stage_.enter(*call({{"Impersonate-Group", "dev"}}))), 400);
}

TEST_F(ImpersonationStageTest, ChecksThePermissionForEachPart) {
  const std::vector<http::Header> all = {{"Impersonate-User", "jane"},
                                         {"Impersonate-Group", "dev"},
                                         {"Impersonate-Uid", "u-1"},
                                         {"Impersonate-Extra-Team", "red"}};
  for (const std::string_view refused : {"users", "groups", "uids", "userextras"}) {
    may_.allows = [refused](const User&, const RequestInfo& info) {
      return info.verb == "impersonate" && info.resource != refused;
    };
    const CallPtr one = call(all);
    EXPECT_EQ(code_of(stage_.enter(*one)), 403) << refused;
    EXPECT_EQ(one->user, admin_) << refused;
  }
}

}  // namespace
}  // namespace strake::api
