// Roles over a whole server in the test program.
#include "auth/rbac/rbac.h"

#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::auth {
namespace {

using api::testing::Answered;
using api::testing::Asking;
using api::testing::config_map_json;
using api::testing::expect_ok;
using api::testing::expect_status;
using api::testing::TestServer;

constexpr std::string_view kRbac = "/apis/rbac.authorization.k8s.io/v1";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

class Part final : public api::testing::TestPart {
 public:
  explicit Part(api::Hub& hub) : rbac_(hub) {}
  const api::Authorizer* authorizer() const override { return &rbac_.authorizer(); }
  std::vector<const api::Admission*> admission() const override { return {&rbac_.escalation()}; }
  async::Task<> start(api::Core& core) override { return rbac_.start(core); }
  async::Task<> stop() override { return rbac_.stop(); }

 private:
  Rbac rbac_;
};

class Roles : public ::testing::Test {
 protected:
  Roles() : server({.part = [](api::Hub& hub) { return std::make_unique<Part>(hub); }}) {}

  Answered as(std::string_view user, std::string_view method, std::string_view target,
              std::string_view body = {}, std::string_view group = {}) {
    Asking asking{.method = method, .target = target, .body = body};
    if (!body.empty())
      asking.type = method == "PATCH" ? "application/merge-patch+json" : "application/json";
    asking.headers.push_back({"Impersonate-User", std::string(user)});
    if (!group.empty()) asking.headers.push_back({"Impersonate-Group", std::string(group)});
    return server.ask(asking);
  }
  void role(std::string_view name, std::string_view rules, std::string_view namespace_name = "",
            std::string_view metadata = "") {
    server.create(
        path(namespace_name, "roles"),
        fmt::format(R"({{"metadata":{{"name":"{}"{}}},"rules":[{}]}})", name, metadata, rules));
  }
  void bind(std::string_view name, std::string_view role_kind, std::string_view role_name,
            std::string_view subject, std::string_view namespace_name = "") {
    server.create(path(namespace_name, "rolebindings"),
                  binding(name, role_kind, role_name, subject));
  }
  static std::string binding(std::string_view name, std::string_view role_kind,
                             std::string_view role_name, std::string_view subject) {
    return fmt::format(
        R"({{"metadata":{{"name":"{}"}},"roleRef":{{"apiGroup":"rbac.authorization.k8s.io",)"
        R"("kind":"{}","name":"{}"}},"subjects":[{}]}})",
        name, role_kind, role_name, subject);
  }
  static std::string path(std::string_view namespace_name, std::string_view plural) {
    return namespace_name.empty()
               ? fmt::format("{}/cluster{}", kRbac, plural)
               : fmt::format("{}/namespaces/{}/{}", kRbac, namespace_name, plural);
  }
  static std::string user(std::string_view name, std::string_view kind = "User") {
    return fmt::format(R"({{"kind":"{}","apiGroup":"rbac.authorization.k8s.io","name":"{}"}})",
                       kind, name);
  }
  static constexpr std::string_view kReadMaps =
      R"({"apiGroups":[""],"resources":["configmaps"],"verbs":["get","list"]})";

  TestServer server;
};

TEST_F(Roles, GiveWhatTheySayAndNothingElse) {
  role("reader", kReadMaps);
  bind("reader", "ClusterRole", "reader", user("ann"));
  expect_ok(as("ann", "GET", kMaps));
  expect_status(
      as("ann", "POST", kMaps, config_map_json("x")), 403, "Forbidden",
      "configmaps is forbidden: User \"ann\" cannot create resource \"configmaps\" in API "
      "group \"\" in the namespace \"default\"");
  EXPECT_EQ(as("bob", "GET", kMaps).code, 403);
  EXPECT_EQ(as("ann", "GET", "/api/v1/namespaces/default/secrets").code, 403);
}

TEST_F(Roles, ThatAllowUpdatesDoNotAllowToCreateByOne) {
  constexpr std::string_view kLease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/l1";
  constexpr std::string_view kBody = R"({"metadata":{"name":"l1"},"spec":{}})";
  const auto rule = [](std::string_view verbs) {
    return fmt::format(
        R"({{"apiGroups":["coordination.k8s.io"],"resources":["leases"],"verbs":[{}]}})", verbs);
  };
  role("updater", rule(R"("update","patch")"));
  bind("updater", "ClusterRole", "updater", user("ann"));
  for (const std::string_view method : {"PUT", "PATCH"}) {
    const Answered refused = server.ask(
        {.method = method,
         .target =
             method == "PUT" ? std::string(kLease) : fmt::format("{}?fieldManager=me", kLease),
         .body = method == "PUT" ? kBody
                                 : R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",)"
                                   R"("metadata":{"name":"l1"}})",
         .type = method == "PUT" ? "application/json" : "application/apply-patch+yaml",
         .user = "ann"});
    expect_status(refused, 403, "Forbidden",
                  "leases.coordination.k8s.io \"l1\" is forbidden: User \"ann\" cannot create "
                  "resource \"leases\" in API group \"coordination.k8s.io\" in the namespace "
                  "\"default\"");
  }
  role("creator", rule(R"("create")"));
  bind("creator", "ClusterRole", "creator", user("ann"));
  expect_ok(as("ann", "PUT", kLease, kBody), 201);
}

TEST_F(Roles, OfANamespaceAreForThatNamespace) {
  server.create_namespace("other");
  role("reader", kReadMaps, "default");
  bind("reader", "Role", "reader", user("ann"), "default");
  expect_ok(as("ann", "GET", kMaps));
  EXPECT_EQ(as("ann", "GET", "/api/v1/namespaces/other/configmaps").code, 403);
  EXPECT_EQ(as("ann", "GET", "/api/v1/configmaps").code, 403);
  // A ClusterRole may be bound in one namespace.
  role("reader", kReadMaps);
  bind("reader", "ClusterRole", "reader", user("ann"), "other");
  expect_ok(as("ann", "GET", "/api/v1/namespaces/other/configmaps"));
  EXPECT_EQ(as("ann", "GET", "/api/v1/configmaps").code, 403);
}

TEST_F(Roles, AreBoundToGroupsAndServiceAccounts) {
  role("reader", kReadMaps);
  bind("group", "ClusterRole", "reader", user("readers", "Group"));
  bind("account", "ClusterRole", "reader",
       R"({"kind":"ServiceAccount","name":"ci","namespace":"build"})");
  expect_ok(as("zed", "GET", kMaps, {}, "readers"));
  expect_ok(as("system:serviceaccount:build:ci", "GET", kMaps));
  EXPECT_EQ(as("system:serviceaccount:build:cd", "GET", kMaps).code, 403);
  // A name is not a group of that name, nor the other way round.
  EXPECT_EQ(as("readers", "GET", kMaps).code, 403);
}

TEST_F(Roles, AreInForceForTheNextRequest) {
  for (int i = 0; i < 20; ++i) {
    role("reader", kReadMaps);
    bind("reader", "ClusterRole", "reader", user("ann"));
    EXPECT_EQ(as("ann", "GET", kMaps).code, 200);
    expect_ok(server.remove(fmt::format("{}/clusterrolebindings/reader", kRbac)));
    EXPECT_EQ(as("ann", "GET", kMaps).code, 403);
    expect_ok(server.remove(fmt::format("{}/clusterroles/reader", kRbac)));
  }
}

TEST_F(Roles, ThatAreNotThereAreNamed) {
  bind("dangling", "Role", "absent", user("dan"), "default");
  expect_status(as("dan", "GET", kMaps), 403, "Forbidden",
                "configmaps is forbidden: User \"dan\" cannot list resource \"configmaps\" in API "
                "group \"\" in the namespace \"default\": RBAC: role.rbac.authorization.k8s.io "
                "\"absent\" not found");
}

TEST_F(Roles, LetEveryoneAskForHealthAndTheKnownForMore) {
  EXPECT_EQ(as("eve", "GET", "/readyz").code, 200);
  EXPECT_EQ(as("eve", "GET", "/apis").code, 200);
  EXPECT_EQ(as("eve", "GET", "/metrics").code, 403);
  EXPECT_EQ(as("eve", "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
               R"({"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}})")
                .code,
            201);
  EXPECT_EQ(as("system:anonymous", "GET", "/readyz").code, 200);
  EXPECT_EQ(as("system:anonymous", "GET", "/apis").code, 403);
}

TEST_F(Roles, SayWhyInAReview) {
  role("edit-cm", kReadMaps, "default");
  bind("edit-cm", "Role", "edit-cm", user("bob"), "default");
  const Answered review = server.post(
      "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      R"({"spec":{"user":"bob","resourceAttributes":{"namespace":"default","verb":"list","resource":"configmaps"}}})");
  EXPECT_EQ(review.at("status"),
            R"({"allowed":true,"reason":"RBAC: allowed by RoleBinding \"edit-cm/default\" of Role )"
            R"(\"edit-cm\" to User \"bob\""})");
}

TEST_F(Roles, AreListedOnceForMembersOfSystemMasters) {
  const Answered own = server.post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                                   R"({"spec":{"namespace":"default"}})");
  EXPECT_EQ(own.at("status.resourceRules"),
            R"([{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}])");
  EXPECT_EQ(own.at("status.nonResourceRules"), R"([{"nonResourceURLs":["*"],"verbs":["*"]}])");
}

TEST_F(Roles, AreListedForWhoAsksForTheirOwn) {
  const Answered rules =
      as("system:anonymous", "POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
         R"({"spec":{"namespace":"default"}})", "system:unauthenticated");
  EXPECT_EQ(rules.code, 403) << rules.body;
  const Answered own = as("eve", "POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                          R"({"spec":{"namespace":"default"}})");
  EXPECT_EQ(own.at("status.incomplete"), "false") << own.body;
  EXPECT_EQ(own.at("status.resourceRules.0"),
            R"({"apiGroups":["authorization.k8s.io"],"resources":["selfsubjectaccessreviews",)"
            R"("selfsubjectrulesreviews"],"verbs":["create"]})");
}

class Escalation : public Roles {
 protected:
  Escalation() {
    role("rbac-admin",
         R"({"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles","rolebindings"],)"
         R"("verbs":["create","update","patch","get"]},)" +
             std::string(kReadMaps),
         "default");
    bind("rbac-admin", "Role", "rbac-admin", user("bob"), "default");
  }
  static constexpr std::string_view kNotHeld =
      "user \"bob\" (groups=[\"system:authenticated\"]) is attempting to grant RBAC permissions "
      "not currently held:\n";
  const std::string roles = path("default", "roles");
  const std::string bindings = path("default", "rolebindings");
};

TEST_F(Escalation, ByARoleIsRefused) {
  expect_status(
      as("bob", "POST", roles,
         R"({"metadata":{"name":"more"},"rules":[{"apiGroups":[""],"resources":["secrets"],"verbs":["get"]}]})"),
      403, "Forbidden",
      fmt::format("roles.rbac.authorization.k8s.io \"more\" is forbidden: {}"
                  "{{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}}",
                  kNotHeld));
  expect_ok(as("bob", "POST", roles,
               fmt::format(R"({{"metadata":{{"name":"same"}},"rules":[{}]}})", kReadMaps)),
            201);
  EXPECT_EQ(as("bob", "PATCH", roles + "/same",
               R"({"rules":[{"apiGroups":[""],"resources":["configmaps"],"verbs":["*"]}]})")
                .code,
            403);
  // Labels are nobody's rights.
  expect_ok(as("bob", "PATCH", roles + "/same", R"({"metadata":{"labels":{"a":"b"}}})"));
}

TEST_F(Escalation, ByABindingIsRefused) {
  expect_status(
      as("bob", "POST", bindings, binding("up", "ClusterRole", "cluster-admin", user("bob"))), 403,
      "Forbidden",
      fmt::format("rolebindings.rbac.authorization.k8s.io \"up\" is forbidden: {}"
                  "{{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}}\n"
                  "{{NonResourceURLs:[\"*\"], Verbs:[\"*\"]}}",
                  kNotHeld));
  expect_status(as("bob", "POST", bindings, binding("up", "Role", "absent", user("bob"))), 404,
                "NotFound", "rolebindings.rbac.authorization.k8s.io \"absent\" not found");
  role("maps", kReadMaps, "default");
  expect_ok(as("bob", "POST", bindings, binding("maps", "Role", "maps", user("eve"))), 201);
  expect_ok(as("eve", "GET", kMaps));
}

// A role of 30 kB has 64 million combinations: what is compared and what is told have limits.
TEST_F(Escalation, ByARoleWithTooManyCombinationsIsRefused) {
  const auto texts = [](std::string_view beginning, int from, int to) {
    std::string out;
    for (int i = from; i < to; ++i)
      out += fmt::format(R"({}"{}{}")", i == from ? "" : ",", beginning, i);
    return out;
  };
  const auto rule = [&](int from, int to) {
    return fmt::format(R"({{"apiGroups":[{}],"resources":[{}],"verbs":[{}]}})", texts("g", 0, 400),
                       texts("r", 0, 400), texts("v", from, to));
  };
  const std::string body =
      fmt::format(R"({{"metadata":{{"name":"huge"}},"rules":[{}]}})", rule(0, 400));
  const Answered none_held = as("bob", "POST", roles, body);
  EXPECT_EQ(none_held.code, 403);
  EXPECT_TRUE(none_held.text("message").ends_with("\n... and more")) << none_held.body.size();
  role("halves", rule(0, 200) + "," + rule(200, 400), "default");
  bind("halves", "Role", "halves", user("bob"), "default");
  const Answered by_halves = as("bob", "POST", roles, body);
  EXPECT_EQ(by_halves.code, 403);
  EXPECT_NE(by_halves.text("message").find("too many combinations"), std::string::npos)
      << by_halves.text("message").substr(0, 300);
}

TEST_F(Escalation, IsAllowedByItsOwnVerbs) {
  role("granter",
       R"({"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles"],"verbs":["escalate"]},)"
       R"({"apiGroups":["rbac.authorization.k8s.io"],"resources":["clusterroles"],)"
       R"("resourceNames":["view"],"verbs":["bind"]})",
       "default");
  bind("granter", "Role", "granter", user("bob"), "default");
  expect_ok(
      as("bob", "POST", roles,
         R"({"metadata":{"name":"more"},"rules":[{"apiGroups":[""],"resources":["secrets"],"verbs":["get"]}]})"),
      201);
  expect_ok(as("bob", "POST", bindings, binding("v", "ClusterRole", "view", user("eve"))), 201);
  EXPECT_EQ(as("bob", "POST", bindings, binding("a", "ClusterRole", "admin", user("eve"))).code,
            403);
}

TEST_F(Roles, AreSummedUp) {
  server.create(path("", "roles"),
                R"({"metadata":{"name":"sum"},"aggregationRule":{"clusterRoleSelectors":)"
                R"([{"matchLabels":{"part":"yes"}}]},"rules":[]})");
  bind("sum", "ClusterRole", "sum", user("ann"));
  EXPECT_EQ(as("ann", "GET", kMaps).code, 403);
  role("part", kReadMaps, "", R"(,"labels":{"part":"yes"})");
  for (int i = 0; i < 2000 && as("ann", "GET", kMaps).code != 200; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  expect_ok(as("ann", "GET", kMaps));
  EXPECT_EQ(server.get(fmt::format("{}/clusterroles/sum", kRbac)).at("rules"),
            fmt::format("[{}]", kReadMaps));
  expect_ok(server.remove(fmt::format("{}/clusterroles/part", kRbac)));
  for (int i = 0; i < 2000 && as("ann", "GET", kMaps).code != 403; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(as("ann", "GET", kMaps).code, 403);
}

TEST_F(Roles, ThatAreAlwaysThereHaveTheirSums) {
  const Answered edit = server.get(fmt::format("{}/clusterroles/edit", kRbac));
  EXPECT_EQ(edit.text("metadata.labels.kubernetes.io/bootstrapping"), "");
  EXPECT_NE(edit.at("rules").find("deployments"), std::string::npos) << edit.body;
  bind("ed", "ClusterRole", "edit", user("ed"), "default");
  expect_ok(as("ed", "POST", kMaps, config_map_json("x")), 201);
  EXPECT_EQ(
      as("ed", "POST", path("default", "roles"), R"({"metadata":{"name":"r"},"rules":[]})").code,
      403);
}

TEST_F(Roles, ComeBackWhenAServerStartsAgain) {
  FakeClock clock;
  store::MemoryStore store(clock);
  const auto options = [&] {
    return TestServer::Options{.store = &store,
                               .part = [](api::Hub& hub) { return std::make_unique<Part>(hub); }};
  };
  const std::string discovery = fmt::format("{}/clusterrolebindings/system:discovery", kRbac);
  const std::string basic = fmt::format("{}/clusterroles/system:basic-user", kRbac);
  {
    TestServer first(options());
    expect_ok(first.remove(discovery));
    expect_ok(first.merge(basic, R"({"rules":[]})"));
  }
  TestServer again(options());
  EXPECT_EQ(again.get(discovery).code, 200);
  EXPECT_NE(again.get(basic).at("rules").find("selfsubjectreviews"), std::string::npos);
}

}  // namespace
}  // namespace strake::auth
