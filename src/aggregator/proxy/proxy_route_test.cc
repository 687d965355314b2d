#include "aggregator/proxy/proxy_route.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <future>
#include <mutex>
#include <thread>

#include "aggregator/test_backend.h"
#include "async/run.h"
#include "async/signal.h"

namespace strake::aggregator::testing {
namespace {

using api::testing::Answered;
using api::testing::things;
using http::Response;

constexpr std::string_view kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

// Gives these parts one after the other, and then, for ever or not, fails or ends.
class Parts final : public http::BodyStream {
 public:
  enum class End : std::uint8_t { kWhole, kBroken, kNever };
  Parts(std::vector<std::string> parts, End end, http::Headers trailers = {})
      : parts_(std::move(parts)), end_(end), trailers_(std::move(trailers)) {}
  async::Task<std::vector<http::Piece>> next() override {
    std::vector<http::Piece> out;
    if (at_ < parts_.size()) {
      out.emplace_back(parts_[at_++]);
    } else if (end_ == End::kBroken) {
      co_return fail(Code::kIo, "broken on purpose");
    } else if (end_ == End::kNever) {
      static_cast<void>(co_await async::sleep_until(Deadline::never()));
    }
    co_return out;
  }
  bool is_finite() const override { return end_ == End::kBroken; }
  http::Headers trailers() const override { return trailers_; }

 private:
  std::vector<std::string> parts_;
  std::size_t at_ = 0;
  const End end_;
  const http::Headers trailers_;
};

Response streamed(std::vector<std::string> parts, Parts::End end, http::Headers trailers = {}) {
  Response out;
  out.headers.add("Content-Type", "application/json");
  out.stream = std::make_unique<Parts>(std::move(parts), end, std::move(trailers));
  return out;
}

// A script of one answer.
ScriptedBackend::Script answers(std::function<Response()> make) {
  return [make = std::move(make)](http::Request) -> boost::asio::awaitable<Response> {
    co_return make();
  };
}

std::string all(const http::Headers& headers, std::string_view name) {
  return fmt::format("{}", fmt::join(headers.get_all(name), ","));
}

TEST(Proxy, SendsRequestsOnAsTheUser) {
  ScriptedBackend backend(answers([] { return json_answer(R"({"a":1})", 201); }));
  AggregatedServer server({}, {.may = [](const auto&, const auto&) { return true; }});
  server.add(backend);
  const Answered made = server->ask({.method = "POST",
                                     .target = "/apis/x.example/v1/namespaces/n/things?dryRun=All",
                                     .body = R"({"kind":"Thing"})",
                                     .type = "application/json",
                                     .user = "jane",
                                     .headers = {{"X-Remote-User", "root"},
                                                 {"X-Remote-Group", "system:masters"},
                                                 {"X-Remote-Extra-A", "b"},
                                                 {"X-Forwarded-Host", "evil"},
                                                 {"X-Forwarded-For", "10.9.9.9"},
                                                 {"Cookie", "c=1"},
                                                 {"Host", "main.example"},
                                                 {"Audit-ID", "the-audit-id"}}});
  EXPECT_EQ(made.code, 201);
  EXPECT_EQ(made.body, R"({"a":1})");
  EXPECT_EQ(made.header("Audit-Id"), "the-audit-id");
  ASSERT_EQ(backend.seen().size(), 1u);
  const Seen seen = backend.seen().front();
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.target, "/apis/x.example/v1/namespaces/n/things?dryRun=All");
  EXPECT_EQ(seen.body, R"({"kind":"Thing"})");
  EXPECT_EQ(seen.certificate, "the-proxy");
  EXPECT_EQ(all(seen.headers, "X-Remote-User"), "jane");
  EXPECT_EQ(all(seen.headers, "X-Remote-Group"), "system:authenticated");
  EXPECT_FALSE(seen.headers.has("X-Remote-Extra-A"));
  EXPECT_EQ(all(seen.headers, "X-Forwarded-Host"), "main.example");
  EXPECT_EQ(all(seen.headers, "X-Forwarded-Uri"), "/apis/x.example/v1/namespaces/n/things");
  EXPECT_TRUE(seen.headers.get("X-Forwarded-For").starts_with("10.9.9.9"));
  EXPECT_EQ(all(seen.headers, "Cookie"), "c=1");
  EXPECT_EQ(all(seen.headers, "Audit-ID"), "the-audit-id");
  EXPECT_EQ(all(seen.headers, "Content-Type"), "application/json");
  EXPECT_EQ(seen.version, 20);
}

TEST(Proxy, ActsAsWhomTheRequestImpersonates) {
  ScriptedBackend backend;
  AggregatedServer server;
  server.add(backend);
  expect_ok(server->ask({.target = "/apis/x.example/v1/things",
                         .headers = {{"Impersonate-User", "wanda"},
                                     {"Impersonate-Group", "witches"},
                                     {"Impersonate-Extra-Hat", "red"}}}));
  const Seen seen = backend.seen().at(0);
  EXPECT_EQ(all(seen.headers, "X-Remote-User"), "wanda");
  EXPECT_EQ(all(seen.headers, "X-Remote-Group"), "witches,system:authenticated");
  EXPECT_EQ(all(seen.headers, "X-Remote-Extra-hat"), "red");
  EXPECT_FALSE(seen.headers.has("Impersonate-User"));
}

TEST(Proxy, AsksThisServersAuthorizationFirst) {
  ScriptedBackend backend;
  AggregatedServer server({}, {.groups = {}, .may = [](const auto& user, const auto&) {
                                 return user.name != "mallory";
                               }});
  server.add(backend);
  EXPECT_EQ(server->ask({.target = "/apis/x.example/v1/things", .user = "mallory"}).code, 403);
  EXPECT_TRUE(backend.seen().empty());
}

TEST(Proxy, TakesAllOfAVersionAndNothingElse) {
  ScriptedBackend backend;
  AggregatedServer server;
  server.add(backend);
  for (const std::string_view path :
       {"/apis/x.example/v1", "/apis/x.example/v1/", "/apis/x.example/v1/a/b/c/d",
        "//apis//x.example/v1/a", "/apis/x%2Eexample/v1/a"}) {
    EXPECT_EQ(server->get(path).code, 200) << path;
    EXPECT_EQ(backend.seen().back().target, path);
  }
  const std::size_t seen = backend.seen().size();
  EXPECT_EQ(server->get("/apis/x.example/v2/things").body, "404 page not found\n");
  EXPECT_EQ(server->get("/apis/x.example/v11/things").code, 404);
  EXPECT_EQ(server->get("/apis/other.example/v1/things").code, 404);
  EXPECT_EQ(backend.seen().size(), seen);
}

TEST(Proxy, LeavesTheGroupOfApiServicesAlone) {
  ScriptedBackend backend;
  AggregatedServer server;
  server.map(backend);
  server.create("apiregistration.k8s.io", R"(,"insecureSkipTLSVerify":true)");
  server.wait_for_reason("v1.apiregistration.k8s.io", "Passed");
  EXPECT_EQ(server->get(kApiServices).text("kind"), "APIServiceList");
  EXPECT_TRUE(backend.seen().empty());
}

TEST(Proxy, DropsWhatOnlyThisServerMaySay) {
  ScriptedBackend backend(answers([] {
    Response out = json_answer("{}");
    out.headers.add("Access-Control-Allow-Origin", "*");
    out.headers.add("Access-Control-Allow-Credentials", "true");
    out.headers.add("Audit-Id", "theirs");
    out.headers.add("Warning", "299 - \"careful\"");
    out.headers.add("X-Own", "kept");
    return out;
  }));
  AggregatedServer server;
  server.add(backend);
  const Answered got =
      server->ask({.target = "/apis/x.example/v1/things", .headers = {{"Audit-ID", "ours"}}});
  EXPECT_EQ(got.header("Access-Control-Allow-Origin"), "");
  EXPECT_EQ(got.header("Access-Control-Allow-Credentials"), "");
  EXPECT_EQ(std::ranges::count_if(
                got.headers,
                [](const auto& one) { return http::equals_ignoring_case(one.name, "audit-id"); }),
            1);
  EXPECT_EQ(got.header("Audit-Id"), "ours");
  EXPECT_EQ(got.header("X-Own"), "kept");
  EXPECT_EQ(got.warnings, std::vector<std::string>{"299 - \"careful\""});
}

TEST(Proxy, RefusesRedirects) {
  ScriptedBackend backend(answers([] {
    Response out;
    out.status = 302;
    out.headers.add("Location", "https://evil.example/");
    return out;
  }));
  AggregatedServer server;
  server.add(backend);
  const Answered got = server->get("/apis/x.example/v1/things");
  EXPECT_EQ(got.code, 502);
  EXPECT_EQ(got.body, "the backend attempted to redirect this request, which is not permitted");
  EXPECT_EQ(got.header("Location"), "");
}

TEST(Proxy, VerifiesTheServerOfEachRequest) {
  ScriptedBackend backend;
  ScriptedBackend other;
  AggregatedServer server;
  server.add(backend);
  // The condition still says that all is well: the request itself must fail.
  server.map(other);
  const Answered got = server->get("/apis/x.example/v1/things");
  EXPECT_EQ(got.code, 503);
  if (got.body != "service unavailable\n") {
    EXPECT_EQ(got.body,
              "error trying to reach service: tls: failed to verify certificate: x509: certificate "
              "signed by unknown authority\n");
  }
  EXPECT_TRUE(other.seen().empty());
}

TEST(Proxy, ShowsTheCertificateThatIsInUse) {
  ScriptedBackend backend;
  AggregatedServer server;
  server.add(backend);
  EXPECT_EQ(server->get("/apis/x.example/v1/things").code, 200);
  http::CertificateSpec spec;
  spec.common_name = "the-next";
  spec.use = http::CertificateUse::kClient;
  spec.validity = valid_now();
  const auto next = http::issue_certificate(proxy_authority(), spec).value();
  EXPECT_FALSE(server.aggregation().set_client_certificate(next.certificate_pem,
                                                           proxy_certificate().key_pem));
  EXPECT_EQ(server->get("/apis/x.example/v1/things").code, 200);
  ASSERT_TRUE(server.aggregation().set_client_certificate(next.certificate_pem, next.key_pem));
  EXPECT_EQ(server->get("/apis/x.example/v1/things").code, 200);
  std::string names;
  for (const Seen& one : backend.seen()) names += one.certificate + " ";
  EXPECT_EQ(names, "the-proxy the-proxy the-next ");
}

TEST(Proxy, CarriesManyWatches) {
  constexpr std::size_t kWatches = 300;
  ScriptedBackend backend(
      answers([] { return streamed({"{\"type\":\"ADDED\"}\n"}, Parts::End::kNever); }));
  AggregatedServer server;
  server.add(backend);
  std::vector<http::ClientResponse> open;
  for (std::size_t i = 0; i < kWatches; ++i) {
    http::ClientRequest request{.target = "/apis/x.example/v1/things?watch=1"};
    request.to.protocol = http::Upstream::Protocol::kHttp2;
    auto response = server.ask(std::move(request));
    ASSERT_TRUE(response) << i << " " << response.error().message;
    ASSERT_EQ(response->status, 200);
    open.push_back(*std::move(response));
  }
  // Others have not been kept from coming in.
  EXPECT_EQ(server->get("/api/v1/namespaces/default").code, 200);
  EXPECT_EQ(server.read({.target = "/apis/x.example/v1/things?watch=1"}, 10).status, 200);
  server.end(std::move(open));
}

TEST(Proxy, DoesNotSendAUserThatCannotBeTold) {
  ScriptedBackend backend;
  AggregatedServer server;
  server.add(backend);
  const Answered got = server->ask({.target = "/apis/x.example/v1/things",
                                    .headers = {{"Impersonate-User", "a\r\nX-Remote-Group: b"}}});
  EXPECT_EQ(got.code, 503);
  EXPECT_EQ(got.body, "error trying to reach service: the value of X-Remote-User cannot be sent\n");
  EXPECT_TRUE(backend.seen().empty());
}

TEST(Proxy, PassesTrailersAndBodiesAsTheyCome) {
  http::Headers trailers;
  trailers.add("X-Sum", "42");
  ScriptedBackend backend(answers(
      [trailers] { return streamed({"one ", "two ", "three"}, Parts::End::kWhole, trailers); }));
  AggregatedServer server;
  server.add(backend);
  const auto got = server.read({.target = "/apis/x.example/v1/things"});
  EXPECT_EQ(got.status, 200);
  EXPECT_EQ(got.body, "one two three");
  EXPECT_EQ(got.trailers.get("X-Sum"), "42");
  EXPECT_FALSE(got.broke_off);
}

TEST(Proxy, SendsLargeBodiesWithoutALimitOfItsOwn) {
  constexpr std::size_t kParts = 64;
  std::atomic<std::size_t> received{0};
  ScriptedBackend backend([&](http::Request request) -> boost::asio::awaitable<Response> {
    while (request.stream) {
      const auto part = co_await request.stream->next();
      if (!part || part->empty()) break;
      received += part->size();
    }
    co_return json_answer("{}");
  });
  backend.stream_bodies(true);
  AggregatedServer server;
  server.add(backend);
  http::ClientRequest request{.method = "POST", .target = "/apis/x.example/v1/things"};
  request.stream = std::make_unique<Parts>(
      std::vector<std::string>(kParts, std::string(256 * 1024, 'x')), Parts::End::kWhole);
  EXPECT_EQ(server.read(std::move(request)).status, 200);
  EXPECT_EQ(received, kParts * 256 * 1024);
}

TEST(Proxy, DoesNotPassUsersInTrailers) {
  std::mutex mu;
  http::Headers received;
  ScriptedBackend backend([&](http::Request request) -> boost::asio::awaitable<Response> {
    while (request.stream) {
      const auto part = co_await request.stream->next();
      if (!part || part->empty()) break;
    }
    const std::lock_guard lock(mu);
    if (request.stream) received = request.stream->trailers();
    co_return json_answer("{}");
  });
  backend.stream_bodies(true);
  AggregatedServer server;
  server.add(backend);
  http::Headers trailers;
  trailers.add("X-Remote-User", "root");
  trailers.add("Impersonate-User", "root");
  trailers.add("X-Sum", "42");
  http::ClientRequest request{.method = "POST", .target = "/apis/x.example/v1/things"};
  request.stream = std::make_unique<Parts>(std::vector<std::string>{"body"}, Parts::End::kWhole,
                                           std::move(trailers));
  EXPECT_EQ(server.read(std::move(request)).status, 200);
  const std::lock_guard lock(mu);
  EXPECT_EQ(received.get("X-Sum"), "42");
  EXPECT_FALSE(received.has("X-Remote-User"));
  EXPECT_FALSE(received.has("Impersonate-User"));
}

TEST(Proxy, SaysHowLongASmallAnswerIs) {
  ScriptedBackend backend(answers([] { return json_answer(R"({"small":true})"); }));
  AggregatedServer server;
  server.add(backend);
  const auto got = server.read({.target = "/apis/x.example/v1/things"});
  EXPECT_EQ(got.body, R"({"small":true})");
  EXPECT_EQ(got.headers.get("Content-Length"), "14");
}

TEST(Proxy, BreaksOffWhatTheServerBreaksOff) {
  ScriptedBackend backend(
      answers([] { return streamed({std::string(512 * 1024, 'x')}, Parts::End::kBroken); }));
  AggregatedServer server;
  server.add(backend);
  const auto got = server.read({.target = "/apis/x.example/v1/things"});
  EXPECT_EQ(got.status, 200);
  EXPECT_TRUE(got.broke_off);
}

// Knows when nobody reads any more.
class Endless final : public http::BodyStream {
 public:
  explicit Endless(std::atomic<bool>& gone) : gone_(gone) {}
  ~Endless() override { gone_ = true; }
  async::Task<std::vector<http::Piece>> next() override {
    std::vector<http::Piece> out;
    out.emplace_back(std::string(64 * 1024, 'x'));
    co_return out;
  }

 private:
  std::atomic<bool>& gone_;
};

TEST(Proxy, HoldsUpAServerThatSendsWithoutEnd) {
  std::atomic<bool> gone{false};
  ScriptedBackend backend(answers([&gone] {
    Response out;
    out.stream = std::make_unique<Endless>(gone);
    return out;
  }));
  AggregatedServer server;
  server.add(backend);
  const auto got = server.read({.target = "/apis/x.example/v1/things"}, 8U << 20);
  EXPECT_GE(got.body.size(), 8U << 20);
  // The client has gone, and so the server behind is told.
  while (!gone) std::this_thread::yield();
}

TEST(Proxy, PassesWatches) {
  ScriptedBackend backend(answers([] {
    return streamed({"{\"type\":\"ADDED\"}\n", "{\"type\":\"DELETED\"}\n"}, Parts::End::kNever);
  }));
  AggregatedServer server;
  server.add(backend);
  const auto got = server.read({.target = "/apis/x.example/v1/things?watch=1"}, 35);
  EXPECT_EQ(got.body, "{\"type\":\"ADDED\"}\n{\"type\":\"DELETED\"}\n");
}

TEST(Proxy, EndsWatchesWithTheRightsOfTheirUser) {
  ScriptedBackend backend(
      answers([] { return streamed({"{\"type\":\"ADDED\"}\n"}, Parts::End::kNever); }));
  AggregatedServer server;
  server.add(backend);
  auto watch = server.ask({.target = "/apis/x.example/v1/things?watch=1"});
  ASSERT_TRUE(watch) << watch.error().message;
  const auto read_on = [](http::BodyReader& body) -> async::Task<std::string> {
    auto part = co_await body.next();
    co_return part ? *part : "failed";
  };
  const auto next = [&] {
    return async::run_blocking(server.loops().at(0), read_on(*watch->body)).value();
  };
  EXPECT_EQ(next(), "{\"type\":\"ADDED\"}\n");
  server->core().streams.end_watches_of("somebody else");
  server->core().streams.end_watches_of("tester");
  EXPECT_EQ(next(), "");
  std::vector<http::ClientResponse> all;
  all.push_back(*std::move(watch));
  server.end(std::move(all));
}

TEST(Proxy, BeginsNoWatchForAUserWhoLostTheirRightsMeanwhile) {
  class Forgetful final : public api::Authenticator {
   public:
    Result<api::UserPtr> authenticate(const http::Request&) const override {
      return std::make_shared<const api::User>(
          api::User{.name = "eve", .groups = {"system:masters"}});
    }
    bool still_accepts(const api::User& user, const http::Request&) const override {
      return user.name != "eve";
    }
  };
  const Forgetful forgetful;
  ScriptedBackend backend(answers([] { return streamed({"{}\n"}, Parts::End::kNever); }));
  AggregatedServer server({}, {}, &forgetful);
  server.add(backend);
  http::Headers eve;
  eve.add("Authorization", "Bearer eve");
  const auto watched =
      server.read({.target = "/apis/x.example/v1/things?watch=1", .headers = eve}, 3);
  EXPECT_EQ(watched.status, 401) << watched.body;
  // What ends by itself was authenticated as any request is.
  EXPECT_EQ(server.read({.target = "/openapi/v3", .headers = eve}).status, 200);
}

TEST(Proxy, GivesUpOnAServerThatDoesNotAnswer) {
  ScriptedBackend backend(hang);
  AggregatedServer server;
  server.add(backend);
  std::thread clock([&] {
    while (backend.seen().empty()) std::this_thread::yield();
    server->advance(std::chrono::seconds(61));
    server->expire_requests();
  });
  const Answered got = server->get("/apis/x.example/v1/things");
  clock.join();
  EXPECT_EQ(got.code, 504) << got.body;
  EXPECT_EQ(got.text("reason"), "Timeout");
}

TEST(Proxy, DoesNotSendAgainWhatMayHaveBeenDone) {
  // The connection breaks before anything comes back.
  ScriptedBackend backend([](http::Request) -> boost::asio::awaitable<Response> {
    Response out;
    out.stream = std::make_unique<Parts>(std::vector<std::string>{}, Parts::End::kBroken);
    co_return out;
  });
  AggregatedServer server;
  server.add(backend);
  const auto got =
      server.read({.method = "POST", .target = "/apis/x.example/v1/things", .body = "{}"});
  EXPECT_TRUE(got.broke_off || got.status == 503);
  EXPECT_EQ(backend.seen().size(), 1u);
}

TEST(Proxy, JoinsUpgradedConnections) {
  ScriptedBackend backend([](http::Request request) -> boost::asio::awaitable<Response> {
    Response out;
    if (request.upgrade != "SPDY/3.1") co_return json_answer("{}", 400);
    out.status = 101;
    out.headers.add("Upgrade", "SPDY/3.1");
    out.headers.add("X-Stream-Protocol-Version", "v4.channel.k8s.io");
    out.upgrade = [](std::unique_ptr<http::RawStream> stream) -> boost::asio::awaitable<void> {
      auto part = co_await stream->read();
      while (part && !part->empty()) {
        if (!co_await stream->write("echo " + *part)) break;
        part = co_await stream->read();
      }
    };
    co_return out;
  });
  AggregatedServer server;
  server.add(backend);
  http::ClientRequest request{.method = "POST",
                              .target = "/apis/x.example/v1/namespaces/n/things/t/exec"};
  request.upgrade = "SPDY/3.1";
  http::Outcome<http::ClientResponse> response = server.ask(std::move(request));
  ASSERT_TRUE(response) << response.error().message;
  ASSERT_EQ(response->status, 101);
  EXPECT_EQ(response->headers.get("X-Stream-Protocol-Version"), "v4.channel.k8s.io");
  EXPECT_EQ(all(backend.seen().at(0).headers, "X-Remote-User"), "tester");
  std::promise<std::string> echoed;
  const auto talk = [](std::shared_ptr<http::RawStream> stream, std::promise<std::string>& out,
                       AggregatedServer& server) -> boost::asio::awaitable<void> {
    static_cast<void>(co_await stream->write("hello"));
    auto part = co_await stream->read();
    const std::string text = part ? *part : "nothing";
    server->core().streams.end_watches_of("tester");
    part = co_await stream->read();
    out.set_value(text + (part && part->empty() ? " and the end" : " and no end"));
    stream->close();
  };
  boost::asio::co_spawn(server.loops().at(0), talk(std::move(response->upgraded), echoed, server),
                        boost::asio::detached);
  EXPECT_EQ(echoed.get_future().get(), "echo hello and the end");
}

TEST(Proxy, PassesTheAnswerOfAServerThatDoesNotUpgrade) {
  ScriptedBackend backend(answers([] { return json_answer(R"({"no":true})", 403); }));
  AggregatedServer server;
  server.add(backend);
  http::ClientRequest request{.target = "/apis/x.example/v1/namespaces/n/things/t/exec"};
  request.upgrade = "websocket";
  const auto got = server.read(std::move(request));
  EXPECT_EQ(got.status, 403);
  EXPECT_EQ(got.body, R"({"no":true})");
}

TEST(Proxy, SaysWhenAServerDoesNotKeepToTheProtocol) {
  // An upgrade that nobody has asked for.
  ScriptedBackend backend([](http::Request) -> boost::asio::awaitable<Response> {
    Response out;
    out.status = 101;
    out.headers.add("Upgrade", "nonsense");
    co_return out;
  });
  AggregatedServer server;
  server.add(backend);
  const Answered got = server->get("/apis/x.example/v1/things");
  EXPECT_GE(got.code, 500);
  EXPECT_EQ(server->get("/api/v1/namespaces/default").code, 200);
}

TEST(Takeover, AGroupMovesFromADefinitionToAServerAndBack) {
  ScriptedBackend backend(answers([] { return json_answer(R"({"from":"there"})"); }));
  AggregatedServer server;
  server.map(backend);
  server->create(kDefinitions, things({{"v1", ""}}));
  constexpr std::string_view kThings = "/apis/a.example/v1/namespaces/default/things";
  server->wait_for(200, kThings);
  server->create(
      kThings, R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"t"},"spec":{}})");
  server.wait_for_reason("v1.a.example", "Local");
  const std::string path = fmt::format("{}/v1.a.example", kApiServices);
  expect_ok(server->merge(
      path,
      fmt::format(
          R"({{"metadata":{{"labels":{{"kube-aggregator.kubernetes.io/automanaged":null}}}},"spec":{{"caBundle":"{}","service":{{"namespace":"default","name":"there"}}}}}})",
          backend.ca_bundle())));
  server.wait_for_reason("v1.a.example", "Passed");
  EXPECT_EQ(server->get(kThings).body, R"({"from":"there"})");
  EXPECT_EQ(server->get(fmt::format("{}/things.a.example", kDefinitions))
                .text("status.conditions.1.status"),
            "True");
  expect_ok(server->remove(path));
  EXPECT_EQ(server->get(kThings).names(), "t");
  server.wait_for_reason("v1.a.example", "Local");
  EXPECT_EQ(server->get(kThings).names(), "t");
}

TEST(Takeover, OfAGroupIsSeenByTheNextRequest) {
  AggregatedServer server;
  EXPECT_EQ(server->get("/apis/x.example/v1/things").code, 404);
  server.create("x.example", R"(,"insecureSkipTLSVerify":true)");
  EXPECT_EQ(server->get("/apis/x.example/v1/things").code, 503);
  expect_ok(server->remove(fmt::format("{}/v1.x.example", kApiServices)));
  EXPECT_EQ(server->get("/apis/x.example/v1/things").code, 404);
}

}  // namespace
}  // namespace strake::aggregator::testing
