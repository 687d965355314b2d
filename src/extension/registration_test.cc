// What is registered; that it gets to the main server, and stays as it should be there, is tested
// with two servers (server/delegation_test.cc).
#include "extension/registration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/run.h"
#include "http/test_server.h"
#include "kube/access.h"
#include "value/json_reader.h"

namespace strake::extension {
namespace {

using ::testing::HasSubstr;

value::Document json(std::string_view text) {
  auto read = value::read_json(text);
  EXPECT_TRUE(read) << text;
  return read ? *std::move(read) : value::Document();
}

RegistrationOptions options() {
  RegistrationOptions out;
  out.server_id = "0123456789abcdef";
  out.service = ServiceName::parse("teams/a").value();
  out.ca_pem = "PEM";
  out.address = ReachableAddress{.ip = "192.0.2.7", .port = 6443};
  return out;
}

TEST(ServiceName, IsANamespaceAndAName) {
  const ServiceName name = ServiceName::parse("teams/a").value();
  EXPECT_EQ(name.to_string(), "teams/a");
  EXPECT_EQ(name.host(), "a.teams.svc");
  for (const char* text : {"", "a", "/a", "a/", "a/b/c", "A/b", "a/b.c"}) {
    EXPECT_FALSE(ServiceName::parse(text)) << text;
  }
}

TEST(Reachable, IsAnAddressThatOthersCanDial) {
  EXPECT_EQ(reachable("192.0.2.7", 443)->ip, "192.0.2.7");
  EXPECT_EQ(reachable("2001:db8::7", 443)->ip, "2001:db8::7");
  for (const char* host : {"127.0.0.1", "127.3.3.3", "::1", "0.0.0.0", "::", "localhost", "",
                           "169.254.1.1", "fe80::1", "224.0.0.1", "api.example.com"}) {
    EXPECT_FALSE(reachable(host, 443)) << host;
  }
}

TEST(Registration, WritesAnApiServiceForEachVersion) {
  EXPECT_EQ(
      api_service_json(options(), "a.example", "v1beta1"),
      R"({"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{)"
      R"("name":"v1beta1.a.example","labels":{"extension.strake.dev/server":"0123456789abcdef"}},)"
      R"("spec":{"group":"a.example","version":"v1beta1","groupPriorityMinimum":1000,)"
      R"("versionPriority":100,"caBundle":"UEVN",)"
      R"("service":{"namespace":"teams","name":"a","port":443}}})");
}

TEST(Registration, WritesTheServiceAndItsEndpoint) {
  EXPECT_EQ(
      service_json(options()),
      R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"a","namespace":"teams",)"
      R"("labels":{"extension.strake.dev/server":"0123456789abcdef"}},)"
      R"("spec":{"ports":[{"name":"https","port":443,"protocol":"TCP","targetPort":6443}]}})");
  EXPECT_EQ(endpoint_slice_json(options()),
            R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":"a",)"
            R"("namespace":"teams","labels":{"extension.strake.dev/server":"0123456789abcdef",)"
            R"("kubernetes.io/service-name":"a"}},"addressType":"IPv4",)"
            R"("endpoints":[{"addresses":["192.0.2.7"],"conditions":{"ready":true}}],)"
            R"("ports":[{"name":"https","port":6443,"protocol":"TCP"}]})");
  RegistrationOptions with = options();
  with.address = ReachableAddress{.ip = "2001:db8::7", .port = 1};
  EXPECT_THAT(endpoint_slice_json(with), HasSubstr(R"("addressType":"IPv6")"));
}

// Lists one object, and hangs when that is to be deleted.
class HangingServer {
 public:
  std::string url() const { return server_.url(""); }
  async::Loops& loops() { return server_.loops(); }
  bool hangs() const { return hangs_; }

 private:
  boost::asio::awaitable<http::Response> answer(http::Request request) {
    if (request.method == "GET")
      co_return http::testing::text_response(
          R"({"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a","uid":"u"}}]})");
    hangs_ = true;
    static_cast<void>(co_await async::sleep_until(Deadline::never(), request.cancel));
    co_return http::testing::text_response("", 500);
  }

  std::atomic<bool> hangs_ = false;
  http::testing::TestServer server_{
      [this](http::Request request) { return answer(std::move(request)); }};
};

TEST(KeptObjects, StopsRemovingWhenItIsCancelled) {
  HangingServer main;
  const auto cluster = kube::ClusterClient::make({.server = main.url()}, main.loops(), {});
  ASSERT_TRUE(cluster) << cluster.error().to_string();
  KeptObjects objects({.cluster = *cluster,
                       .what = "thing",
                       .collection = "/things",
                       .is_own = [](const value::Value&) { return true; },
                       .manager = "test"});
  CancelSource late;
  std::thread canceller([&] {
    EXPECT_TRUE(http::testing::eventually([&] { return main.hangs(); }));
    late.cancel();
  });
  const Result<> removed =
      async::run_blocking(main.loops().at(0), objects.remove_all(late.token()));
  canceller.join();
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code(), Code::kCancelled) << removed.error().to_string();
}

TEST(Covers, AsksForWhatIsWantedAlone) {
  const auto covers_text = [](std::string_view present, std::string_view wanted) {
    return covers(json(present).root(), json(wanted).root());
  };
  EXPECT_TRUE(covers_text(R"({"a":{"b":1,"c":2},"d":3})", R"({"a":{"b":1}})"));
  EXPECT_FALSE(covers_text(R"({"a":{"c":2}})", R"({"a":{"b":1}})"));
  EXPECT_FALSE(covers_text(R"({"a":{"b":2}})", R"({"a":{"b":1}})"));
  EXPECT_FALSE(covers_text(R"({"a":1})", R"({"a":{"b":1}})"));
  EXPECT_TRUE(covers_text(R"({"a":[{"b":1,"c":2}]})", R"({"a":[{"b":1}]})"));
  EXPECT_FALSE(covers_text(R"({"a":[{"b":1},{"b":2}]})", R"({"a":[{"b":1}]})"));
  EXPECT_FALSE(covers_text(R"({"a":"1"})", R"({"a":1})"));
}

}  // namespace
}  // namespace strake::extension
