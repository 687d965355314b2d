#pragma once
// One way to send a request to the server of an APIService, as a user. Whoever sends one (the
// proxy, the probes of availability, discovery, OpenAPI) knows nothing of addresses, certificates
// and the headers that tell the user. Tests have a stand-in.
#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "aggregator/services/api_services.h"
#include "api/request/roles.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "http/client.h"

namespace strake::aggregator {

struct BackendRequest {
  ApiServicePtr service;  // not local
  api::UserPtr user;      // whom the other server is told, in X-Remote-* headers
  std::string method = "GET";
  std::string target;     // path and query, as sent
  // Of whoever is behind the request. What speaks of users or carries credentials never passes.
  http::Headers headers = {};
  std::string body = {};
  std::unique_ptr<http::BodyStream> stream = nullptr;  // instead of the body
  std::optional<std::uint64_t> stream_length = {};
  std::string upgrade = {};  // the protocol to change to
  Deadline deadline = Deadline::never();                // to the end of the answer's body
  std::chrono::milliseconds head_timeout{60'000};       // to the head of the answer
  std::uint64_t max_body = ~std::uint64_t{0};           // of the answer
  CancelToken cancel = {};
};

struct BackendAnswer {
  http::ClientResponse response;  // any status; redirects are not followed
  std::string host;               // HOST:PORT that answered
};

struct BackendFailure {
  // There is no address for the service, so that nothing was sent.
  bool unresolved = false;
  std::string message;  // what kube-apiserver 1.36 says; no secrets
  std::string host;     // HOST:PORT that was tried; empty when unresolved
  http::Fault fault = http::Fault::kConnect;
};

class Backends {
 public:
  virtual ~Backends() = default;
  // From any loop; the exchange stays on the caller's.
  virtual boost::asio::awaitable<std::expected<BackendAnswer, BackendFailure>> send(
      BackendRequest request) = 0;
};

}  // namespace strake::aggregator
