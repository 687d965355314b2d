// What of a request is sent on as it came, and what never is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aggregator/proxy/proxy_route.h"
#include "aggregator/test_backend.h"

namespace strake::aggregator::testing {
namespace {

using api::testing::Answered;
using http::Response;

std::string joined(const http::Headers& headers, std::string_view name) {
  return fmt::format("{}", fmt::join(headers.get_all(name), ","));
}

TEST(Proxy, RefusesPathsThatAServerMayReadInAnotherWay) {
  ScriptedBackend backend;
  AggregatedServer server;
  server.add(backend);
  for (const std::string_view rest :
       {"things/x%2Ftoken", "things/x%2ftoken", "things/x/../y", "things/x/%2E%2e/y", "things/.",
        "things/./x", "things/%2e/x", "namespaces/n%2F/things/x", "things/x/proxy/a%2Fb"}) {
    const Answered got = server->get(fmt::format("/apis/x.example/v1/{}", rest));
    EXPECT_EQ(got.code, 400) << rest;
    EXPECT_EQ(got.text("message"),
              "a path that is sent on to another server must not have an encoded slash, \".\" or "
              "\"..\" in its segments");
  }
  EXPECT_TRUE(backend.seen().empty());
  for (const std::string_view rest : {"things/x%20y", "things/...", "things/.x", "things/x%252Fy"})
    EXPECT_EQ(server->get(fmt::format("/apis/x.example/v1/{}", rest)).code, 200) << rest;
}

TEST(Proxy, SetsItsOwnHeadersWhateverTheClientNamesInConnection) {
  ScriptedBackend backend;
  AggregatedServer server;
  server.add(backend);
  expect_ok(
      server->ask({.target = "/apis/x.example/v1/things",
                   .headers = {{"Connection",
                                "X-Forwarded-For, X-Forwarded-Uri, Audit-ID, X-Remote-User, X-Hop"},
                               {"X-Hop", "1"},
                               {"X-Forwarded-For", "10.9.9.9"},
                               {"X-Kept", "1"},
                               {"Audit-ID", "the-audit-id"}}}));
  const Seen seen = backend.seen().at(0);
  EXPECT_TRUE(seen.headers.get("X-Forwarded-For").starts_with("10.9.9.9"));
  EXPECT_EQ(joined(seen.headers, "X-Forwarded-Uri"), "/apis/x.example/v1/things");
  EXPECT_EQ(joined(seen.headers, "Audit-ID"), "the-audit-id");
  EXPECT_TRUE(seen.headers.has("X-Remote-User"));
  EXPECT_EQ(joined(seen.headers, "X-Kept"), "1");
  EXPECT_FALSE(seen.headers.has("X-Hop"));
}

TEST(Proxy, ChangesToNoOtherHttp) {
  std::string upgrade = "nothing was asked";
  ScriptedBackend backend([&](http::Request request) -> boost::asio::awaitable<Response> {
    upgrade = request.headers.get("Upgrade");
    co_return json_answer("{}");
  });
  AggregatedServer server;
  server.add(backend);
  for (const std::string_view asked : {"h2c", "HTTP/2.0"}) {
    http::ClientRequest request{.target = "/apis/x.example/v1/things"};
    request.upgrade = asked;
    EXPECT_EQ(server.read(std::move(request)).status, 200);
    EXPECT_EQ(upgrade, "") << asked;
    // As one that asks for no upgrade at all.
    EXPECT_EQ(backend.seen().back().version, 20);
  }
}

}  // namespace
}  // namespace strake::aggregator::testing
