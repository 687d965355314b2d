#include "kubelet/connections.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <mutex>

#include "api/test_server.h"
#include "base/assert.h"
#include "http/pki.h"
#include "http/test_server.h"
#include "value/json_writer.h"

namespace strake::kubelet {
namespace {

using api::testing::Answered;
using api::testing::expect_status;
using http::Response;

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";

class Part final : public api::testing::TestPart {
 public:
  Part(const async::Loops& loops, Options options) : connections_(loops, std::move(options)) {
    FakeClock clock;
    const http::Validity validity{clock.now(), clock.now() + std::chrono::hours(1)};
    const auto authority = http::make_ca("test", validity).value();
    http::CertificateSpec spec{.common_name = "kube-apiserver", .validity = validity};
    spec.use = http::CertificateUse::kClient;
    const auto shown = http::issue_certificate(authority, spec).value();
    EXPECT_TRUE(connections_.set_certificates({shown.certificate_pem, shown.key_pem}));
  }
  api::Connections* connections() override { return &connections_; }
  async::Task<> start(api::Core& core) override {
    connections_.use(core);
    co_return Result<>();
  }
  async::Task<> stop() override {
    connections_.close();
    co_return Result<>();
  }

 private:
  KubeletConnections connections_;
};

// Stands for every kubelet: over TLS, and says what it was asked. What listens in pods and on other
// ports of nodes does not speak TLS.
class World {
 public:
  explicit World(api::testing::TestServer::Options options = {},
                 std::chrono::milliseconds connect_timeout = std::chrono::seconds(30)) {
    options.workloads = true;
    options.part = [this, connect_timeout](api::Hub& hub) {
      return std::make_unique<Part>(
          hub.loops(), Options{.detour = detour(), .connect_timeout = connect_timeout});
    };
    server_ = std::make_unique<api::testing::TestServer>(std::move(options));
    server_->create("/api/v1/nodes", R"({"metadata":{"name":"n1"}})");
    server_->merge(
        "/api/v1/nodes/n1/status",
        R"({"status":{"addresses":[{"type":"InternalIP","address":"10.9.0.1"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":10255}}}})");
    server_->create("/api/v1/nodes", R"({"metadata":{"name":"bare"}})");
    add_pod("a", "n1");
    add_pod("unbound", "");
    add_pod("lost", "gone");
    add_pod("nowhere", "bare");
    add_pod("far", "n1", R"({"name":"x","image":"i"},{"name":"y","image":"i"})");
  }

  api::testing::TestServer& server() { return *server_; }
  Answered get(std::string_view pod, std::string_view rest) {
    return server_->get(fmt::format("{}/{}/{}", kPods, pod, rest));
  }
  void answer_with(Response (*answer)()) { answer_ = answer; }
  void break_down() { lead_to(1); }
  void lead_to(std::uint16_t port) { other_port_ = port; }
  std::vector<std::string> reached() {
    const std::lock_guard lock(mu_);
    return reached_;
  }

 private:
  void add_pod(std::string_view name, std::string_view node,
               std::string_view containers = R"({"name":"c","image":"i"})") {
    server_->create(
        kPods, fmt::format(
                   R"({{"metadata":{{"name":"{}"}},"spec":{{"nodeName":"{}","containers":[{}]}}}})",
                   name, node, containers));
  }
  std::function<http::Address(const http::Address&)> detour() {
    return [this](const http::Address& address) {
      const std::lock_guard lock(mu_);
      reached_.push_back(fmt::format("{}:{}", address.ip, address.port));
      const std::uint16_t port = other_port_ != 0        ? other_port_.load()
                                 : address.port == 10255 ? kubelet_.server().port()
                                                         : pod_.server().port();
      return http::Address{.ip = "127.0.0.1", .port = port};
    };
  }
  boost::asio::awaitable<Response> say(http::Request request) {
    if (answer_ != nullptr) co_return answer_.load()();
    std::string headers;
    for (const char* name : {"Authorization", "X-Forwarded-Uri"})
      headers += fmt::format(" {}={}", name, request.headers.get(name));
    co_return http::testing::text_response(fmt::format(
        "{} {}?{}{} [{}]", request.method, request.path, request.query, headers, request.body));
  }

  std::mutex mu_;
  std::vector<std::string> reached_;          // guarded by mu_
  std::atomic<std::uint16_t> other_port_{0};  // where everything leads, if anywhere
  std::atomic<Response (*)()> answer_{nullptr};
  http::testing::TestServer kubelet_{
      [this](http::Request one) { return say(std::move(one)); }, {}, true};
  http::testing::TestServer pod_{[this](http::Request one) { return say(std::move(one)); }};
  std::unique_ptr<api::testing::TestServer> server_;
};

TEST(PodLog, IsReadFromTheKubeletOfTheNode) {
  World world;
  const Answered got = world.get("a", "log?tailLines=5&follow=true&container=c&pretty=1");
  EXPECT_EQ(got.code, 200);
  EXPECT_EQ(got.header("Content-Type"), "text/plain");
  EXPECT_EQ(got.body,
            "GET /containerLogs/default/a/c?follow=true&tailLines=5 Authorization= "
            "X-Forwarded-Uri= []");
  EXPECT_EQ(world.reached(), (std::vector<std::string>{"10.9.0.1:10255"}));
  EXPECT_EQ(world.get("far", "log?container=y").code, 200);
}

TEST(PodLog, SaysWhatIsWrongBeforeItAsks) {
  World world;
  const Answered nothing = world.get("unbound", "log");
  EXPECT_EQ(nothing.code, 204);
  EXPECT_EQ(nothing.body, "");
  EXPECT_EQ(nothing.header("Content-Type"), "");
  expect_status(world.get("a", "log?container=zz"), 400, "BadRequest",
                "container zz is not valid for pod a");
  expect_status(world.get("far", "log"), 400, "BadRequest",
                "a container name must be specified for pod far, choose one of: [x y]");
  expect_status(world.get("a", "log?tailLines=-1"), 422, "Invalid",
                "PodLogOptions \"a\" is invalid: tailLines: Invalid value: -1: must be greater "
                "than or equal to 0");
  expect_status(world.get("a", "log?tailLines=x"), 400, "BadRequest",
                "strconv.ParseInt: parsing \"x\": invalid syntax");
  expect_status(world.get("missing", "log"), 404, "NotFound", "pods \"missing\" not found");
  expect_status(world.get("lost", "log"), 404, "NotFound", "nodes \"gone\" not found");
  expect_status(world.get("nowhere", "log"), 500, "",
                "no preferred addresses found; known addresses: []");
  EXPECT_EQ(world.server().post(fmt::format("{}/a/log", kPods), "").code, 405);
  EXPECT_EQ(world.server().ask("HEAD", fmt::format("{}/a/log", kPods)).code, 405);
  EXPECT_TRUE(world.reached().empty());
}

TEST(PodLog, PassesRefusalsOfTheKubeletOn) {
  World world;
  world.answer_with([] { return http::testing::text_response("no such container", 400); });
  expect_status(world.get("a", "log"), 400, "BadRequest", "no such container");
  world.answer_with([] { return http::testing::text_response("broken", 500); });
  expect_status(world.get("a", "log"), 500, "InternalError", "Internal error occurred: broken");
  world.answer_with([] { return http::testing::text_response("", 404); });
  expect_status(world.get("a", "log"), 404, "NotFound",
                "the server could not find the requested resource ( pods/log a)");
  world.answer_with([] { return http::testing::text_response("you may not", 403); });
  expect_status(world.get("a", "log"), 403, "Forbidden", "you may not ( pods/log a)");
  world.answer_with([] {
    Response out;
    out.status = 302;
    out.headers.add("Location", "https://192.0.2.1/");
    return out;
  });
  expect_status(world.get("a", "log"), 500, "",
                "Get \"https://10.9.0.1:10255/containerLogs/default/a/c\": redirects forbidden");
}

TEST(PodLog, SaysWhyAKubeletIsNotReached) {
  World world;
  world.break_down();
  expect_status(world.get("a", "log?tailLines=1"), 500, "",
                "Get \"https://10.9.0.1:10255/containerLogs/default/a/c?tailLines=1\": dial tcp "
                "127.0.0.1:1: connect: connection refused");
}

// Listens and lets nobody in: the kernel leaves who comes waiting.
class FullListener {
 public:
  FullListener() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    STRAKE_ASSERT(::bind(sockets_.front(), any, size) == 0);
    STRAKE_ASSERT(::getsockname(sockets_.front(), any, &size) == 0);
    STRAKE_ASSERT(::listen(sockets_.front(), 0) == 0);
    port_ = ntohs(address.sin_port);
    for (std::size_t i = 1; i < sockets_.size(); ++i)
      static_cast<void>(::connect(sockets_[i], any, size));
  }
  ~FullListener() {
    for (const int one : sockets_) ::close(one);
  }
  FullListener(const FullListener&) = delete;
  FullListener& operator=(const FullListener&) = delete;
  std::uint16_t port() const { return port_; }

 private:
  static int open() { return ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }
  const std::array<int, 5> sockets_ = {open(), open(), open(), open(), open()};
  std::uint16_t port_ = 0;
};

TEST(PodLog, WaitsForAConnectionForALimitedTime) {
  const FullListener full;
  World world({}, std::chrono::milliseconds(100));
  world.lead_to(full.port());
  expect_status(world.get("a", "log"), 500, "",
                fmt::format("Get \"https://10.9.0.1:10255/containerLogs/default/a/c\": dial tcp "
                            "127.0.0.1:{}: i/o timeout",
                            full.port()));
}

TEST(PodStream, NeedsANodeAnUpgradeAndTheRightToCreate) {
  World world;
  for (const char* stream : {"exec?command=x", "attach", "portforward"}) {
    expect_status(world.get("unbound", stream), 400, "BadRequest",
                  "pod unbound does not have a host assigned");
    expect_status(world.get("a", stream), 400, "BadRequest", "Upgrade request required");
    expect_status(world.get("missing", stream), 404, "NotFound", "pods \"missing\" not found");
  }
  expect_status(world.server().post(fmt::format("{}/a/exec?container=zz", kPods), ""), 400,
                "BadRequest", "container zz is not valid for pod a");
  expect_status(world.get("a", "portforward?ports=x"), 400, "BadRequest",
                "cannot convert to []int32: strconv.ParseUint: parsing \"x\": invalid syntax");
  expect_status(world.get("a", "exec?dryRun=All"), 400, "BadRequest", "dryRun is not supported");
  EXPECT_EQ(world.server().put(fmt::format("{}/a/exec", kPods), "{}").code, 405);
  EXPECT_EQ(world.server().ask("HEAD", fmt::format("{}/a/exec", kPods)).code, 405);

  World readers({.may = [](const api::User&, const api::RequestInfo& info) {
    return info.subresource.empty() || info.subresource == "status" || info.verb == "get";
  }});
  expect_status(readers.get("a", "exec"), 403, "Forbidden", "pods \"a\" is forbidden: ");
  EXPECT_EQ(readers.get("a", "log").code, 200);
}

// Notes what it is asked about connections.
class Noting final : public api::Admission {
 public:
  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override {
    using Asked = api::AdmissionRequest;
    if (request.operation != Asked::Operation::kConnect) return api::Answer<>();
    if (request.phase == Asked::Phase::kMutating)
      noted.push_back(fmt::format("{}/{} {}", request.name, request.subresource,
                                  value::to_json(request.object->root())));
    if (call.info.name == "far") return api::refuse(meta::Status::bad_request("not this one"));
    return api::Answer<>();
  }
  mutable std::vector<std::string> noted;
};

TEST(PodStream, IsAdmittedWithItsOptions) {
  const Noting noting;
  World world({.admission = {&noting}});
  EXPECT_EQ(world.get("a", "exec?command=ls&stdout=1").code, 400);
  EXPECT_EQ(world.get("a", "log").code, 200);
  expect_status(world.get("far", "portforward?ports=80"), 400, "BadRequest", "not this one");
  EXPECT_EQ(
      noting.noted,
      (std::vector<std::string>{
          R"(a/exec {"apiVersion":"v1","command":["ls"],"kind":"PodExecOptions","stdout":true})",
          R"(far/portforward {"apiVersion":"v1","kind":"PodPortForwardOptions","ports":[80]})"}));
}

TEST(PodProxy, ReachesThePortOfThePod) {
  World world;
  expect_status(world.get("a", "proxy/"), 400, "BadRequest", "address not allowed");
  world.server().merge(fmt::format("{}/a/status", kPods),
                       R"({"status":{"podIP":"10.1.0.7","podIPs":[{"ip":"10.1.0.7"}]}})");
  EXPECT_EQ(world.get("a", "proxy").code, 301);
  EXPECT_EQ(world.server().ask("PATCH", fmt::format("{}/a:81/proxy/x?y=z", kPods)).body,
            "PATCH /x?y=z Authorization= "
            "X-Forwarded-Uri=/api/v1/namespaces/default/pods/a:81/proxy/x []");
  EXPECT_EQ(world.get("http:a:", "proxy/").code, 200);
  EXPECT_EQ(world.reached(),
            (std::vector<std::string>{"10.1.0.7:80", "10.1.0.7:81", "10.1.0.7:80"}));
  expect_status(world.get("ftp:a:1", "proxy/"), 400, "BadRequest",
                "invalid pod request \"ftp:a:1\"");
  expect_status(world.get("missing:1", "proxy/"), 404, "NotFound", "pods \"missing\" not found");
  world.break_down();
  expect_status(world.get("a", "proxy/"), 503, "ServiceUnavailable",
                "error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused");
}

TEST(NodeProxy, ReachesTheKubeletOverTlsAndOtherPortsWithout) {
  World world;
  const auto get = [&](std::string_view rest) {
    return world.server().get(fmt::format("/api/v1/nodes/{}", rest));
  };
  for (const char* name : {"n1", "n1:10255", "http:n1:10255"})
    EXPECT_TRUE(get(fmt::format("{}/proxy/healthz", name)).body.starts_with("GET /healthz?"))
        << name;
  EXPECT_EQ(get("n1:9100/proxy/metrics").code, 200);
  EXPECT_EQ(world.reached().back(), "10.9.0.1:9100");
  expect_status(get("gone/proxy/"), 404, "NotFound", "nodes \"gone\" not found");
  expect_status(get("a:b:c:d/proxy/"), 400, "BadRequest", "invalid node request \"a:b:c:d\"");
  world.server().merge("/api/v1/nodes/n1/status",
                       R"({"status":{"addresses":[{"type":"InternalIP","address":"127.0.0.1"}]}})");
  expect_status(get("n1/proxy/"), 400, "BadRequest", "address not allowed");
}

}  // namespace
}  // namespace strake::kubelet
