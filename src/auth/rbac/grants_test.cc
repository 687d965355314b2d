#include "auth/rbac/grants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::auth {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class GrantsTest : public testing::Test {
 protected:
  void add(std::string_view json) { grants_.add(value::read_json(json).value().root()); }
  void role(std::string_view namespace_name, std::string_view name, std::string_view rules) {
    add(fmt::format(R"({{"kind":"{}","metadata":{{"name":"{}","namespace":"{}"}},"rules":[{}]}})",
                    namespace_name.empty() ? "ClusterRole" : "Role", name, namespace_name, rules));
  }
  void bind(std::string_view namespace_name, std::string_view name, std::string_view role_kind,
            std::string_view role_name, std::string_view subjects) {
    add(fmt::format(
        R"({{"kind":"{}","metadata":{{"name":"{}","namespace":"{}"}},"roleRef":{{"kind":"{}","name":"{}"}},"subjects":[{}]}})",
        namespace_name.empty() ? "ClusterRoleBinding" : "RoleBinding", name, namespace_name,
        role_kind, role_name, subjects));
  }
  static api::RequestInfo to(std::string_view verb, std::string_view resource,
                             std::string_view namespace_name = "", std::string_view name = "") {
    api::RequestInfo out;
    out.is_resource = true;
    out.verb = verb;
    const std::size_t slash = resource.find('/');
    out.resource = resource.substr(0, slash);
    if (slash != std::string_view::npos) out.subresource = resource.substr(slash + 1);
    out.namespace_name = namespace_name;
    out.name = name;
    return out;
  }
  std::vector<std::string> who(const api::RequestInfo& request) const {
    std::vector<std::string> out;
    for (const Grant& one : grants_.who_can(request))
      out.push_back(fmt::format("{} {} by {} of {}", one.subject.kind, one.subject.name,
                                one.binding, one.role));
    return out;
  }
  Explanation explain(std::string user, const api::RequestInfo& request,
                      std::vector<std::string> groups = {}) const {
    return grants_.explain(user_with_groups(std::move(user), std::move(groups)), request);
  }

  static constexpr std::string_view kRead =
      R"({"apiGroups":[""],"resources":["configmaps"],"verbs":["get","list"]})";
  static constexpr std::string_view kAll = R"({"apiGroups":["*"],"resources":["*"],"verbs":["*"]})";
  static constexpr std::string_view kEve = R"({"kind":"User","name":"eve"})";
  Grants grants_;
};

TEST_F(GrantsTest, NameEveryoneWhoMay) {
  role("", "reader", kRead);
  role("", "all", kAll);
  bind("", "everything", "ClusterRole", "all", R"({"kind":"Group","name":"admins"})");
  bind("dev", "read", "ClusterRole", "reader",
       R"({"kind":"User","name":"eve"},{"kind":"ServiceAccount","name":"ci","namespace":"dev"})");
  EXPECT_THAT(who(to("get", "configmaps", "dev")),
              ElementsAre("Group admins by everything of all",
                          "ServiceAccount ci by read of reader", "User eve by read of reader"));
  EXPECT_THAT(who(to("get", "configmaps", "prod")),
              ElementsAre("Group admins by everything of all"));
  EXPECT_THAT(who(to("delete", "configmaps", "dev")),
              ElementsAre("Group admins by everything of all"));
}

TEST_F(GrantsTest, ExplainWhichRuleAllows) {
  role("dev", "reader", kRead);
  bind("dev", "read", "Role", "reader", kEve);
  const Explanation why = explain("eve", to("list", "configmaps", "dev"));
  ASSERT_EQ(why.grants.size(), 1u);
  EXPECT_EQ(why.grants[0].binding, "read");
  EXPECT_EQ(why.grants[0].rule_number, 1u);
  EXPECT_EQ(sentence_of(why.grants[0].rule), "get, list on configmaps");
  EXPECT_TRUE(explain("x", to("list", "configmaps"), {"system:masters"}).is_master);
}

TEST_F(GrantsTest, ExplainWhatTheNearestRuleLacks) {
  role("", "reader", kRead);
  role("", "editor", R"({"apiGroups":[""],"resources":["configmaps"],"verbs":["create","get"]})");
  role("", "all", kAll);
  bind("dev", "read", "ClusterRole", "reader", kEve);
  const Explanation verb = explain("eve", to("create", "configmaps", "dev"));
  EXPECT_THAT(verb.grants, IsEmpty());
  ASSERT_EQ(verb.closest.size(), 1u);
  EXPECT_THAT(verb.closest[0].lacking, ElementsAre("the verb create"));
  ASSERT_EQ(verb.roles.size(), 2u);
  EXPECT_EQ(verb.roles[0].name, "editor");
  EXPECT_EQ(verb.roles[1].name, "all");
  EXPECT_THAT(explain("eve", to("get", "configmaps", "prod")).closest[0].lacking,
              ElementsAre("the namespace prod"));
  EXPECT_THAT(explain("eve", to("get", "configmaps/status", "dev")).closest[0].lacking,
              ElementsAre("the resource configmaps/status"));
  EXPECT_THAT(explain("eve", to("get", "configmaps")).closest[0].lacking,
              ElementsAre("all namespaces"));
  // Nothing of it is near.
  EXPECT_THAT(explain("eve", to("delete", "secrets", "prod")).closest, IsEmpty());
  EXPECT_THAT(explain("bob", to("get", "configmaps", "dev")).closest, IsEmpty());
}

TEST_F(GrantsTest, KnowTheGroupsThatFollowFromAName) {
  role("", "reader", kRead);
  bind("", "accounts", "ClusterRole", "reader",
       R"({"kind":"Group","name":"system:serviceaccounts:dev"})");
  bind("", "all", "ClusterRole", "reader", R"({"kind":"Group","name":"system:unauthenticated"})");
  EXPECT_EQ(explain("system:serviceaccount:dev:ci", to("get", "configmaps")).grants.size(), 1u);
  EXPECT_EQ(explain("system:serviceaccount:prod:ci", to("get", "configmaps")).grants.size(), 0u);
  EXPECT_EQ(explain("system:anonymous", to("get", "configmaps")).grants.size(), 1u);
}

TEST_F(GrantsTest, AgreeWithEachOther) {
  role("", "reader", kRead);
  role(
      "dev", "local",
      R"({"apiGroups":[""],"resources":["configmaps"],"resourceNames":["one"],"verbs":["update"]})");
  bind("dev", "a", "ClusterRole", "reader", kEve);
  bind("dev", "b", "Role", "local", kEve);
  for (const std::string_view verb : {"get", "list", "update", "delete"}) {
    for (const std::string_view name : {"", "one", "two"}) {
      for (const std::string_view where : {"dev", "prod", ""}) {
        const api::RequestInfo request = to(verb, "configmaps", where, name);
        EXPECT_EQ(grants_.who_can(request).empty(), explain("eve", request).grants.empty())
            << verb << " " << name << " " << where;
      }
    }
  }
}

TEST_F(GrantsTest, NameBindingsOfRolesThatAreMissing) {
  bind("dev", "lost", "Role", "gone", kEve);
  EXPECT_THAT(grants_.dangling(),
              ElementsAre("RoleBinding dev/lost names the Role gone, which does not exist"));
}

}  // namespace
}  // namespace strake::auth
