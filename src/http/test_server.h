#pragma once
// A server for tests: answers by a function, on loops of its own.
#include <atomic>
#include <functional>
#include <memory>

#include "async/loops.h"
#include "http/server.h"
#include "http/test_client.h"

namespace strake::http::testing {

class FunctionHandler final : public Handler {
 public:
  using Function = std::function<boost::asio::awaitable<Response>(Request)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  boost::asio::awaitable<Response> handle(Request request) override {
    return function_(std::move(request));
  }
  // Everyone, but for those who say that they are a stranger.
  bool is_authenticated(const Request& head) const override {
    return !head.headers.has("Stranger");
  }
  // Those who say that their body comes bit by bit.
  bool wants_stream(const Request& head) const override { return head.headers.has("Streaming"); }

 private:
  Function function_;
};

Response text_response(std::string body, int status = 200);

// Tells what it was asked: "GET /a?b version=11 body=3".
boost::asio::awaitable<Response> echo(Request request);

// The default options with short timeouts where the test says so.
class TestServer {
 public:
  explicit TestServer(FunctionHandler::Function function = echo, ServerOptions options = {},
                      bool tls = false);
  ~TestServer();

  Server& server() const { return *server_; }
  async::Loops& loops() { return loops_; }
  TestClient connect() const;
  TestClient connect(ClientTls tls) const;
  std::string url(std::string_view path) const;

 private:
  async::Loops loops_{2};
  FunctionHandler handler_;
  bool tls_;
  std::unique_ptr<Server> server_;
};

// Waits until it holds, for ten seconds at most, and tells whether it does.
bool eventually(const std::function<bool()>& condition);

}  // namespace strake::http::testing
