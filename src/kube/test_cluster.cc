#include "kube/test_cluster.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "async/signal.h"
#include "base/base64.h"
#include "http/pki.h"
#include "kube/stream/spdy.h"
#include "kubelet/connections.h"

namespace strake::kube::testing {
namespace {

using boost::asio::awaitable;
using http::Response;

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint32_t out = 0;
  for (const char c : bytes.substr(at, count)) out = (out << 8) | static_cast<unsigned char>(c);
  return out;
}

// The value of a header in a block that is stored, not compressed, as this program writes them.
std::string header_in(std::string_view block, std::string_view name) {
  const std::size_t at = block.find(name);
  if (at == std::string_view::npos) return {};
  const std::size_t size = number_at(block, at + name.size(), 4);
  return std::string(block.substr(at + name.size() + 4, size));
}

std::string syn_reply(std::uint32_t id) {
  std::string out("\x80\x03\x00\x02\x00\x00\x00\x04", 8);
  for (int i = 3; i >= 0; --i) out += static_cast<char>(id >> (8 * i));
  return out;
}

std::string status_of(int code) {
  if (code == 0) return R"({"metadata":{},"status":"Success"})";
  return fmt::format(
      R"({{"metadata":{{}},"status":"Failure","reason":"NonZeroExitCode","message":"exit {0}",)"
      R"("details":{{"causes":[{{"reason":"ExitCode","message":"{0}"}}]}}}})",
      code);
}

// A connection of SPDY, on the kubelet's side.
class SpdySession {
 public:
  SpdySession(std::unique_ptr<http::RawStream> stream, std::vector<std::string> command,
              std::size_t wanted)
      : stream_(std::move(stream)), command_(std::move(command)), wanted_(wanted) {}

  awaitable<void> run() {
    std::string pending;
    while (true) {
      http::Outcome<std::string> bytes = co_await stream_->read();
      if (!bytes || bytes->empty()) co_return;
      pending += *bytes;
      while (pending.size() >= 8 && pending.size() >= 8 + number_at(pending, 5, 3)) {
        const std::size_t size = 8 + number_at(pending, 5, 3);
        if (!co_await take(pending.substr(0, size))) co_return;
        pending.erase(0, size);
      }
    }
  }

 private:
  awaitable<bool> take(std::string frame) {
    const bool is_control = (frame[0] & 0x80) != 0;
    const std::string payload = frame.substr(8);
    if (is_control && number_at(frame, 2, 2) == 1) {
      const std::uint32_t id = number_at(payload, 0, 4);
      types_[id] = header_in(payload, "streamtype");
      ports_[id] = header_in(payload, "port");
      static_cast<void>(co_await stream_->write(syn_reply(id)));
      if (!command_.empty() && types_.size() == wanted_) co_return co_await start();
      co_return true;
    }
    if (is_control) co_return true;
    const std::uint32_t id = number_at(frame, 0, 4);
    const bool last = (frame[4] & 1) != 0;
    if (command_.empty()) co_return co_await forward(id, payload, last);
    co_return co_await feed(types_[id], payload, last);
  }

  std::uint32_t id_of(std::string_view type) const {
    for (const auto& [id, name] : types_) {
      if (name == type) return id;
    }
    return 0;
  }
  awaitable<void> say(std::string_view type, std::string_view text) {
    if (id_of(type) != 0)
      static_cast<void>(co_await stream_->write(SpdyWriter::data(id_of(type), text, false)));
  }
  awaitable<bool> end(int code) {
    for (const std::string_view type : {"stdout", "stderr"}) {
      if (id_of(type) != 0)
        static_cast<void>(co_await stream_->write(SpdyWriter::data(id_of(type), "", true)));
    }
    static_cast<void>(
        co_await stream_->write(SpdyWriter::data(id_of("error"), status_of(code), true)));
    co_return true;
  }

  awaitable<bool> start() {
    const std::string& name = command_.front();
    if (name == "cat" || name == "size" || name == "wait") co_return true;
    if (name == "fail") {
      co_await say("stderr", "it failed\n");
      co_return co_await end(std::stoi(command_.at(1)));
    }
    co_await say("stdout", fmt::format("{}\n", fmt::join(command_, " ")));
    co_return co_await end(0);
  }
  awaitable<bool> feed(std::string type, std::string data, bool last) {
    if (command_.front() == "cat" && type == "stdin") {
      if (!data.empty()) co_await say("stdout", data);
      if (last) co_return co_await end(0);
    }
    if (command_.front() == "size" && type == "resize") {
      co_await say("stdout", data);
      co_return co_await end(0);
    }
    co_return true;
  }
  awaitable<bool> forward(std::uint32_t id, std::string data, bool last) {
    if (types_[id] == "error") {
      const std::string trouble = ports_[id] == "1" ? "port 1 is closed" : "";
      static_cast<void>(co_await stream_->write(SpdyWriter::data(id, trouble, true)));
      co_return true;
    }
    for (char& c : data) c = static_cast<char>(std::toupper(c));
    if (!data.empty()) data = ports_[id] + " " + data;
    static_cast<void>(co_await stream_->write(SpdyWriter::data(id, data, last)));
    co_return true;
  }

  std::unique_ptr<http::RawStream> stream_;
  std::vector<std::string> command_;  // none: ports are forwarded
  std::size_t wanted_;                // streams of the command
  std::map<std::uint32_t, std::string> types_;
  std::map<std::uint32_t, std::string> ports_;
};

awaitable<void> run_spdy(std::unique_ptr<http::RawStream> stream, std::vector<std::string> command,
                         std::size_t wanted) {
  SpdySession session(std::move(stream), std::move(command), wanted);
  co_await session.run();
}

bool is_set(const http::Query& query, std::string_view name, std::string_view other) {
  for (const std::string_view one : {name, other}) {
    const auto found = query.get(one);
    if (found && (*found == "1" || *found == "true")) return true;
  }
  return false;
}

// What a server answers that speaks SPDY and not WebSocket. The names of flags are the kubelet's,
// or the API server's.
Response answer_spdy(const http::Request& request) {
  if (request.path.contains("/log")) return http::testing::text_response("first\nsecond\n");
  if (request.path.contains("/containerLogs/"))
    return http::testing::text_response("log?" + request.query + "\n");
  if (request.upgrade != "SPDY/3.1") return http::testing::text_response("Upgrade required", 400);
  const auto query = http::Query::parse(request.query).value();
  std::vector<std::string> command;
  for (const std::string_view word : query.get_all("command")) command.emplace_back(word);
  const bool forwards =
      request.path.contains("ort") && command.empty() && !request.path.contains("ttach");
  if (!forwards && command.empty()) command = {"cat"};  // what one attaches to
  const bool tty = is_set(query, "tty", "tty");
  const std::size_t wanted = 1U + (is_set(query, "input", "stdin") ? 1U : 0U) +
                             (is_set(query, "output", "stdout") ? 1U : 0U) +
                             (is_set(query, "error", "stderr") && !tty ? 1U : 0U) + (tty ? 1U : 0U);
  Response out;
  out.status = 101;
  out.headers.add("Upgrade", std::string_view("SPDY/3.1"));
  out.headers.add("X-Stream-Protocol-Version",
                  std::string_view(forwards ? "portforward.k8s.io" : "v4.channel.k8s.io"));
  out.upgrade = [command, wanted](std::unique_ptr<http::RawStream> stream) {
    return run_spdy(std::move(stream), command, wanted);
  };
  return out;
}

class KubeletPart final : public api::testing::TestPart {
 public:
  KubeletPart(const async::Loops& loops, std::uint16_t port)
      : connections_(loops, {.detour = [port](const http::Address&) {
                       return http::Address{.ip = "127.0.0.1", .port = port};
                     }}) {
    FakeClock clock;
    const http::Validity validity{clock.now(), clock.now() + std::chrono::hours(1)};
    const auto authority = http::make_ca("test", validity).value();
    http::CertificateSpec spec{.common_name = "kube-apiserver", .validity = validity};
    spec.use = http::CertificateUse::kClient;
    const auto shown = http::issue_certificate(authority, spec).value();
    EXPECT_TRUE(connections_.set_certificates({shown.certificate_pem, shown.key_pem, ""}));
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
  kubelet::KubeletConnections connections_;
};

}  // namespace

FakeKubelet::FakeKubelet()
    : server_(std::make_unique<http::testing::TestServer>(
          [this](http::Request request) { return answer(std::move(request)); },
          http::ServerOptions(), true)) {}
FakeKubelet::~FakeKubelet() = default;

std::vector<std::string> FakeKubelet::seen() const {
  const std::lock_guard lock(mu_);
  return seen_;
}

awaitable<Response> FakeKubelet::answer(http::Request request) {
  {
    const std::lock_guard lock(mu_);
    seen_.push_back(request.method + " " + request.path);
  }
  co_return answer_spdy(request);
}

std::unique_ptr<http::testing::TestServer> FakeKubelet::old_api_server() {
  return std::make_unique<http::testing::TestServer>(
      [](http::Request request) -> awaitable<Response> { co_return answer_spdy(request); });
}

// Between HTTP and the server.
class TestCluster::Front final : public http::Handler {
 public:
  explicit Front(http::Handler& behind) : behind_(behind) {}

  awaitable<Response> handle(http::Request request) override {
    CancelSource* to_cancel = nullptr;
    std::optional<Response> instead;
    {
      const std::lock_guard lock(mu_);
      requests_.push_back(request.method + " " + request.path);
      if (left_ > 0 && --left_ == 0) to_cancel = source_;
      if (instead_) instead = instead_(request);
    }
    if (to_cancel != nullptr) {
      to_cancel->cancel();
      // Until the client leaves.
      static_cast<void>(co_await async::sleep_until(Deadline::never(), request.cancel));
      co_return http::testing::text_response("too late", 500);
    }
    if (instead) co_return *std::move(instead);
    co_return co_await behind_.handle(std::move(request));
  }
  bool is_authenticated(const http::Request& head) const override {
    return behind_.is_authenticated(head);
  }

  std::mutex mu_;
  std::vector<std::string> requests_;  // guarded by mu_
  Instead instead_;                    // guarded by mu_
  std::size_t left_ = 0;               // guarded by mu_
  CancelSource* source_ = nullptr;     // guarded by mu_

 private:
  http::Handler& behind_;
};

TestCluster::TestCluster() {
  ::setenv("no_proxy", "127.0.0.1", 1);
  api::testing::TestServer::Options options;
  options.workloads = true;
  options.tokens = {{"s3cret-canary", "operator"}};
  options.part = [this](api::Hub& hub) {
    return std::make_unique<KubeletPart>(hub.loops(), kubelet_.port());
  };
  server_ = std::make_unique<api::testing::TestServer>(std::move(options));
  front_ = std::make_unique<Front>(server_->handler());
  http::ServerOptions http_options;
  http_options.tls = http::testing::test_pki().server_tls();
  http_ =
      http::Server::listen(std::move(http_options), server_->core().hub.loops(), *front_).value();
  server_->create("/api/v1/nodes", R"({"metadata":{"name":"n1"}})");
  server_->merge(
      "/api/v1/nodes/n1/status",
      R"({"status":{"addresses":[{"type":"InternalIP","address":"10.9.0.1"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":10255}}}})");
}

// The server is stopped while its loops run.
TestCluster::~TestCluster() { http_.reset(); }

std::string TestCluster::url() const { return fmt::format("https://127.0.0.1:{}", http_->port()); }

Access TestCluster::access() const {
  Access out;
  out.context = "test";
  out.server = url();
  out.ca_pem = http::testing::test_pki().authority.certificate_pem;
  out.namespace_name = "default";
  return out;
}

Secret TestCluster::kubeconfig() const {
  return Secret(fmt::format(
      "{{apiVersion: v1, kind: Config, current-context: test, clusters: [{{name: c, cluster: "
      "{{server: '{}', certificate-authority-data: {}}}}}], users: [{{name: u, user: {{token: "
      "s3cret-canary}}}}], contexts: "
      "[{{name: test, context: {{cluster: c, user: u}}}}]}}",
      url(), base64_encode(http::testing::test_pki().authority.certificate_pem)));
}

void TestCluster::add_pod(std::string_view name) {
  server_->create(
      "/api/v1/namespaces/default/pods",
      fmt::format(
          R"({{"metadata":{{"name":"{}"}},"spec":{{"nodeName":"n1","containers":[{{"name":"c","image":"i"}}]}}}})",
          name));
}

std::vector<std::string> TestCluster::requests() const {
  const std::lock_guard lock(front_->mu_);
  return front_->requests_;
}

std::size_t TestCluster::writes() const {
  const auto all = requests();
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [](const std::string& one) { return !one.starts_with("GET "); }));
}

void TestCluster::forget_requests() {
  const std::lock_guard lock(front_->mu_);
  front_->requests_.clear();
}

void TestCluster::answer_instead(Instead instead) {
  const std::lock_guard lock(front_->mu_);
  front_->instead_ = std::move(instead);
}

void TestCluster::cancel_at(std::size_t request, CancelSource* source) {
  const std::lock_guard lock(front_->mu_);
  front_->left_ = request;
  front_->source_ = source;
}

void expect_cancelled_at_every_call(
    const std::function<void(TestCluster&)>& set_up,
    const std::function<Result<>(TestCluster&, const Client&)>& work) {
  for (std::size_t request = 1; request < 100; ++request) {
    SCOPED_TRACE(fmt::format("cancelled at request {}", request));
    TestCluster cluster;
    set_up(cluster);
    CancelSource source;
    cluster.cancel_at(request, &source);
    const Client client = cluster.client();
    const Result<> outcome =
        work(cluster, client.within(source.token(), Deadline::after(std::chrono::minutes(1))));
    cluster.cancel_at(0, nullptr);
    if (!source.cancelled()) {
      EXPECT_TRUE(outcome) << outcome.error().to_string();
      EXPECT_GT(request, 1U) << "nothing was asked";
      return;
    }
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code(), Code::kCancelled) << outcome.error().to_string();
  }
  ADD_FAILURE() << "it does not end";
}

}  // namespace strake::kube::testing
