#include "api/filters/impersonation_modes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "api/filters/test_stages.h"

namespace strake::api {
namespace {

using ::testing::ElementsAre;

// Allows what is listed, as "verb resource[/subresource] [name]", and keeps what it was asked.
class ImpersonationModesTest : public ::testing::Test {
 protected:
  ImpersonationModesTest() {
    authorizer_.allows = [this](const User& user, const RequestInfo& info) {
      const std::string what =
          info.is_resource
              ? info.resource + (info.subresource.empty() ? "" : "/") + info.subresource
              : info.path;
      asked_.push_back(info.verb + " " + what + (info.name.empty() ? "" : " ") + info.name);
      if (info.is_resource && info.verb.starts_with("impersonate:"))
        EXPECT_EQ(info.group, "authentication.k8s.io");
      seen_ = user;
      return allowed_.contains(asked_.back());
    };
    request_.is_resource = true;
    request_.verb = "get";
    request_.resource = "pods";
    request_.namespace_name = "here";
    request_.name = "one";
  }
  Answer<UserPtr> impersonate(const User& wanted) {
    asked_.clear();
    return modes_.impersonate(authorizer_, asking_, wanted, request_);
  }
  std::string refusal(const User& wanted) {
    const Answer<UserPtr> outcome = impersonate(wanted);
    return outcome ? "allowed" : outcome.error().message;
  }

  testing::FakeAuthorizer authorizer_;
  std::set<std::string> allowed_;
  std::vector<std::string> asked_;
  User seen_;
  User asking_{.name = "sam", .uid = {}, .groups = {}, .extra = {}};
  RequestInfo request_;
  ImpersonationModes modes_;
};

User named(std::string name) {
  return {.name = std::move(name), .uid = {}, .groups = {}, .extra = {}};
}

TEST_F(ImpersonationModesTest, AskForTheRequestAndForEachPartOfTheUser) {
  allowed_ = {"impersonate-on:user-info:get pods one", "impersonate:user-info users jane",
              "impersonate:user-info uids u-1", "impersonate:user-info groups dev",
              "impersonate:user-info userextras/a.example/team red"};
  User wanted = named("jane");
  wanted.uid = "u-1";
  wanted.groups = {"dev"};
  wanted.extra = {{"a.example/team", {"red"}}};
  const Answer<UserPtr> user = impersonate(wanted);
  ASSERT_TRUE(user) << user.error().message;
  EXPECT_THAT((*user)->groups, ElementsAre("dev", "system:authenticated"));
  const std::set<std::string> all = allowed_;
  for (const std::string& one : all) {
    allowed_ = all;
    allowed_.erase(one);
    EXPECT_FALSE(impersonate(wanted)) << one;
  }
}

TEST_F(ImpersonationModesTest, FallBackToTheOldVerb) {
  allowed_ = {"impersonate users jane"};
  ASSERT_TRUE(impersonate(named("jane")));
  EXPECT_THAT(asked_,
              ElementsAre("impersonate-on:user-info:get pods one", "impersonate users jane"));
  // What worked last comes first, and its words are those of the refusal.
  ASSERT_TRUE(impersonate(named("jane")));
  EXPECT_THAT(asked_, ElementsAre("impersonate users jane"));
  EXPECT_EQ(refusal(named("joe")),
            "users \"joe\" is forbidden: User \"sam\" cannot impersonate resource \"users\" in API "
            "group \"\" at the cluster scope");
  allowed_.clear();
  asking_.name = "someone else";
  EXPECT_EQ(refusal(named("joe")),
            "pods \"one\" is forbidden: User \"someone else\" cannot impersonate-on:user-info:get "
            "resource \"pods\" in API group \"\" in the namespace \"here\"");
}

TEST_F(ImpersonationModesTest, GiveNodesAndServiceAccountsTheirGroups) {
  allowed_ = {"impersonate-on:arbitrary-node:get pods one", "impersonate:arbitrary-node nodes n1",
              "impersonate-on:serviceaccount:get pods one",
              "impersonate:serviceaccount serviceaccounts robot"};
  const auto node = impersonate(named("system:node:n1"));
  ASSERT_TRUE(node);
  EXPECT_THAT((*node)->groups, ElementsAre("system:nodes", "system:authenticated"));
  const auto account = impersonate(named("system:serviceaccount:here:robot"));
  ASSERT_TRUE(account);
  EXPECT_THAT(
      (*account)->groups,
      ElementsAre("system:serviceaccounts", "system:serviceaccounts:here", "system:authenticated"));
}

TEST_F(ImpersonationModesTest, LetAnAccountActAsTheNodeThatItRunsOn) {
  allowed_ = {"impersonate-on:associated-node:get pods one", "impersonate:associated-node nodes *"};
  asking_.name = "system:serviceaccount:kube-system:agent";
  asking_.extra = {{"authentication.kubernetes.io/node-name", {"n1"}},
                   {"authentication.kubernetes.io/pod-name", {"agent-1"}}};
  const auto node = impersonate(named("system:node:n1"));
  ASSERT_TRUE(node);
  EXPECT_EQ((*node)->name, "system:node:n1");
  EXPECT_THAT(seen_.extra.at("authentication.kubernetes.io/associated-node-keys"),
              ElementsAre("authentication.kubernetes.io/node-name",
                          "authentication.kubernetes.io/pod-name"));
  EXPECT_FALSE(impersonate(named("system:node:n2")));
}

TEST_F(ImpersonationModesTest, RefuseWhatNoConstraintMayCover) {
  allowed_ = {"impersonate-on:user-info:get pods one", "impersonate:user-info users jane",
              "impersonate:user-info groups system:masters"};
  User wanted = named("jane");
  wanted.groups = {"system:masters"};
  EXPECT_THAT(refusal(wanted), ::testing::HasSubstr("impersonating the system:masters group"));
  wanted.groups = {""};
  EXPECT_THAT(refusal(wanted), ::testing::HasSubstr("impersonating the empty string group"));
  wanted.groups.clear();
  const std::pair<std::string, std::string> keys[] = {
      {"project",
       "extra.key: Invalid value: \"project\": must be a domain-prefixed path (such as "
       "\"acme.io/foo\")"},
      {"a.example/x y",
       "extra.key: Invalid value: \"x y\": Invalid path (regex used for validation is "
       "'[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"},
  };
  for (const auto& [key, why] : keys) {
    wanted.extra = {{key, {"v"}}};
    EXPECT_EQ(refusal(wanted),
              "userextras.authentication.k8s.io is forbidden: User \"sam\" cannot "
              "impersonate:user-info resource \"userextras\" in API group "
              "\"authentication.k8s.io\" at the cluster scope: impersonating an invalid key in "
              "extra is not allowed: " +
                  why);
  }
}

TEST_F(ImpersonationModesTest, AskAboutManyGroupsAtOnce) {
  allowed_ = {"impersonate-on:user-info:get pods one", "impersonate:user-info users jane",
              "impersonate:user-info groups *"};
  User wanted = named("jane");
  wanted.groups = {"a", "b", "c", "d"};
  EXPECT_TRUE(impersonate(wanted));
  wanted.groups.pop_back();
  EXPECT_FALSE(impersonate(wanted));
}

}  // namespace
}  // namespace strake::api
