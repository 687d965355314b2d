#include "http/connection.h"

#include <boost/asio/this_coro.hpp>

#include "http/h1_connection.h"
#include "http/h2_connection.h"

namespace strake::http {
namespace {

namespace asio = boost::asio;

// Without TLS, a client that knows that we speak HTTP/2 says so by its first bytes.
asio::awaitable<bool> starts_with_preface(Transport& transport, const ServerOptions& options) {
  while (true) {
    const std::string_view in = transport.in();
    const std::size_t size = std::min(in.size(), kH2Preface.size());
    if (in.substr(0, size) != kH2Preface.substr(0, size)) co_return false;
    if (size == kH2Preface.size()) co_return true;
    transport.set_deadline(size == 0 ? options.idle_timeout : options.header_timeout);
    if (co_await transport.fill() != Transport::Fill::kData) co_return false;
  }
}

asio::awaitable<bool> serve_requests(Transport& transport, const ServerOptions& options,
                                     Handler& handler) {
  const bool is_h2 =
      transport.is_tls() ? transport.speaks_h2() : co_await starts_with_preface(transport, options);
  if (is_h2) {
    const auto connection = std::make_shared<H2Connection>(transport, options, handler);
    transport.set_events(connection);
    co_await connection->run();
    co_return true;
  }
  const auto connection = std::make_shared<H1Connection>(transport, options, handler);
  transport.set_events(connection);
  co_await connection->run();
  co_return connection->has_unread_body();
}

}  // namespace

asio::awaitable<void> serve_connection(std::shared_ptr<Transport> transport,
                                       const ServerOptions& options, Handler& handler) {
  co_await asio::this_coro::throw_if_cancelled(false);
  bool linger = false;
  if (co_await transport->handshake()) {
    linger = co_await serve_requests(*transport, options, handler);
  }
  co_await transport->close(linger);
}

}  // namespace strake::http
