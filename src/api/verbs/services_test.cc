// What services get from the server: addresses and ports that no two of them share.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>

#include "api/test_server.h"

namespace strake::api {
namespace {

using testing::Answered;
using testing::TestServer;

constexpr std::string_view kServices = "/api/v1/namespaces/default/services";

std::string service(std::string_view name, std::string_view spec = R"({"ports":[{"port":80}]})") {
  return fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{}}})", name, spec);
}

std::string path(std::string_view name) { return fmt::format("{}/{}", kServices, name); }

TEST(Services, GetAddressesOfTheirOwn) {
  TestServer server;
  std::set<std::string> ips;
  std::set<std::string> ports;
  for (int i = 0; i < 40; ++i) {
    const Answered made = server.post(
        kServices, service(fmt::format("s{}", i), R"({"type":"NodePort","ports":[{"port":80}]})"));
    ASSERT_EQ(made.code, 201) << made.body;
    EXPECT_TRUE(ips.insert(made.text("spec.clusterIP")).second);
    EXPECT_TRUE(ports.insert(made.at("spec.ports.0.nodePort")).second);
    EXPECT_EQ(made.at("spec.clusterIPs"), fmt::format(R"(["{}"])", made.text("spec.clusterIP")));
  }
  // The upper part of the range comes first.
  EXPECT_EQ(*ips.begin(), "10.0.0.17");
  EXPECT_EQ(*ports.begin(), "30086");
}

TEST(Services, ThatAreRefusedTakeNothing) {
  TestServer server;
  // Whoever refuses: the checks of the kind, or that the name is taken.
  constexpr std::string_view kSpec =
      R"({"clusterIP":"10.0.0.5","type":"NodePort","ports":[{"port":80,"nodePort":30001}]})";
  EXPECT_EQ(server.post(kServices, service("Bad", kSpec)).code, 422);
  ASSERT_EQ(server.post(kServices, service("a")).code, 201);
  EXPECT_EQ(server.post(kServices, service("a", kSpec)).code, 409);
  EXPECT_EQ(server.post(std::string(kServices) + "?dryRun=All", service("b", kSpec)).code, 201);
  EXPECT_EQ(server.post(kServices, service("b", kSpec)).code, 201);
  expect_status(
      server.post(kServices, service("c", kSpec)), 422, "Invalid",
      "Service \"c\" is invalid: spec.clusterIPs: Invalid value: [\"10.0.0.5\"]: failed to "
      "allocate IP 10.0.0.5: provided IP is already allocated");
}

TEST(Services, ThatAreBeingWrittenHoldWhatTheyPicked) {
  TestServer server;
  server.hold_writes(true);
  std::vector<std::thread> clients;
  std::mutex mu;
  std::set<std::string> ips;
  constexpr std::size_t kAtOnce = 8;
  for (std::size_t i = 0; i < kAtOnce; ++i) {
    clients.emplace_back([&, i] {
      const Answered made = server.post(kServices, service(fmt::format("s{}", i)));
      const std::lock_guard lock(mu);
      ips.insert(made.text("spec.clusterIP"));
    });
  }
  while (server.writes_waiting() < kAtOnce) std::this_thread::yield();
  server.hold_writes(false);
  for (std::thread& one : clients) one.join();
  EXPECT_EQ(ips.size(), kAtOnce);
}

TEST(Services, GiveBackWhatTheyNeedNoMore) {
  TestServer server;
  constexpr std::string_view kSpec =
      R"({"clusterIP":"10.0.0.5","type":"NodePort","ports":[{"port":80,"nodePort":30001}]})";
  server.create(kServices, service("a", kSpec));
  constexpr std::string_view kPort =
      R"({"type":"NodePort","ports":[{"port":80,"nodePort":30001}]})";
  EXPECT_EQ(server.post(kServices, service("b", kPort)).code, 422);
  EXPECT_EQ(server.merge(path("a"), R"({"spec":{"type":"ClusterIP"}})").code, 200);
  server.create(kServices, service("b", kPort));
  constexpr std::string_view kIp = R"({"clusterIP":"10.0.0.5","ports":[{"port":80}]})";
  EXPECT_EQ(server.post(kServices, service("c", kIp)).code, 422);
  EXPECT_EQ(
      server.merge(path("a"), R"({"spec":{"type":"ExternalName","externalName":"x.y"}})").code,
      200);
  server.create(kServices, service("c", kIp));
  expect_ok(server.remove(path("c")));
  server.create(kServices, service("d", kIp));
}

TEST(Services, KeepTheirAddressesOverARestart) {
  store::MemoryStore store;
  std::string ip;
  {
    TestServer server({.store = &store});
    ip = server.create(kServices, service("a")).text("spec.clusterIP");
  }
  TestServer server({.store = &store});
  EXPECT_NE(server.create(kServices, service("b")).text("spec.clusterIP"), ip);
  const std::string taken = fmt::format(R"({{"clusterIP":"{}","ports":[{{"port":80}}]}})", ip);
  EXPECT_EQ(server.post(kServices, service("c", taken)).code, 422);
}

TEST(Services, OwnNothingOfWhatWasPicked) {
  TestServer server;
  const Answered made = server.create(kServices, service("a"));
  const std::string fields = made.at("metadata.managedFields.0.fieldsV1");
  EXPECT_FALSE(fields.contains("clusterIP")) << fields;
  EXPECT_TRUE(fields.contains("f:ports")) << fields;
}

TEST(Services, AreWarnedOfWhatTheirStatusSaysOnlyThere) {
  TestServer server;
  server.create(
      kServices,
      service("a", R"({"type":"LoadBalancer","externalIPs":["10.9.9.9"],"ports":[{"port":80}]})"));
  const Answered status = server.merge(
      path("a") + "/status", R"({"status":{"loadBalancer":{"ingress":[{"ip":"2001:DB8::1"}]}}})");
  ASSERT_EQ(status.warnings.size(), 1U);
  EXPECT_TRUE(status.warnings[0].contains("RFC 5952")) << status.warnings[0];
}

TEST(EndpointSlices, CountLabelsAsAChange) {
  TestServer server;
  constexpr std::string_view kSlices =
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
  server.create(kSlices, R"({"metadata":{"name":"s"},"addressType":"IPv4"})");
  const std::string one = std::string(kSlices) + "/s";
  EXPECT_EQ(server.merge(one, R"({"metadata":{"labels":{"a":"b"}}})").at("metadata.generation"),
            "2");
  EXPECT_EQ(
      server.merge(one, R"({"metadata":{"annotations":{"a":"b"}}})").at("metadata.generation"),
      "2");
  EXPECT_EQ(
      server.merge(one, R"({"endpoints":[{"addresses":["10.1.1.1"]}]})").at("metadata.generation"),
      "3");
}

TEST(Endpoints, SayThatTheyAreDeprecated) {
  TestServer server;
  const Answered listed = server.get("/api/v1/namespaces/default/endpoints");
  ASSERT_EQ(listed.warnings.size(), 1U);
  EXPECT_EQ(listed.warnings[0],
            "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 "
            "EndpointSlice\"");
}

}  // namespace
}  // namespace strake::api
