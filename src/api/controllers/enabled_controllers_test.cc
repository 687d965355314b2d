#include "api/controllers/enabled_controllers.h"

#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api {
namespace {

using testing::TestServer;
using Choices = std::vector<std::string>;

bool has(const Choices& choices, std::string_view name) {
  const auto enabled = EnabledControllers::parse(choices);
  return enabled && enabled->has(name);
}

TEST(EnabledControllers, AreAllUnlessTurnedOff) {
  EXPECT_TRUE(EnabledControllers().has(kGarbageCollector));
  EXPECT_TRUE(has({"*", "-namespace-controller"}, kGarbageCollector));
  EXPECT_FALSE(has({"*", "-namespace-controller"}, kNamespaceController));
  EXPECT_FALSE(has({"-namespace-controller", "*"}, kNamespaceController));
}

TEST(EnabledControllers, AreThoseThatAreNamedWithoutAStar) {
  EXPECT_TRUE(has({"namespace-controller"}, kNamespaceController));
  EXPECT_FALSE(has({"namespace-controller"}, kGarbageCollector));
  EXPECT_FALSE(has({"-namespace-controller"}, kGarbageCollector));
}

TEST(EnabledControllers, GoByTheFirstChoice) {
  EXPECT_TRUE(has({"namespace-controller", "-namespace-controller"}, kNamespaceController));
}

TEST(EnabledControllers, HaveNamesThatAreKnown) {
  const auto wrong = EnabledControllers::parse(Choices{"*", "-nodeipam"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code(), Code::kUsage);
  EXPECT_TRUE(
      wrong.error().message().starts_with("\"nodeipam\" is not in the list of known controllers: "))
      << wrong.error().message();
}

std::string in(std::string_view name) { return "/api/v1/namespaces/n/" + std::string(name); }

TestServer::Options only(std::string choice) {
  TestServer::Options out;
  out.root_ca_pem = "PEM";
  out.controllers = *EnabledControllers::parse(Choices{std::move(choice)});
  return out;
}

void make_namespace(TestServer& server) {
  server.create("/api/v1/namespaces", R"({"metadata":{"name":"n"}})");
}

TEST(EnabledControllers, GiveANamespaceOnlyWhatTheyAreFor) {
  TestServer accounts(only(std::string(kServiceAccountController)));
  make_namespace(accounts);
  EXPECT_EQ(accounts.wait_for(200, in("serviceaccounts/default")).code, 200);
  EXPECT_EQ(accounts.get(in("configmaps/kube-root-ca.crt")).code, 404);
  TestServer authority(only(std::string(kRootCaPublisher)));
  make_namespace(authority);
  EXPECT_EQ(authority.wait_for(200, in("configmaps/kube-root-ca.crt")).code, 200);
  EXPECT_EQ(authority.get(in("serviceaccounts/default")).code, 404);
}

TEST(EnabledControllers, LeaveADyingNamespaceAloneWithoutItsController) {
  TestServer server(only(std::string(kServiceAccountController)));
  make_namespace(server);
  EXPECT_EQ(server.wait_for(200, in("serviceaccounts/default")).code, 200);
  EXPECT_EQ(server.remove("/api/v1/namespaces/n").text("status.phase"), "Terminating");
  // Were it emptied, this one's account would come before.
  server.create("/api/v1/namespaces", R"({"metadata":{"name":"later"}})");
  EXPECT_EQ(server.wait_for(200, "/api/v1/namespaces/later/serviceaccounts/default").code, 200);
  EXPECT_EQ(server.get(in("serviceaccounts/default")).code, 200);
  EXPECT_EQ(server.get("/api/v1/namespaces/n").text("status.phase"), "Terminating");
}

TEST(EnabledControllers, LeaveDependentsAloneWithoutGarbageCollection) {
  TestServer server(only(std::string(kNamespaceController)));
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  const std::string uid = server.create(maps, R"({"metadata":{"name":"owner"}})").uid();
  server.create(maps, R"({"metadata":{"name":"child","ownerReferences":[{"apiVersion":"v1",)"
                      R"("kind":"ConfigMap","name":"owner","uid":")" +
                          uid + R"("}]}})");
  expect_ok(server.ask("DELETE", maps + "/owner?propagationPolicy=Foreground"));
  EXPECT_EQ(server.get(maps + "/owner").text("metadata.finalizers.0"), "foregroundDeletion");
  EXPECT_EQ(server.get(maps + "/child").code, 200);
}

}  // namespace
}  // namespace strake::api
