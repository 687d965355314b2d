// The life of namespaces: what each gets, and how one is emptied before it goes.
#include <gtest/gtest.h>

#include <thread>

#include "api/controllers/test_conditions.h"
#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kSpaces = "/api/v1/namespaces";

class Namespaces : public ::testing::Test {
 protected:
  std::string in(std::string_view rest) { return fmt::format("{}/n{}", kSpaces, rest); }
  std::string condition(std::string_view type) { return condition_of(server.get(in("")), type); }
  // Until the controller has said what is left.
  std::string wait_for_condition(std::string_view type) {
    for (int attempt = 0; attempt < 2'000; ++attempt) {
      if (std::string found = condition(type); !found.empty()) return found;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return {};
  }
  TestServer server{{.root_ca_pem = "the certificate"}};
};

TEST_F(Namespaces, ThatAreAlwaysThereAreThere) {
  EXPECT_EQ(server.get(kSpaces).names(), "default kube-public kube-system");
}

TEST_F(Namespaces, BeginActiveAndHeld) {
  const Answered made = server.create(kSpaces, R"({"metadata":{"name":"n"}})");
  EXPECT_EQ(made.at("status"), R"({"phase":"Active"})");
  EXPECT_EQ(made.at("spec"), R"({"finalizers":["kubernetes"]})");
  EXPECT_EQ(made.at("metadata.labels"), R"({"kubernetes.io/metadata.name":"n"})");
}

TEST_F(Namespaces, KeepTheLabelOfTheirName) {
  server.create_namespace("n");
  const Answered changed = server.merge(
      in(""), R"({"metadata":{"labels":{"kubernetes.io/metadata.name":"x","a":"b"}}})");
  expect_ok(changed);
  EXPECT_EQ(changed.at("metadata.labels"), R"({"a":"b","kubernetes.io/metadata.name":"n"})");
}

TEST_F(Namespaces, GetAnAccountAndTheCertificate) {
  server.create_namespace("n");
  EXPECT_EQ(server.wait_for(200, in("/serviceaccounts/default")).code, 200);
  const Answered ca = server.wait_for(200, in("/configmaps/kube-root-ca.crt"));
  EXPECT_EQ(ca.at("data"), R"({"ca.crt":"the certificate"})");
  EXPECT_EQ(server.wait_for(200, "/api/v1/namespaces/default/serviceaccounts/default").code, 200);
}

TEST_F(Namespaces, GetNoCertificateWhereThereIsNone) {
  TestServer bare;
  bare.create_namespace("n");
  EXPECT_EQ(bare.wait_for(200, in("/serviceaccounts/default")).code, 200);
  EXPECT_EQ(bare.get(in("/configmaps/kube-root-ca.crt")).code, 404);
}

TEST_F(Namespaces, AreEmptiedBeforeTheyGo) {
  server.create(kCrds, widgets_crd());
  server.create_namespace("n");
  server.create(in("/configmaps"), config_map_json("a"));
  server.create(in("/secrets"), R"({"metadata":{"name":"s"}})");
  server.create("/apis/example.com/v1/namespaces/n/widgets", widget_json("w"));
  expect_ok(server.remove(in("")));
  EXPECT_EQ(server.wait_for(404, in("")).code, 404);
  EXPECT_EQ(server.get(in("/configmaps")).names(), "");
  EXPECT_EQ(server.get("/apis/example.com/v1/widgets").names(), "");
  EXPECT_NE(server.get("/api/v1/namespaces/default/serviceaccounts").names(), "");
}

TEST_F(Namespaces, SayWhatHoldsThem) {
  server.create(kCrds, widgets_crd());
  server.create_namespace("n");
  for (const std::string_view name : {"a", "b"})
    server.create(in("/configmaps"), config_map_json(name, "{}", R"("finalizers":["x.y/z"])"));
  server.create("/apis/example.com/v1/namespaces/n/widgets",
                widget_json("w", "{}", R"("finalizers":["a.b/c","x.y/z"])"));
  expect_ok(server.remove(in("")));
  EXPECT_EQ(wait_for_condition("NamespaceFinalizersRemaining"),
            "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: "
            "a.b/c in 1 resource instances, x.y/z in 3 resource instances");
  EXPECT_EQ(condition("NamespaceContentRemaining"),
            "True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource "
            "instances, widgets.example.com has 1 resource instances");
  EXPECT_EQ(condition("NamespaceDeletionContentFailure"),
            "False ContentDeleted: All content successfully deleted, may be waiting on "
            "finalization");
  EXPECT_EQ(condition("NamespaceDeletionDiscoveryFailure"),
            "False ResourcesDiscovered: All resources successfully discovered");
  EXPECT_EQ(condition("NamespaceDeletionGroupVersionParsingFailure"),
            "False ParsedGroupVersions: All legacy kube types successfully parsed");
  for (const std::string_view name : {"a", "b"})
    expect_ok(server.merge(in(fmt::format("/configmaps/{}", name)),
                           R"({"metadata":{"finalizers":null}})"));
  expect_ok(server.merge("/apis/example.com/v1/namespaces/n/widgets/w",
                         R"({"metadata":{"finalizers":null}})"));
  EXPECT_EQ(server.wait_for(404, in("")).code, 404);
}

TEST_F(Namespaces, WaitForTheFinalizersOfOthers) {
  server.create(kSpaces, R"({"metadata":{"name":"n","finalizers":["example.com/hold"]}})");
  expect_ok(server.remove(in("")));
  // The server's own is done; another's is not.
  for (int attempt = 0; attempt < 2'000; ++attempt) {
    if (server.get(in("")).at("spec.finalizers") != R"(["kubernetes"])") break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const Answered held = server.get(in(""));
  EXPECT_EQ(held.at("spec.finalizers"), "");
  EXPECT_EQ(held.at("status.phase"), R"("Terminating")");
  expect_ok(server.merge(in(""), R"({"metadata":{"finalizers":null}})"));
  EXPECT_EQ(server.get(in("")).code, 404);
}

TEST_F(Namespaces, AreLetGoByFinalizeAlone) {
  server.create(
      kSpaces,
      R"({"metadata":{"name":"n"},"spec":{"finalizers":["example.com/own","kubernetes"]}})");
  // An update keeps the list; only finalize changes it.
  expect_ok(server.merge(in(""), R"({"spec":{"finalizers":[]}})"));
  EXPECT_EQ(server.get(in("")).at("spec.finalizers"), R"(["example.com/own","kubernetes"])");
  expect_ok(server.remove(in("")));
  for (int attempt = 0; attempt < 2'000; ++attempt) {
    if (server.get(in("")).at("spec.finalizers") == R"(["example.com/own"])") break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(server.get(in("")).at("spec.finalizers"), R"(["example.com/own"])");
  expect_ok(server.put(in("/finalize"), R"({"metadata":{"name":"n"},"spec":{"finalizers":[]}})"));
  EXPECT_EQ(server.wait_for(404, in("")).code, 404);
}

TEST_F(Namespaces, MayBeMadeAgainWhenTheyAreGone) {
  std::string uid;
  for (int round = 0; round < 3; ++round) {
    const Answered made = server.create(kSpaces, R"({"metadata":{"name":"n"}})");
    EXPECT_NE(made.uid(), uid);
    uid = made.uid();
    EXPECT_EQ(server.wait_for(200, in("/serviceaccounts/default")).code, 200);
    expect_ok(server.remove(in("")));
    EXPECT_EQ(server.wait_for(404, in("")).code, 404);
  }
}

// A server that was killed while it emptied a namespace: the next one knows all definitions before
// it says that nothing is left.
TEST(NamespacesOverARestart, AreEmptiedOfCustomResourcesToo) {
  store::MemoryStore store;
  constexpr std::string_view kThings = "/apis/a.example/v1/namespaces/n/things";
  constexpr int kObjects = 20;
  {
    TestServer server({.controllers = EnabledControllers::parse(
                                          std::vector<std::string>{"*", "-namespace-controller"})
                                          .value(),
                       .store = &store});
    server.create(kCrds, things({{"v1", ""}}));
    server.create_namespace("n");
    for (int i = 0; i < kObjects; ++i) {
      server.create(kThings, fmt::format(R"({{"apiVersion":"a.example/v1","kind":"Thing",)"
                                         R"("metadata":{{"name":"x{}"}}}})",
                                         i));
    }
    expect_ok(server.remove("/api/v1/namespaces/n"));
  }
  TestServer server({.store = &store});
  ASSERT_EQ(server.wait_for(404, "/api/v1/namespaces/n").code, 404);
  server.create_namespace("n");
  EXPECT_EQ(server.get(kThings).names(), "");
}

}  // namespace
}  // namespace strake::api::testing
