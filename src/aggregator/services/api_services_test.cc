#include "aggregator/services/api_services.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::aggregator {
namespace {

using api::testing::TestServer;

constexpr std::string_view kPath = "/apis/apiregistration.k8s.io/v1/apiservices";

std::string api_service(std::string_view version, std::string_view group, int group_priority,
                        int version_priority, std::string_view more = "") {
  return fmt::format(
      R"({{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{{"name":"{0}.{1}"}},)"
      R"("spec":{{"group":"{1}","version":"{0}","groupPriorityMinimum":{2},"versionPriority":{3}{4}}}}})",
      version, group, group_priority, version_priority, more);
}

constexpr std::string_view kService =
    R"(,"caBundle":"Q0E=","service":{"namespace":"default","name":"there"})";

std::string shown(ApiServices& services) {
  std::string out;
  for (const auto& group : services.snapshot()->groups) {
    out += fmt::format("{}{}:", out.empty() ? "" : " ", group.name);
    for (const ApiServicePtr& one : group.versions) out += one->version + ",";
  }
  return out;
}

TEST(ApiServicesTest, AreOrderedByPrioritiesThenByNameAndVersion) {
  TestServer server;
  ApiServices services(server.core().hub);
  server.create(kPath, api_service("v1", "late.example", 100, 10));
  server.create(kPath, api_service("v2", "equal.example", 1000, 10));
  server.create(kPath, api_service("v1", "zequal.example", 1000, 10));
  server.create(kPath, api_service("v1", "first.example", 2000, 10));
  server.create(kPath, api_service("v2", "first.example", 10, 20));
  server.create(kPath, api_service("v1beta1", "first.example", 10, 20));
  EXPECT_EQ(shown(services),
            "first.example:v2,v1beta1,v1, zequal.example:v1, equal.example:v2, late.example:v1,");
}

TEST(ApiServicesTest, FindsThoseThatOthersServe) {
  TestServer server;
  ApiServices services(server.core().hub);
  EXPECT_EQ(services.find_remote("a.example", "v1"), nullptr);
  server.create(kPath, api_service("v1", "a.example", 1000, 10, kService));
  server.create(kPath, api_service("v1", "b.example", 1000, 10));
  const ApiServicePtr found = services.find_remote("a.example", "v1");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->name, "v1.a.example");
  EXPECT_EQ(found->ca_bundle, "CA");
  EXPECT_EQ(*found->service,
            (ServiceReference{.namespace_name = "default", .name = "there", .port = 443}));
  EXPECT_FALSE(found->is_available());
  EXPECT_EQ(services.find_remote("a.example", "v2"), nullptr);
  EXPECT_EQ(services.find_remote("b.example", "v1"), nullptr);
  ASSERT_NE(services.snapshot()->find("b.example", "v1"), nullptr);
  EXPECT_TRUE(services.snapshot()->find("b.example", "v1")->is_available());
}

TEST(ApiServicesTest, ShowAChangeAtOnceAndKeepWhatSomebodyHolds) {
  TestServer server;
  ApiServices services(server.core().hub);
  server.create(kPath, api_service("v1", "a.example", 1000, 10, kService));
  const ApiServices::SnapshotPtr before = services.snapshot();
  EXPECT_EQ(services.snapshot(), before);
  expect_ok(server.remove(std::string(kPath) + "/v1.a.example"));
  EXPECT_EQ(services.find_remote("a.example", "v1"), nullptr);
  EXPECT_GT(services.snapshot()->generation, before->generation);
  EXPECT_NE(before->find("a.example", "v1"), nullptr);
}

}  // namespace
}  // namespace strake::aggregator
