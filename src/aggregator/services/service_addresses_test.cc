#include "aggregator/services/service_addresses.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::aggregator {
namespace {

using api::testing::TestServer;

constexpr std::string_view kServices = "/api/v1/namespaces/default/services";
constexpr std::string_view kSlices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

void add_service(TestServer& server, std::string_view spec) {
  server.create(
      kServices,
      fmt::format(
          R"({{"apiVersion":"v1","kind":"Service","metadata":{{"name":"there"}},"spec":{}}})",
          spec));
}

void add_slice(TestServer& server, std::string_view name, std::string_view addresses) {
  server.create(
      kSlices,
      fmt::format(
          R"({{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{{"name":"{}","labels":{{"kubernetes.io/service-name":"there"}}}},)"
          R"("addressType":"IPv4","endpoints":[{{"addresses":[{}]}}],"ports":[{{"port":6443}}]}})",
          name, addresses));
}

std::string found(ServiceAddresses& addresses, std::uint16_t port = 443) {
  const auto located = addresses.find({.namespace_name = "default", .name = "there", .port = port});
  if (!located) return located.error().message;
  std::string out = fmt::format("{}:{}", located->host, located->port);
  for (const http::Address& one : located->addresses)
    out += fmt::format(" {}:{}", one.ip, one.port);
  return out;
}

TEST(ServiceAddressesTest, ReadyEndpointsTakeTurns) {
  TestServer server;
  ServiceAddresses addresses(server.core().hub);
  EXPECT_EQ(found(addresses), R"(service "there" not found)");
  add_service(server, R"({"ports":[{"port":443}]})");
  EXPECT_EQ(found(addresses), R"(services "there" not found)");
  add_slice(server, "s1", R"("192.0.2.1","192.0.2.2")");
  EXPECT_EQ(found(addresses), "192.0.2.1:6443 192.0.2.1:6443 192.0.2.2:6443");
  EXPECT_EQ(found(addresses), "192.0.2.2:6443 192.0.2.2:6443 192.0.2.1:6443");
  EXPECT_EQ(found(addresses, 444), R"(no service port 444 found for service "there")");
  // A change is seen at once.
  add_slice(server, "s2", R"("192.0.2.3")");
  expect_ok(server.remove(fmt::format("{}/s1", kSlices)));
  EXPECT_EQ(found(addresses), "192.0.2.3:6443 192.0.2.3:6443");
}

TEST(ServiceAddressesTest, AnExternalNameIsAsked) {
  TestServer server;
  ServiceAddresses addresses(server.core().hub);
  add_service(server, R"({"type":"ExternalName","externalName":"api.example.com"})");
  EXPECT_EQ(found(addresses, 8443), "api.example.com:8443");
}

TEST(ServiceAddressesTest, TheMapIsForServicesWithoutEndpoints) {
  TestServer server;
  ServiceAddresses addresses(server.core().hub);
  addresses.set_map(ServiceMap({{"default/there", {.host = "127.0.0.1", .port = 7443}}}));
  EXPECT_EQ(found(addresses), "127.0.0.1:7443");
  add_service(server, R"({"ports":[{"port":443}]})");
  EXPECT_EQ(found(addresses), "127.0.0.1:7443");
  add_slice(server, "s1", R"("192.0.2.1")");
  EXPECT_EQ(found(addresses), "192.0.2.1:6443 192.0.2.1:6443");
  addresses.set_map(ServiceMap());
  expect_ok(server.remove(fmt::format("{}/s1", kSlices)));
  EXPECT_EQ(found(addresses), R"(services "there" not found)");
}

}  // namespace
}  // namespace strake::aggregator
