#include "aggregator/https_backends.h"

#include <fmt/format.h>

#include "aggregator/user_headers.h"
#include "http/client_proxy.h"
#include "http/tls.h"
#include "kube/go_errors.h"

namespace strake::aggregator {
namespace {

// Of authorities that APIServices name. When there are more they are made again.
constexpr std::size_t kMostContexts = 1000;

// A server that speaks HTTP/1.1 alone has a connection for each watch. The numbers are for a loop.
http::ClientOptions client_options() {
  http::ClientOptions out;
  out.max_connections = 8192;
  out.max_connections_per_host = 2048;
  return out;
}

std::string server_name(const ServiceReference& service) {
  return fmt::format("{}.{}.svc", service.name, service.namespace_name);
}

BackendFailure refused(std::string message) {
  return {.unresolved = false,
          .message = std::move(message),
          .host = {},
          .fault = http::Fault::kInvalid};
}

}  // namespace

HttpsBackends::HttpsBackends(const async::Loops& loops, ServiceAddresses& addresses,
                             api::UserHeaders user_headers)
    : addresses_(addresses),
      user_headers_(std::make_shared<const api::UserHeaders>(std::move(user_headers))),
      client_(std::make_shared<http::Client>(loops, client_options())) {}

HttpsBackends::~HttpsBackends() = default;

Result<> HttpsBackends::set_client_certificate(std::string certificate_pem, Secret key_pem) {
  const http::ClientTlsOptions trial{.trust = http::ClientTlsOptions::Trust::kNobody,
                                     .ca_pem = {},
                                     .certificate_pem = certificate_pem,
                                     .key_pem = key_pem};
  STRAKE_CHECK(http::TlsContext::make(trial));
  set_checked_client_certificate(std::move(certificate_pem), std::move(key_pem));
  return {};
}

void HttpsBackends::set_checked_client_certificate(std::string certificate_pem, Secret key_pem) {
  const std::lock_guard lock(mu_);
  certificate_pem_ = std::move(certificate_pem);
  key_pem_ = std::move(key_pem);
  contexts_.clear();
}

Result<HttpsBackends::Context> HttpsBackends::context_for(const ApiService& service) {
  using Trust = http::ClientTlsOptions::Trust;
  const std::lock_guard lock(mu_);
  const std::pair key(service.skips_tls_verify, service.ca_bundle);
  if (const auto found = contexts_.find(key); found != contexts_.end()) return found->second;
  const Trust given = service.ca_bundle.empty() ? Trust::kSystem : Trust::kGiven;
  STRAKE_TRY(Context made, http::TlsContext::make(http::ClientTlsOptions{
                               .trust = service.skips_tls_verify ? Trust::kNobody : given,
                               .ca_pem = service.ca_bundle,
                               .certificate_pem = certificate_pem_,
                               .key_pem = key_pem_}));
  if (contexts_.size() >= kMostContexts) contexts_.clear();
  contexts_[key] = made;
  return made;
}

boost::asio::awaitable<std::expected<BackendAnswer, BackendFailure>> HttpsBackends::send(
    BackendRequest request) {
  const ApiService& service = *request.service;
  std::expected<Located, NotLocated> located = addresses_.find(*service.service);
  if (!located) {
    co_return std::unexpected(BackendFailure{.unresolved = true,
                                             .message = std::move(located.error().message),
                                             .host = {},
                                             .fault = http::Fault::kResolve});
  }
  Result<Context> context = context_for(service);
  if (!context) co_return std::unexpected(refused(std::string(context.error().message())));
  const std::shared_ptr<http::Client> client = client_.load();
  if (!client) co_return std::unexpected(refused("the server is shutting down"));

  const std::string host = http::host_and_port(located->host, located->port);
  http::ClientRequest out;
  out.to = {.tls = true,
            .host = std::move(located->host),
            .port = located->port,
            .addresses = std::move(located->addresses),
            .server_name = server_name(*service.service),
            .tls_context = *std::move(context),
            .proxy = {},
            .protocol = request.upgrade.empty() ? http::Upstream::Protocol::kAny
                                                : http::Upstream::Protocol::kHttp1};
  out.method = std::move(request.method);
  out.target = std::move(request.target);
  out.headers = api::without_user(request.headers, *user_headers_);
  if (request.user) {
    if (const Result<> told = add_user(*request.user, out.headers); !told)
      co_return std::unexpected(refused(std::string(told.error().message())));
  }
  out.body = std::move(request.body);
  if (request.stream) out.stream = api::without_user(std::move(request.stream), user_headers_);
  out.stream_length = request.stream_length;
  out.upgrade = std::move(request.upgrade);
  out.deadline = request.deadline;
  out.try_timeout = request.head_timeout;
  out.max_body = request.max_body;
  out.cancel = std::move(request.cancel);
  http::Outcome<http::ClientResponse> response = co_await client->send(std::move(out));
  if (!response) {
    const http::Failure& failure = response.error();
    const bool tls = failure.fault == http::Fault::kTls;
    co_return std::unexpected(BackendFailure{
        .unresolved = false,
        .message = kube::go_transport_error(failure, tls ? server_name(*service.service) : host, "",
                                            system_clock().now()),
        .host = host,
        .fault = failure.fault});
  }
  co_return BackendAnswer{.response = *std::move(response), .host = host};
}

}  // namespace strake::aggregator
