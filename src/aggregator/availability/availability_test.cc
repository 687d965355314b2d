#include "aggregator/availability/availability.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "aggregator/test_backend.h"
#include "http/test_server.h"

namespace strake::aggregator::testing {
namespace {

using api::testing::Answered;
using api::testing::TestServer;

constexpr std::string_view kInsecure = R"(,"insecureSkipTLSVerify":true)";

std::string service(std::string_view name, int port, std::string_view more = "") {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Service","metadata":{{"name":"{}"}},"spec":{{"ports":[{{"name":"web","port":{}}}]{}}}}})",
      name, port, more);
}

std::string slice(std::string_view of, std::string_view address, int port, bool ready = true) {
  return fmt::format(
      R"({{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{{"name":"{0}-1","labels":{{"kubernetes.io/service-name":"{0}"}}}},)"
      R"("addressType":"IPv4","endpoints":[{{"addresses":["{1}"],"conditions":{{"ready":{3}}}}}],"ports":[{{"name":"web","port":{2}}}]}})",
      of, address, port, ready);
}

constexpr std::string_view kServices = "/api/v1/namespaces/default/services";
constexpr std::string_view kSlices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

// Endpoints that the API takes lead to this machine.
Aggregation::Options to_this_machine() {
  return {.user_headers = {}, .detour = [](const http::Address& to) -> http::Address {
            return {.ip = "127.0.0.1", .port = to.port};
          }};
}

TEST(Availability, FollowsTheServiceAndItsEndpoints) {
  ScriptedBackend backend;
  AggregatedServer server(to_this_machine());
  server.create("x.example", kInsecure);
  EXPECT_EQ(server.wait_for_reason("v1.x.example", "ServiceNotFound"),
            R"(service/there in "default" is not present)");
  server->create(kServices, service("there", 8443));
  EXPECT_EQ(server.wait_for_reason("v1.x.example", "ServicePortError"),
            R"(service/there in "default" is not listening on port 443)");
  expect_ok(server->merge(fmt::format("{}/there", kServices),
                          R"({"spec":{"ports":[{"name":"web","port":443}]}})"));
  EXPECT_EQ(server.wait_for_reason("v1.x.example", "EndpointsNotFound"),
            R"(cannot find endpointslices for service/there in "default")");
  server->create(kSlices, slice("there", "192.0.2.1", backend.port(), false));
  EXPECT_EQ(
      server.wait_for_reason("v1.x.example", "MissingEndpoints"),
      R"(endpointslices for service/there in "default" have no addresses with port name "web")");
  expect_ok(
      server->merge(fmt::format("{}/there-1", kSlices),
                    R"({"endpoints":[{"addresses":["192.0.2.1"],"conditions":{"ready":true}}]})"));
  EXPECT_EQ(server.wait_for_reason("v1.x.example", "Passed"), "all checks passed");
  EXPECT_EQ(server->get("/apis/x.example/v1/things").code, 200);
  expect_ok(server->remove(fmt::format("{}/there", kServices)));
  server.wait_for_reason("v1.x.example", "ServiceNotFound");
  const Answered gone = server->get("/apis/x.example/v1/things");
  EXPECT_EQ(gone.code, 503);
  EXPECT_EQ(gone.body, "service unavailable\n");
  EXPECT_EQ(gone.header("Content-Type"), "text/plain; charset=utf-8");
}

TEST(Availability, IsSetAsKubeApiserverSetsIt) {
  AggregatedServer server;
  server.create("x.example", kInsecure);
  server.wait_for_reason("v1.x.example", "ServiceNotFound");
  const Answered shown = server->get(fmt::format("{}/v1.x.example", kApiServices));
  EXPECT_EQ(shown.text("status.conditions.0.status"), "False");
  EXPECT_EQ(shown.text("metadata.managedFields.0.manager"), "kube-apiserver");
  EXPECT_EQ(shown.text("metadata.managedFields.0.subresource"), "status");
  EXPECT_EQ(shown.at("status.conditions.1"), "");
}

TEST(Availability, IsTheServersToSay) {
  AggregatedServer server;
  server.create("x.example", kInsecure);
  server.wait_for_reason("v1.x.example", "ServiceNotFound");
  expect_ok(server->merge(
      fmt::format("{}/v1.x.example/status", kApiServices),
      R"({"status":{"conditions":[{"type":"Available","status":"True","reason":"ISaySo","message":"trust me"}]}})"));
  server.wait_for_reason("v1.x.example", "ServiceNotFound");
  expect_ok(server->merge(fmt::format("{}/v1.x.example", kApiServices),
                          R"({"spec":{"service":null,"insecureSkipTLSVerify":null}})"));
  EXPECT_EQ(server.wait_for_reason("v1.x.example", "Local"),
            "Local APIServices are always available");
}

TEST(Availability, SaysWhyAServerDoesNotAnswer) {
  ScriptedBackend backend;
  backend.answer_probes(false);
  AggregatedServer server;
  server.map(backend);
  server.create("x.example", kInsecure);
  const std::string url = fmt::format("https://127.0.0.1:{}/apis/x.example/v1", backend.port());
  EXPECT_EQ(server.wait_for_reason("v1.x.example", "FailedDiscoveryCheck"),
            fmt::format("failing or missing response from {0}: bad status from {0}: 500", url));
  EXPECT_EQ(backend.probes(), 5u);
}

TEST(Availability, VerifiesTheCertificateAndTheName) {
  const http::Validity past{.from = system_clock().now() - std::chrono::hours(2),
                            .until = system_clock().now() - std::chrono::hours(1)};
  ScriptedBackend other_name({}, make_identity({"other.default.svc"}));
  ScriptedBackend expired({}, make_identity({"there.default.svc"}, past));
  ScriptedBackend good;
  const auto message = [&](const ScriptedBackend& backend, std::string_view ca) {
    AggregatedServer server;
    server.map(backend);
    server.create("x.example", fmt::format(R"(,"caBundle":"{}")", ca));
    return server.wait_for_reason("v1.x.example", "FailedDiscoveryCheck");
  };
  const auto ends_with = [](const std::string& text, std::string_view end) {
    EXPECT_TRUE(text.ends_with(end)) << text;
  };
  ends_with(message(good, other_name.ca_bundle()),
            "tls: failed to verify certificate: x509: certificate signed by unknown authority");
  ends_with(message(other_name, other_name.ca_bundle()),
            "x509: certificate is valid for other.default.svc, not there.default.svc");
  const std::string late = message(expired, expired.ca_bundle());
  EXPECT_TRUE(late.contains("x509: certificate has expired or is not yet valid")) << late;
}

TEST(Availability, IsLookedAtEveryThirtySeconds) {
  ScriptedBackend backend;
  AggregatedServer server;
  server.add(backend);
  const std::size_t before = backend.probes();
  backend.answer_probes(false);
  server->advance(std::chrono::seconds(29));
  server.aggregation().availability().look();
  EXPECT_EQ(server->get("/apis/x.example/v1/things").code, 200);
  EXPECT_EQ(backend.probes(), before);
  server->advance(std::chrono::seconds(2));
  server.aggregation().availability().look();
  server.wait_for_reason("v1.x.example", "FailedDiscoveryCheck");
  EXPECT_EQ(server->get("/apis/x.example/v1/things").code, 503);
}

TEST(Availability, IsTriedAgainSoonerWhileAServerDoesNotAnswerAndEverLessSoon) {
  ScriptedBackend backend;
  backend.answer_probes(false);
  AggregatedServer server;
  server.map(backend);
  server.create("x.example", kInsecure);
  server.wait_for_reason("v1.x.example", "FailedDiscoveryCheck");
  // Twice as long each time: what is due is seen by what comes after it.
  for (const auto wait : {std::chrono::seconds(1), std::chrono::seconds(1)}) {
    const std::size_t before = backend.probes();
    // A look that is under way when the clock moves counts from then on, so time goes on until the
    // next one.
    EXPECT_TRUE(http::testing::eventually([&] {
      server->advance(wait);
      server.aggregation().availability().look();
      return backend.probes() >= before + 5;
    }));
  }
  backend.answer_probes(true);
  server->advance(std::chrono::seconds(30));
  server.aggregation().availability().look();
  server.wait_for_reason("v1.x.example", "Passed");
}

TEST(Availability, IsLookedAtWhenARequestDoesNotGetThrough) {
  auto backend = std::make_unique<ScriptedBackend>();
  AggregatedServer server;
  server.add(*backend);
  backend.reset();
  server->advance(std::chrono::seconds(2));
  const Answered refused = server->get("/apis/x.example/v1/things");
  EXPECT_EQ(refused.code, 503);
  EXPECT_TRUE(refused.body.starts_with("error trying to reach service: dial tcp 127.0.0.1:"))
      << refused.body;
  EXPECT_TRUE(refused.body.ends_with(": connect: connection refused\n")) << refused.body;
  server.wait_for_reason("v1.x.example", "FailedDiscoveryCheck");
}

TEST(Availability, OfOneIsNotHeldUpByAnotherThatHangs) {
  ScriptedBackend hanging;
  hanging.hang_probes(true);
  ScriptedBackend good;
  AggregatedServer server;
  server.map(hanging, "hangs");
  server.map(good);
  server.create("hangs.example", kInsecure, "hangs");
  EXPECT_TRUE(http::testing::eventually([&] { return hanging.probes() >= 5; }));
  server.create("x.example", kInsecure);
  server.wait_for_reason("v1.x.example", "Passed");
  EXPECT_EQ(server->get("/apis/x.example/v1/things").code, 200);
  EXPECT_EQ(server->get("/apis/hangs.example/v1/things").code, 503);
  EXPECT_EQ(server->get("/api/v1/namespaces/default").code, 200);
  EXPECT_EQ(server->get(fmt::format("{}/v1.hangs.example", kApiServices))
                .text("status.conditions.0.reason"),
            "");
}

TEST(Availability, FollowsTheMapOfServices) {
  ScriptedBackend backend;
  AggregatedServer server;
  server.create("x.example", kInsecure);
  server.wait_for_reason("v1.x.example", "ServiceNotFound");
  server.map(backend);
  server.wait_for_reason("v1.x.example", "Passed");
}

TEST(Availability, IsCounted) {
  ScriptedBackend backend;
  AggregatedServer server;
  server.add(backend);
  const auto has = [&](std::string_view line) {
    return server->get("/metrics").body.contains(fmt::format("\n{}\n", line));
  };
  EXPECT_TRUE(has(R"(aggregator_unavailable_apiservice{name="v1.x.example"} 0)"));
  EXPECT_TRUE(has(R"(aggregator_unavailable_apiservice{name="v1."} 0)"));
  backend.answer_probes(false);
  server->advance(std::chrono::seconds(31));
  server.aggregation().availability().look();
  server.wait_for_reason("v1.x.example", "FailedDiscoveryCheck");
  EXPECT_TRUE(has(R"(aggregator_unavailable_apiservice{name="v1.x.example"} 1)"));
  EXPECT_TRUE(has(
      R"(aggregator_unavailable_apiservice_total{name="v1.x.example",reason="FailedDiscoveryCheck"} 1)"));
  expect_ok(server->remove(fmt::format("{}/v1.x.example", kApiServices)));
  EXPECT_FALSE(has(R"(aggregator_unavailable_apiservice{name="v1.x.example"} 1)"));
}

}  // namespace
}  // namespace strake::aggregator::testing
