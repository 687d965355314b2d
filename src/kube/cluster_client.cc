#include "kube/cluster_client.h"

#include "http/byte_stream.h"
#include "kube/go_errors.h"

namespace strake::kube {
namespace {

Error failure_of(const Request& request, const http::Failure& failure, const std::string& host) {
  const std::string path = request.path.substr(0, request.path.find('?'));
  return Error(failure.to_error().code(),
               fmt::format("{} {}: {}", request.method, path,
                           go_transport_error(failure, host, {}, system_clock().now())));
}

}  // namespace

Result<std::shared_ptr<ClusterClient>> ClusterClient::make(const Access& access,
                                                           const async::Loops& loops,
                                                           Options options) {
  STRAKE_TRY(Caller caller, Caller::make(access));
  return std::shared_ptr<ClusterClient>(
      new ClusterClient(std::move(caller), loops, std::move(options)));
}

ClusterClient::ClusterClient(Caller caller, const async::Loops& loops, Options options)
    : caller_(std::move(caller)),
      options_(std::move(options)),
      client_(std::make_unique<http::Client>(loops, http::ClientOptions())) {}

ClusterClient::~ClusterClient() = default;

http::ClientRequest ClusterClient::made(const Request& request, CancelToken cancel) const {
  http::ClientRequest out;
  out.to = caller_.upstream;
  out.method = request.method;
  out.target = caller_.target(request.path);
  out.headers = caller_.headers_now();
  out.headers.add("Accept", request.accept);
  out.headers.add("User-Agent", options_.user_agent);
  if (!request.content_type.empty()) out.headers.add("Content-Type", request.content_type);
  out.body = request.body;
  out.try_timeout = options_.timeout;
  out.cancel = std::move(cancel);
  return out;
}

async::Task<http::ClientResponse> ClusterClient::ask(const Request& request, Deadline deadline,
                                                     CancelToken cancel) const {
  http::ClientRequest sent = made(request, std::move(cancel));
  sent.deadline = deadline;
  http::Outcome<http::ClientResponse> response = co_await client_->send(std::move(sent));
  if (!response)
    co_return std::unexpected(failure_of(request, response.error(), caller_.upstream.host));
  if (response->status >= 200 && response->status < 300) co_return *std::move(response);
  http::FetchResponse refused{.status = response->status, .headers = response->headers};
  if (auto text = co_await http::read_all(*response->body, kMostErrorBytes))
    refused.body = *std::move(text);
  co_return std::unexpected(error_of(request, refused));
}

async::Task<std::string> ClusterClient::send(Request request, CancelToken cancel) const {
  STRAKE_CO_TRY(http::ClientResponse response,
                co_await ask(request, Deadline::after(options_.timeout), std::move(cancel)));
  http::Outcome<std::string> text = co_await http::read_all(*response.body, options_.max_bytes);
  if (!text) co_return std::unexpected(failure_of(request, text.error(), caller_.upstream.host));
  co_return *std::move(text);
}

async::Task<std::unique_ptr<http::BodyReader>> ClusterClient::open(Request request,
                                                                   Deadline deadline,
                                                                   CancelToken cancel) const {
  STRAKE_CO_TRY(http::ClientResponse response, co_await ask(request, deadline, std::move(cancel)));
  co_return std::move(response.body);
}

}  // namespace strake::kube
