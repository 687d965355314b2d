// services/proxy: what is asked before a request goes on, where it goes, and what passes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mutex>

#include "api/test_server.h"
#include "api/verbs/forward.h"
#include "async/loops.h"
#include "async/run.h"
#include "http/server.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using testing::Answered;
using testing::Asking;
using testing::expect_status;
using testing::TestServer;

constexpr std::string_view kServices = "/api/v1/namespaces/default/services";
constexpr std::string_view kSlices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

std::string proxy(std::string_view name, std::string_view path = "/") {
  return fmt::format("{}/{}/proxy{}", kServices, name, path);
}

// A service of the web on a loop of its own, which answers with what it was asked.
class Web final : public http::Handler {
 public:
  Web() {
    auto listening = http::Server::listen({}, loops_, *this);
    if (!listening) std::abort();
    server_ = *std::move(listening);
  }
  ~Web() override {
    server_.reset();
    loops_.stop();
  }

  boost::asio::awaitable<http::Response> handle(http::Request request) override {
    http::Headers trailers;
    if (request.stream) {
      request.body = (co_await http::read_all(*request.stream, 1U << 20)).value_or("broken");
      trailers = request.stream->trailers();
    }
    http::Response out;
    out.body.emplace_back(fmt::format("{} {}{}{} [{}]", request.method, request.path,
                                      request.query.empty() ? "" : "?", request.query,
                                      request.body));
    out.headers.add("X-Own", "1");
    out.headers.add("Access-Control-Allow-Origin", "*");
    if (request.path == "/moved") {
      out.status = 302;
      out.headers.add("Location", request.query);
    }
    const std::lock_guard lock(mu_);
    seen_ = request.headers;
    trailers_ = trailers;
    co_return out;
  }
  bool is_authenticated(const http::Request&) const override { return true; }
  bool wants_stream(const http::Request&) const override { return true; }

  http::Headers seen() const {
    const std::lock_guard lock(mu_);
    return seen_;
  }
  http::Headers trailers() const {
    const std::lock_guard lock(mu_);
    return trailers_;
  }
  // Whatever address is meant, this is it.
  ServiceProxy::Detour detour() const {
    return [port = server_->port()](const http::Address&) {
      return http::Address{.ip = "127.0.0.1", .port = port};
    };
  }

 private:
  async::Loops loops_{1};
  mutable std::mutex mu_;
  http::Headers seen_;
  http::Headers trailers_;
  std::unique_ptr<http::Server> server_;
};

void add_slice(TestServer& server, std::string_view service, std::string_view endpoints,
               std::string_view ports = R"([{"port":80}])") {
  server.create(
      kSlices,
      fmt::format(
          R"({{"metadata":{{"generateName":"s-","labels":{{"kubernetes.io/service-name":"{}"}}}},"addressType":"IPv4","endpoints":{},"ports":{}}})",
          service, endpoints, ports));
}

constexpr std::string_view kReady = R"([{"addresses":["10.1.1.1"]}])";

TEST(Connect, NeedsAnEndpointThatIsReady) {
  TestServer server;
  expect_status(server.get(proxy("web")), 404, "NotFound", "services \"web\" not found");
  server.create(kServices,
                R"({"metadata":{"name":"web"},"spec":{"ports":[{"name":"http","port":80}]}})");
  // As in kube-apiserver 1.36, which looks for the endpoints and names the service.
  expect_status(server.get(proxy("web")), 404, "NotFound", "services \"web\" not found");
  add_slice(server, "web", R"([{"addresses":["10.1.1.1"],"conditions":{"ready":false}}])",
            R"([{"name":"http","port":80}])");
  expect_status(server.get(proxy("web:http")), 503, "ServiceUnavailable",
                "no endpoints available for service \"web:http\"");
  expect_status(server.get(proxy("web:81")), 503, "ServiceUnavailable",
                "no service port 81 found for service \"web\"");
  expect_status(server.get(proxy("other:81")), 404, "NotFound", "services \"other\" not found");
  expect_status(server.get(proxy("ftp:web:http")), 400, "BadRequest",
                "invalid service request \"ftp:web:http\"");
  expect_status(server.get(proxy(":http")), 400, "BadRequest", "invalid service request \":http\"");
}

TEST(Connect, ReachesThePortThatIsNamed) {
  std::vector<std::string> reached;
  TestServer server({.detour = [&](const http::Address& address) {
    reached.push_back(fmt::format("{}:{}", address.ip, address.port));
    return http::Address{.ip = "127.0.0.1", .port = 1};
  }});
  server.create(kServices,
                R"({"metadata":{"name":"web"},"spec":{"ports":[{"name":"http","port":80}]}})");
  add_slice(
      server, "web",
      R"([{"addresses":["10.1.1.1"]},{"addresses":["10.1.1.2"],"conditions":{"ready":true}}])",
      R"([{"name":"http","port":8080},{"name":"other","port":9090}])");
  server.create(
      "/api/v1/namespaces/default/endpoints",
      R"({"metadata":{"name":"web"},"subsets":[{"addresses":[{"ip":"10.1.1.3"}],"notReadyAddresses":[{"ip":"10.1.1.4"}],"ports":[{"name":"http","port":8080}]}]})");
  const auto asked = [&](std::string_view id) {
    reached.clear();
    EXPECT_EQ(server.get(proxy(id)).code, 503);
    return reached;
  };
  // Another one comes first each time; those that do not answer are followed by the others.
  EXPECT_EQ(asked("web:http"),
            (std::vector<std::string>{"10.1.1.1:8080", "10.1.1.2:8080", "10.1.1.3:8080"}));
  EXPECT_EQ(asked("http:web:80"),
            (std::vector<std::string>{"10.1.1.2:8080", "10.1.1.3:8080", "10.1.1.1:8080"}));
  EXPECT_EQ(asked("web:other").size(), 2U);
  EXPECT_TRUE(asked("web").empty());
  EXPECT_TRUE(
      server.get(proxy("web:http")).text("message").starts_with("error trying to reach service: "));
}

TEST(Connect, NeverReachesTheMachineItself) {
  store::MemoryStore store;
  async::Loops loops(1);
  // As a server of another version could have stored it.
  static_cast<void>(async::run_blocking(
      loops.at(0),
      store.write(
          {.key = "/registry/endpointslices/default/s",
           .value = std::make_shared<const std::string>(
               R"({"addressType":"IPv4","apiVersion":"discovery.k8s.io/v1","endpoints":[{"addresses":["127.0.0.1","169.254.169.254","0.0.0.0","224.0.0.1","::ffff:127.0.0.1","fe80::1"]}],"kind":"EndpointSlice","metadata":{"labels":{"kubernetes.io/service-name":"web"},"name":"s","namespace":"default"},"ports":[{"name":"","port":80}]})")})));
  TestServer server({.store = &store});
  expect_status(server.get(proxy("web")), 503, "ServiceUnavailable",
                "no endpoints available for service \"web\"");
}

TEST(Connect, PassesTheRequestAndTheAnswer) {
  const Web web;
  TestServer server({.detour = web.detour()});
  add_slice(server, "web", kReady);
  const Answered got =
      server.ask({.method = "POST", .target = proxy("web", "/a%20b/c/?d=e%20f"), .body = "hello"});
  EXPECT_EQ(got.code, 200);
  EXPECT_EQ(got.body, "POST /a%20b/c/?d=e%20f [hello]");
  EXPECT_EQ(got.header("X-Own"), "1");
  EXPECT_EQ(got.header("Access-Control-Allow-Origin"), "");
  EXPECT_EQ(server.get(proxy("web", "/x")).body, "GET /x []");
  EXPECT_EQ(server.ask("OPTIONS", proxy("web", "/x")).body, "OPTIONS /x []");
  EXPECT_EQ(server.ask("HEAD", proxy("web", "/x")).body, "");
  EXPECT_EQ(server.post(proxy("web", ""), "1").body, "POST / [1]");
  // What has no name in HTTP's table of methods that change something goes nowhere.
  EXPECT_EQ(server.ask("TRACE", proxy("web", "/x")).code, 405);
}

TEST(Connect, KeepsCredentialsToItself) {
  const Web web;
  TestServer server({.tokens = {{"t0", "jane"}}, .detour = web.detour()});
  add_slice(server, "web", kReady);
  const auto got = server.call(
      "GET", proxy("web", "/x/"), {},
      {{"Authorization", "Bearer t0"},
       {"X-Remote-User", "root"},
       {"X-Remote-Extra-Scopes", "all"},
       {"X_Remote_User", "root"},
       {"Impersonate_Group", "system:masters"},
       {"Sec-WebSocket-Protocol", "base64url.bearer.authorization.k8s.io.dDA, v4.channel"},
       {"Connection", "close, X-Hop, X-Forwarded-Uri"},
       {"X-Hop", "1"},
       {"Te", "trailers"},
       {"X-Forwarded-For", "192.0.2.9"},
       {"Cookie", "a=b"},
       {"X-Kept", "yes"},
       {"Host", "api.example"}});
  EXPECT_EQ(got.code, 200);
  const http::Headers seen = web.seen();
  for (const std::string_view gone : {"Authorization", "X-Remote-User", "X-Remote-Extra-Scopes",
                                      "X_Remote_User", "Impersonate_Group", "X-Hop", "Te"}) {
    EXPECT_FALSE(seen.has(gone)) << gone;
  }
  EXPECT_EQ(seen.get("X-Kept"), "yes");
  EXPECT_EQ(seen.get("Cookie"), "a=b");
  EXPECT_EQ(seen.get("Sec-WebSocket-Protocol"), "v4.channel");
  EXPECT_EQ(seen.get("Host"), "api.example");
  EXPECT_EQ(seen.get("X-Forwarded-Uri"), proxy("web", "/x/"));
  EXPECT_TRUE(seen.get("X-Forwarded-For").starts_with("192.0.2.9"));
}

// A body of a client, with trailers.
class Trailing final : public http::BodyReader {
 public:
  explicit Trailing(http::Headers trailers) : trailers_(std::move(trailers)) {}
  http::Exchange<std::string> next() override { co_return std::exchange(left_, {}); }
  const http::Headers& trailers() const override { return trailers_; }

 private:
  std::string left_ = "hello";
  const http::Headers trailers_;
};

async::Task<int> status_of(http::Handler& handler, http::Request request) {
  const http::Response got = co_await handler.handle(std::move(request));
  co_return got.status;
}

TEST(Connect, PassesNoUsersInTrailers) {
  const Web web;
  TestServer server({.detour = web.detour()});
  add_slice(server, "web", kReady);
  http::Headers trailers;
  trailers.add("X-Remote-User", "root");
  trailers.add("x_remote_group", "system:masters");
  trailers.add("X-Sum", "42");
  http::Request request;
  request.method = "POST";
  request.path = proxy("web", "/x");
  request.headers.add("Transfer-Encoding", "chunked");
  request.stream = std::make_shared<Trailing>(std::move(trailers));
  EXPECT_EQ(async::run_blocking(server.core().hub.loops().at(0),
                                status_of(server.handler(), std::move(request)))
                .value(),
            200);
  EXPECT_EQ(web.trailers().get("X-Sum"), "42");
  EXPECT_FALSE(web.trailers().has("X-Remote-User"));
  EXPECT_FALSE(web.trailers().has("x_remote_group"));
}

TEST(Connect, RefusesNamesThatOthersReadAsPaths) {
  const Web web;
  TestServer server({.detour = web.detour()});
  add_slice(server, "web", kReady);
  for (const std::string_view name : {"web%2F", "..", "%2e%2e", "."}) {
    expect_status(server.get(proxy(name, "/x")), 400, "BadRequest",
                  "a path that is sent on to another server must not have an encoded slash, \".\" "
                  "or \"..\" in its segments");
  }
  EXPECT_EQ(server.get("/api/v1/namespaces/default%2Fx/services/web/proxy/").code, 400);
  EXPECT_EQ(server.get(proxy("web", "/a%2Fb/../c")).code, 200);
}

TEST(Connect, SendsClientsWhereTheyCanGo) {
  const Web web;
  TestServer server({.detour = web.detour()});
  add_slice(server, "web", kReady);
  const auto location = [&](std::string_view to) {
    const auto got = server.ask({.target = proxy("web", fmt::format("/moved?{}", to)),
                                 .headers = {{"Host", "api.example"}}});
    return got.header("Location");
  };
  EXPECT_EQ(location("/login?x=1"), proxy("web", "/login?x=1"));
  EXPECT_EQ(location("login"), "login");
  EXPECT_EQ(location("https://else.example/login"), "https://else.example/login");
  EXPECT_EQ(location("//else.example/login"), "//else.example/login");
  EXPECT_EQ(location("http://10.1.1.1:80/login"), proxy("web", "/login"));
  EXPECT_EQ(location("https://api.example/login"), "https://api.example" + proxy("web", "/login"));
  EXPECT_EQ(location(proxy("web", "/login")), proxy("web", "/login"));
  // The root of a service ends with a slash.
  const Answered root = server.get(proxy("web", "?a=b"));
  EXPECT_EQ(root.code, 301);
  EXPECT_EQ(root.header("Location"), proxy("web", "/?a=b"));
}

// Notes what it is asked about connections.
class Noting final : public Admission {
 public:
  Eventual<> admit(Call& call, const AdmissionRequest& request) const override {
    if (request.operation != AdmissionRequest::Operation::kConnect) return Answer<>();
    Arena arena;
    noted.push_back(fmt::format("{} {} {} {}", to_string(request.operation), request.name,
                                request.subresource, value::to_json(request.object->root())));
    EXPECT_TRUE(api::options_of(request, arena).is_null());
    if (request.phase == AdmissionRequest::Phase::kMutating) {
      request.object->root().set("path", value::Value::string("/changed"), request.object->arena());
    }
    if (call.info.name == "refused")
      return refuse(meta::Status::bad_request("not through this one"));
    return Answer<>();
  }
  mutable std::vector<std::string> noted;
};

TEST(Connect, IsAdmittedBeforeTheServiceIsLookedFor) {
  const Web web;
  const Noting noting;
  TestServer server({.admission = {&noting}, .detour = web.detour()});
  expect_status(server.get(proxy("refused", "/a/b?c=d")), 400, "BadRequest",
                "not through this one");
  ASSERT_EQ(noting.noted.size(), 1U);
  EXPECT_EQ(
      noting.noted[0],
      R"(CONNECT refused proxy {"apiVersion":"v1","kind":"ServiceProxyOptions","path":"/a/b"})");
  add_slice(server, "web", kReady);
  // What admission makes of the path is what is asked for.
  EXPECT_EQ(server.get(proxy("web", "/a")).body, "GET /changed []");
}

TEST(Connect, IsARightOfItsOwn) {
  std::vector<std::string> asked;
  TestServer server({.may = [&](const User&, const RequestInfo& info) {
    asked.push_back(
        fmt::format("{} {}/{} {}", info.verb, info.resource, info.subresource, info.name));
    return false;
  }});
  EXPECT_EQ(server.get(proxy("https:web:443", "/a")).code, 403);
  EXPECT_EQ(server.ask("HEAD", proxy("web", "/a")).code, 403);
  EXPECT_EQ(server.post(proxy("web", "/a"), "").code, 403);
  EXPECT_EQ(server.remove(proxy("web", "/a")).code, 403);
  EXPECT_EQ(asked,
            (std::vector<std::string>{"get services/proxy https:web:443", "get services/proxy web",
                                      "create services/proxy web", "delete services/proxy web"}));
}

TEST(Connect, IsTakenAsItArrives) {
  http::Request head;
  head.path = proxy("web", "/a");
  EXPECT_TRUE(may_be_proxied(head));
  for (const std::string& other :
       {std::string(kServices), proxy("web", "") + "x/y", std::string(kServices) + "/proxy",
        std::string("/api/v1/namespaces/proxy/configmaps")}) {
    head.path = other;
    EXPECT_FALSE(may_be_proxied(head)) << other;
  }
}

}  // namespace
}  // namespace strake::api
