#include "http/test_server.h"

#include <thread>

#include "base/assert.h"

namespace strake::http::testing {

Response text_response(std::string body, int status) {
  Response response;
  response.status = status;
  response.headers.add("Content-Type", std::string_view("text/plain"));
  response.body.emplace_back(std::move(body));
  return response;
}

boost::asio::awaitable<Response> echo(Request request) {
  std::string target = request.path;
  if (!request.query.empty()) target += "?" + request.query;
  co_return text_response(fmt::format("{} {} version={} body={}\n", request.method, target,
                                      request.version, request.body.size()));
}

TestServer::TestServer(FunctionHandler::Function function, ServerOptions options, bool tls)
    : handler_(std::move(function)), tls_(tls) {
  if (tls) options.tls = test_pki().server_tls();
  auto made = Server::listen(std::move(options), loops_, handler_);
  if (!made) fmt::print(stderr, "{}\n", made.error().to_string());
  STRAKE_ASSERT(made.has_value());
  server_ = *std::move(made);
}

TestServer::~TestServer() = default;

TestClient TestServer::connect() const {
  if (tls_) return connect(ClientTls{.ca_pem = test_pki().authority.certificate_pem});
  return TestClient(server_->port());
}

TestClient TestServer::connect(ClientTls tls) const {
  tls.ca_pem = test_pki().authority.certificate_pem;
  return TestClient(server_->port(), std::move(tls));
}

std::string TestServer::url(std::string_view path) const {
  return fmt::format("{}://127.0.0.1:{}{}", tls_ ? "https" : "http", server_->port(), path);
}

bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 10'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace strake::http::testing
