#include "aggregator/test_backend.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <future>

#include "async/run.h"
#include "async/signal.h"
#include "base/base64.h"

namespace strake::aggregator::testing {

using api::testing::TestServer;

http::Validity valid_now() {
  const WallTime now = system_clock().now();
  return {.from = now - std::chrono::hours(1), .until = now + std::chrono::hours(24)};
}

Identity make_identity(std::vector<std::string> names, const http::Validity& validity) {
  Identity out;
  out.authority = http::make_ca("backend-ca", valid_now()).value();
  http::CertificateSpec spec;
  spec.common_name = "backend";
  spec.dns_names = std::move(names);
  spec.validity = validity;
  out.server = http::issue_certificate(out.authority, spec).value();
  return out;
}

const http::CertifiedKey& proxy_authority() {
  static const http::CertifiedKey& made =
      *new http::CertifiedKey(http::make_ca("proxy-ca", valid_now()).value());
  return made;
}

const http::CertifiedKey& proxy_certificate() {
  static const http::CertifiedKey& made = *new http::CertifiedKey([] {
    http::CertificateSpec spec;
    spec.common_name = "the-proxy";
    spec.use = http::CertificateUse::kClient;
    spec.validity = valid_now();
    return http::issue_certificate(proxy_authority(), spec).value();
  }());
  return made;
}

ScriptedBackend::ScriptedBackend(Script script, Identity identity)
    : script_(std::move(script)), identity_(std::move(identity)) {
  http::ServerOptions options;
  options.tls = http::TlsOptions{.certificate_pem = identity_.server.certificate_pem,
                                 .key_pem = identity_.server.key_pem.reveal(),
                                 .client_ca_pem = proxy_authority().certificate_pem};
  server_ = http::Server::listen(std::move(options), loops_, *this).value();
}

ScriptedBackend::~ScriptedBackend() {
  server_.reset();
  loops_.stop();
}

std::string ScriptedBackend::ca_bundle() const {
  return base64_encode(identity_.authority.certificate_pem);
}

std::vector<Seen> ScriptedBackend::seen() const {
  const std::lock_guard lock(mu_);
  return seen_;
}

boost::asio::awaitable<http::Response> ScriptedBackend::handle(http::Request request) {
  // What the aggregator asks for itself.
  if (request.path == "/apis") {
    co_return json_answer(
        R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[]})");
  }
  if (request.path.starts_with("/openapi/")) co_return json_answer("{}", 404);
  if (request.headers.get("X-Remote-User") == "system:kube-aggregator") {
    ++probes_;
    if (hangs_probes_) co_return co_await hang(std::move(request));
    co_return answers_probes_ ? json_answer("{}") : json_answer("{}", 500);
  }
  {
    const std::lock_guard lock(mu_);
    seen_.push_back(
        {.method = request.method,
         .target = request.query.empty() ? request.path : request.path + "?" + request.query,
         .headers = request.headers,
         .body = request.body,
         .certificate = request.peer ? request.peer->common_name : "",
         .version = request.version});
  }
  if (script_) co_return co_await script_(std::move(request));
  co_return json_answer("{}");
}

http::Response json_answer(std::string text, int status) {
  http::Response out;
  out.status = status;
  out.headers.add("Content-Type", "application/json");
  out.body.emplace_back(std::move(text));
  return out;
}

boost::asio::awaitable<http::Response> hang(http::Request) {
  static_cast<void>(co_await async::sleep_until(Deadline::never()));
  co_return json_answer("{}", 500);
}

namespace {

class AggregationPart final : public api::testing::TestPart {
 public:
  AggregationPart(api::Hub& hub, Aggregation::Options options,
                  const api::Authenticator* believes)
      : aggregation(hub, std::move(options)), believes_(believes) {}
  const api::Authenticator* authenticator() const override { return believes_; }
  std::vector<api::Route*> routes() override { return {&aggregation.route()}; }
  void write_metrics(std::string& out) const override { aggregation.write_metrics(out); }
  async::Task<> start(api::Core& core) override { co_return co_await aggregation.start(core); }
  async::Task<> stop() override { co_return co_await aggregation.stop(); }

  Aggregation aggregation;

 private:
  const api::Authenticator* believes_;
};

}  // namespace

AggregatedServer::AggregatedServer(Aggregation::Options options, TestServer::Options server,
                                   const api::Authenticator* believes) {
  server.part = [&](api::Hub& hub) -> std::unique_ptr<api::testing::TestPart> {
    auto part = std::make_unique<AggregationPart>(hub, std::move(options), believes);
    aggregation_ = &part->aggregation;
    EXPECT_TRUE(aggregation_->set_client_certificate(proxy_certificate().certificate_pem,
                                                     proxy_certificate().key_pem));
    return part;
  };
  server_ = std::make_unique<TestServer>(std::move(server));
}

AggregatedServer::~AggregatedServer() {
  client_.reset();
  http_.reset();
  server_.reset();
}

void AggregatedServer::map(const ScriptedBackend& backend, std::string_view name) {
  std::erase_if(mapped_, [&](const auto& one) { return one.first == name; });
  mapped_.emplace_back(name, backend.port());
  std::string text;
  for (const auto& [service, port] : mapped_)
    text += fmt::format("default/{}: 127.0.0.1:{}\n", service, port);
  aggregation_->set_service_map(ServiceMap(kube::read_service_places(text).value()));
}

void AggregatedServer::create(std::string_view group, std::string_view more,
                              std::string_view name) {
  server_->create(
      kApiServices,
      fmt::format(
          R"({{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{{"name":"v1.{0}"}},)"
          R"("spec":{{"group":"{0}","version":"v1","groupPriorityMinimum":1000,"versionPriority":10,)"
          R"("service":{{"namespace":"default","name":"{2}"}}{1}}}}})",
          group, more, name));
}

void AggregatedServer::add(const ScriptedBackend& backend, std::string_view group) {
  map(backend);
  create(group, fmt::format(R"(,"caBundle":"{}")", backend.ca_bundle()));
  wait_for_reason(fmt::format("v1.{}", group), "Passed");
}

std::string AggregatedServer::wait_for_reason(std::string_view name, std::string_view reason) {
  TestServer::Watch watch(
      *server_, fmt::format("{}?watch=1&timeoutSeconds=60&fieldSelector=metadata.name%3D{}",
                            kApiServices, name));
  while (true) {
    const api::testing::Event event = watch.next();
    if (event.type.empty()) {
      ADD_FAILURE() << name << " never became " << reason;
      return {};
    }
    if (event.object.text("status.conditions.0.reason") == reason)
      return event.object.text("status.conditions.0.message");
  }
}

std::uint16_t AggregatedServer::listen() {
  if (!http_) {
    http_ = http::Server::listen({}, loops(), server_->handler()).value();
    client_ = std::make_unique<http::Client>(loops(), http::ClientOptions());
  }
  return http_->port();
}

http::Outcome<http::ClientResponse> AggregatedServer::ask(http::ClientRequest request) {
  request.to.tls = false;
  request.to.host = "127.0.0.1";
  request.to.port = listen();
  std::promise<http::Outcome<http::ClientResponse>> promise;
  auto result = promise.get_future();
  boost::asio::co_spawn(loops().at(0), client_->send(std::move(request)),
                        [&](std::exception_ptr, http::Outcome<http::ClientResponse> value) {
                          promise.set_value(std::move(value));
                        });
  return result.get();
}

namespace {

boost::asio::awaitable<AggregatedServer::Read> read_up_to(http::Client& client,
                                                          http::ClientRequest request,
                                                          std::size_t most) {
  AggregatedServer::Read out;
  auto response = co_await client.send(std::move(request));
  if (!response) {
    out.broke_off = true;
    co_return out;
  }
  out.status = response->status;
  out.headers = response->headers;
  while (out.body.size() < most && response->body) {
    auto part = co_await response->body->next();
    out.broke_off = !part.has_value();
    if (!part || part->empty()) {
      out.trailers = response->body->trailers();
      break;
    }
    out.body += *part;
  }
  co_return out;
}

}  // namespace

void AggregatedServer::end(std::vector<http::ClientResponse> answers) {
  const auto drop = [](std::vector<http::ClientResponse> all) -> async::Task<> {
    all.clear();
    co_return Result<>();
  };
  async::run_blocking(loops().at(0), drop(std::move(answers))).value();
}

AggregatedServer::Read AggregatedServer::read(http::ClientRequest request, std::size_t most) {
  request.to.tls = false;
  request.to.host = "127.0.0.1";
  request.to.port = listen();
  std::promise<Read> promise;
  auto result = promise.get_future();
  boost::asio::co_spawn(
      loops().at(0), read_up_to(*client_, std::move(request), most),
      [&](std::exception_ptr, Read value) { promise.set_value(std::move(value)); });
  return result.get();
}

}  // namespace strake::aggregator::testing
