#include "aggregator/availability/check.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "async/concurrently.h"
#include "base/quote.h"

namespace strake::aggregator {
namespace {

constexpr std::size_t kAttempts = 5;
constexpr std::chrono::seconds kTime{5};

// What kube-apiserver 1.36 says of what is missing before anybody is asked; without a reason where
// it asks all the same.
Availability missing(const ApiService& service, const NotLocated& why) {
  using Lack = NotLocated::Lack;
  const ServiceReference& at = *service.service;
  const auto says = [](std::string_view reason, std::string message) {
    return Availability{
        .status = "False", .reason = std::string(reason), .message = std::move(message)};
  };
  if (why.lack == Lack::kService) {
    return says("ServiceNotFound", fmt::format("service/{} in {} is not present", at.name,
                                               quote(at.namespace_name)));
  }
  if (!why.has_cluster_ip) return {};
  if (why.lack == Lack::kPort) {
    return says("ServicePortError",
                fmt::format("service/{} in {} is not listening on port {}", at.name,
                            quote(at.namespace_name), at.port));
  }
  if (why.lack == Lack::kEndpoints) {
    return says("EndpointsNotFound", fmt::format("cannot find endpointslices for service/{} in {}",
                                                 at.name, quote(at.namespace_name)));
  }
  return says("MissingEndpoints",
              fmt::format("endpointslices for service/{} in {} have no addresses with port name {}",
                          at.name, quote(at.namespace_name), quote(why.port_name)));
}

std::string probe_path(const ApiService& service) {
  return service.group.empty() ? fmt::format("/api/{}", service.version)
                               : fmt::format("/apis/{}/{}", service.group, service.version);
}

// As Go's client puts it.
std::string failure_text(const BackendFailure& failure, std::string_view path) {
  if (failure.unresolved) return failure.message;
  if (failure.host.empty())
    return fmt::format("failing or missing response: {}", failure.message);
  const std::string url = fmt::format("https://{}{}", failure.host, path);
  const std::string_view timer = failure.fault == http::Fault::kTimeout
                                     ? " (Client.Timeout exceeded while awaiting headers)"
                                     : "";
  return fmt::format("failing or missing response from {0}: Get \"{0}\": {1}{2}", url,
                     failure.message, timer);
}

api::UserPtr prober() {
  static const api::UserPtr kUser = std::make_shared<const api::User>(api::User{
      .name = "system:kube-aggregator", .uid = {}, .groups = {"system:masters"}, .extra = {}});
  return kUser;
}

// Empty when it answers well.
boost::asio::awaitable<std::string> probe(ApiServicePtr service, Backends& backends,
                                          CancelToken cancel) {
  const std::string path = probe_path(*service);
  BackendRequest request;
  request.service = service;
  request.user = prober();
  request.target = path;
  request.deadline = Deadline::after(kTime);
  request.head_timeout = kTime;
  request.cancel = std::move(cancel);
  const auto answer = co_await backends.send(std::move(request));
  if (!answer) co_return failure_text(answer.error(), path);
  // The body is not read: what it holds is nobody's business here, however large it is.
  const int status = answer->response.status;
  if (status >= 200 && status < 300) co_return std::string();
  const std::string url = fmt::format("https://{}{}", answer->host, path);
  co_return fmt::format("failing or missing response from {0}: bad status from {0}: {1}", url,
                        status);
}

struct Attempts {
  std::array<std::string, kAttempts> failures;
  bool any_good = false;
  CancelSource rest;  // those that are still under way
};

boost::asio::awaitable<void> attempt(ApiServicePtr service, Backends& backends, Attempts& all,
                                     std::size_t i) {
  all.failures[i] = co_await probe(service, backends, all.rest.token());
  if (!all.failures[i].empty()) co_return;
  all.any_good = true;
  all.rest.cancel();
}

}  // namespace

boost::asio::awaitable<Checked> check_availability(ApiServicePtr service,
                                                   ServiceAddresses& addresses, Backends& backends,
                                                   CancelToken cancel) {
  if (service->is_local()) {
    co_return Checked{.condition = {.status = "True",
                                    .reason = "Local",
                                    .message = "Local APIServices are always available"}};
  }
  if (const auto located = addresses.find(*service->service); !located) {
    Availability out = missing(*service, located.error());
    if (!out.reason.empty()) co_return Checked{.condition = std::move(out)};
  }
  Attempts attempts{.failures = {}, .any_good = false, .rest = CancelSource(cancel)};
  co_await async::for_each_concurrently(kAttempts, kAttempts, [&](std::size_t i) {
    return attempt(service, backends, attempts, i);
  });
  if (attempts.any_good) {
    co_return Checked{.condition = {.status = "True",
                                    .reason = "Passed",
                                    .message = "all checks passed"}};
  }
  co_return Checked{.condition = {.status = "False",
                                  .reason = "FailedDiscoveryCheck",
                                  .message = std::move(attempts.failures.back())},
                    .unanswered = true};
}

}  // namespace strake::aggregator
