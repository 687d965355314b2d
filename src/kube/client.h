#pragma once
// Requests to one cluster. Calls block; any number of threads may make them at once. A plugin that
// makes credentials is run when the first request needs them, and again when they ran out or the
// server refused them.
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/fetch.h"
#include "kube/access.h"

namespace strake::kube {

struct ClientOptions {
  std::string user_agent = "strake";
  bool has_terminal = false;                     // somebody is there to be asked by plugins
  std::chrono::milliseconds timeout{60'000};     // of one request
  std::size_t max_bytes = std::size_t{1} << 28;  // of one answer
};

struct Request {
  std::string method = "GET";
  std::string path;  // from the root, with the query: "/api/v1/namespaces?limit=5"
  std::string accept = "application/json";
  std::string content_type;
  std::string body;
};

class Client {
 public:
  Client(Access access, ClientOptions options);
  ~Client();
  Client(Client&&) noexcept;

  const Access& access() const;

  // An answer of 200 to 299. Another one is an error: its code is that of the Status the server
  // sent, its message the server's own, with the path in front. When the server asks for patience
  // (429, 503 with Retry-After) it is asked again, four times at most.
  Result<http::FetchResponse> send(const Request& request) const;
  Result<std::string> get(std::string_view path) const;  // the body

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The error in an answer that is none of 200 to 299.
Error error_of(const Request& request, const http::FetchResponse& response);

}  // namespace strake::kube
