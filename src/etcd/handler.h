#pragma once
// The service over HTTP: gRPC, its JSON gateway, and the pages that harnesses wait for. For a
// server with one loop, since the service has one thread.
#include "etcd/service.h"
#include "http/server.h"

namespace strake::etcd {

class Handler final : public http::Handler {
 public:
  explicit Handler(Service service) : service_(std::move(service)) {}
  boost::asio::awaitable<http::Response> handle(http::Request request) override;
  // Nobody has to say who they are.
  bool is_authenticated(const http::Request&) const override { return true; }

 private:
  http::Response answer(const http::Request& request);
  http::Response answer_grpc(const http::Request& request);
  http::Response answer_json(const http::Request& request);

  Service service_;
};

}  // namespace strake::etcd
