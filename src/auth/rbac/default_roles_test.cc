#include "auth/rbac/default_roles.h"

#include <gtest/gtest.h>

#include <map>

#include "auth/rbac/policy_rule.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

namespace testing = strake::testing;

TEST(DefaultRoles, AreThoseOfKubeApiserver) {
  const auto defaults = read_default_roles(default_roles_table()).value();
  EXPECT_EQ(defaults.size(), 133u);
  const auto folder = testing::vectors("builtin");
  if (!folder) return;  // the recorded ones are compared where they are
  const value::Document recorded =
      value::read_json(testing::read_file(*folder / "bootstrap.json")).value();
  std::map<std::string, std::string> want;
  for (const char* plural : {"clusterroles", "roles", "clusterrolebindings", "rolebindings"}) {
    for (const value::Value& one : recorded.root().get(plural).items()) {
      const value::Value& metadata = one.get("metadata");
      value::Document copy;
      copy.root() = value::deep_copy(one, copy.arena());
      want[fmt::format("{} {}/{}", plural, metadata.get("namespace").as_string(),
                       metadata.get("name").as_string())] = value::to_json(copy.root());
    }
  }
  EXPECT_EQ(defaults.size(), want.size());
  for (const DefaultObject& one : defaults) {
    value::Document copy;
    copy.root() = value::deep_copy(one.document.root(), copy.arena());
    copy.root().remove("apiVersion");
    copy.root().remove("kind");
    EXPECT_EQ(value::to_json(copy.root()),
              want[fmt::format("{} {}/{}", one.plural, one.namespace_name, one.name)]);
  }
}

TEST(DefaultRoles, NameTheLineThatSaysNothing) {
  EXPECT_EQ(read_default_roles("ClusterRole a\n  get core pods\nRobot b\n").error().message(),
            "line 3: Robot is no kind of RBAC");
  EXPECT_EQ(read_default_roles("  get core pods\n").error().message(),
            "line 1: there is no object above it");
  EXPECT_EQ(read_default_roles("ClusterRole a what\n").error().message(),
            "line 1: what says nothing");
}

class Reconcile : public ::testing::Test {
 protected:
  // What becomes of an object; empty when nothing does.
  static std::string mended(std::string_view present, std::string_view table) {
    value::Document document = value::read_json(present).value();
    const auto wanted = read_default_roles(table).value();
    if (!reconcile(document, wanted.front().document.root())) return "";
    document.root().remove("metadata");
    return value::to_json(document.root());
  }
  static std::string with(std::string_view rest, std::string_view annotation = "true") {
    return fmt::format(
        R"({{"metadata":{{"annotations":{{"rbac.authorization.kubernetes.io/autoupdate":"{}"}},)"
        R"("labels":{{"kubernetes.io/bootstrapping":"rbac-defaults"}},"name":"a"}},{}}})",
        annotation, rest);
  }
  static constexpr std::string_view kRole = "ClusterRole a\n  get,list core pods\n";
};

TEST_F(Reconcile, LeavesAloneWhatHasEverything) {
  EXPECT_EQ(mended(with(R"("rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}])"), kRole),
            "");
}

TEST_F(Reconcile, PutsBackTheRulesThatAreMissing) {
  EXPECT_EQ(
      mended(with(R"("rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get","watch"]}])"),
             kRole),
      R"({"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get","watch"]},)"
      R"({"apiGroups":[""],"resources":["pods"],"verbs":["list"]}]})");
}

TEST_F(Reconcile, DoesNothingWhereTheObjectSaysNo) {
  EXPECT_EQ(mended(with(R"("rules":[])", "false"), kRole), "");
}

TEST_F(Reconcile, PutsBackLabels) {
  EXPECT_EQ(mended(R"({"metadata":{"name":"a"},"rules":[{"apiGroups":["*"],"resources":["*"],)"
                   R"("verbs":["*"]}]})",
                   kRole),
            R"({"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]})");
}

TEST_F(Reconcile, AddsSubjectsAndKeepsThoseThatOthersAdded) {
  EXPECT_EQ(mended(with(R"("subjects":[{"kind":"User","name":"eve"}])"),
                   "ClusterRoleBinding a to:ClusterRole/a\n  ServiceAccount kube-system/x\n"),
            R"({"subjects":[{"kind":"User","name":"eve"},)"
            R"({"kind":"ServiceAccount","name":"x","namespace":"kube-system"}]})");
}

}  // namespace
}  // namespace strake::auth
