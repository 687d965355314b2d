#pragma once
// The subresource "proxy" of services: sends requests on to an endpoint (forward.h).
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "api/request/call.h"
#include "api/request/service_backends.h"
#include "http/client.h"

namespace strake::api {

class ServiceProxy {
 public:
  // Where an address is really reached. Only tests, whose endpoints are on this machine, have one.
  using Detour = std::function<http::Address(const http::Address&)>;

  ServiceProxy(Hub& hub, Detour detour);
  ~ServiceProxy();

  // Nothing is sent any more, and connections end: they would keep the loops busy.
  void close() { client_.store(nullptr); }

  // `path` is what the service is asked for: empty, or with a slash at its start.
  AnswerTask<http::Response> forward(Call& call, std::string path);

 private:
  Result<std::shared_ptr<const http::TlsContext>> any_certificate();

  ServiceBackends backends_;
  const Detour detour_;
  std::atomic<std::shared_ptr<http::Client>> client_;
  std::mutex mu_;
  std::shared_ptr<const http::TlsContext> tls_;  // guarded by mu_
};

}  // namespace strake::api
