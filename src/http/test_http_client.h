#pragma once
// http::Client in tests: each way to speak, blocking calls, and many requests at a time.
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "async/loops.h"
#include "http/client.h"
#include "http/test_server.h"
#include "http/tls.h"

namespace strake::http::testing {

enum class Way : std::uint8_t { kH1, kH1Tls, kH2, kH2Tls };
std::string_view name_of(Way way);

// A response whose body was read.
struct ReadResponse {
  int status = 0;
  int version = 0;
  Headers headers;
  std::string body;
  Headers trailers;
};
using Reply = Outcome<ReadResponse>;

// The fault of what failed; fails the test when it did not.
Fault fault_of(const Reply& reply);

class HttpClient : public ::testing::TestWithParam<Way> {
 protected:
  HttpClient();
  ~HttpClient() override;

  static bool is_h2() { return GetParam() == Way::kH2 || GetParam() == Way::kH2Tls; }
  static bool is_tls() { return GetParam() == Way::kH1Tls || GetParam() == Way::kH2Tls; }

  // A new client.
  void use(ClientOptions options);
  TestServer serve(FunctionHandler::Function function, ServerOptions options = {}) const;
  Upstream to(const TestServer& server) const { return to_port(server.server().port()); }
  Upstream to_port(std::uint16_t port) const;

  Reply ask(ClientRequest request);
  std::vector<Reply> ask_many(std::size_t count, std::function<ClientRequest(std::size_t)> make,
                              std::size_t width = 50);
  Outcome<ClientResponse> start(ClientRequest request);
  template <typename T>
  Outcome<T> run(Exchange<T> exchange);
  // On the loop, as everything.
  void destroy(Outcome<ClientResponse> response);
  ClientStats stats();

  async::Loops loops_{1};
  std::unique_ptr<Client> client_;
  std::shared_ptr<const TlsContext> tls_;
};

template <typename T>
Outcome<T> HttpClient::run(Exchange<T> exchange) {
  std::promise<Outcome<T>> promise;
  auto result = promise.get_future();
  boost::asio::co_spawn(loops_.at(0), std::move(exchange),
                        [&promise](std::exception_ptr error, Outcome<T> value) {
                          if (error) value = failed(Fault::kInvalid, "an exception");
                          promise.set_value(std::move(value));
                        });
  return result.get();
}

}  // namespace strake::http::testing
