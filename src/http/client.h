#pragma once
// An HTTP client: HTTP/1.1 and HTTP/2, TLS, proxies, connections that are kept for the next
// request. Coroutines on the loops of the program; each loop has connections of its own, so that
// nothing is locked. Bodies stream both ways, and whoever reads or writes slowly slows the other
// side down.
//
//   Client client(loops, {});
//   auto response = co_await client.send({.to = {.host = "example.com"}, .target = "/a?b"});
//   if (!response) co_return response.error().to_error();
//   auto text = co_await read_all(*response->body, 1 << 20);
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/loops.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/secret.h"
#include "http/byte_stream.h"
#include "http/failure.h"
#include "http/message.h"
#include "http/tls_options.h"

namespace strake::http {

class TlsContext;

// Whom to ask for the way. For https, and with SOCKS5, it sees the name of the host and nothing
// else; for http it is asked for the whole URL.
struct Proxy {
  enum class Kind : std::uint8_t { kHttp, kSocks5 };
  Kind kind = Kind::kHttp;
  std::string host;
  std::uint16_t port = 0;
  std::string user_name;  // empty: shows nobody
  Secret password;
};

struct Address {
  std::string ip;
  std::uint16_t port = 0;
};

// Where a request goes. Requests whose upstreams are alike share connections.
struct Upstream {
  enum class Protocol : std::uint8_t {
    kAny,    // HTTP/2 where TLS agrees on it
    kHttp1,  // HTTP/1.1 alone
    kHttp2,  // HTTP/2 alone; without TLS the other side must be known to speak it
  };
  bool tls = true;
  std::string host;  // a name or an address
  std::uint16_t port = 443;
  // Tried in order; when there are none, the host is looked up.
  std::vector<Address> addresses;
  std::string server_name;  // whom the certificate must name, when that is not the host
  // Made once with TlsContext::make; null trusts the system's authorities and shows no certificate.
  std::shared_ptr<const TlsContext> tls_context;
  std::optional<Proxy> proxy;
  Protocol protocol = Protocol::kAny;
};

struct ClientRequest {
  Upstream to;
  std::string method = "GET";
  std::string target = "/";  // path and query, as sent
  // Host follows from the upstream unless it is given; what belongs to the connection
  // (Content-Length, Connection, ...) is left out.
  Headers headers;
  std::string body;
  std::unique_ptr<BodyStream> stream;          // instead of the body
  std::optional<std::uint64_t> stream_length;  // when it is known before
  // Asks to change to this protocol, over HTTP/1.1. ClientResponse::upgraded is there when the
  // other side agrees.
  std::string upgrade;

  Deadline deadline;  // for all of it, to the end of the response's body, but not beyond an upgrade
  // For one try, from looking for a connection to the head of the response.
  std::chrono::milliseconds try_timeout{30'000};
  std::uint64_t max_body = ~std::uint64_t{0};  // of the response
  CancelToken cancel;
};

struct ClientResponse {
  int status = 0;    // 200 and above, or 101
  int version = 11;  // 10, 11, 20
  Headers headers;
  // Null only after an upgrade. The connection is free for others when it was read to its end;
  // destroyed earlier, it ends the exchange.
  std::unique_ptr<BodyReader> body;
  std::unique_ptr<RawStream> upgraded;
};

// The numbers of connections hold for each loop.
struct ClientOptions {
  std::size_t max_connections = 512;  // idle ones make room for others, the oldest first
  std::size_t max_connections_per_host = 64;
  std::size_t max_streams = 1000;  // at a time in one HTTP/2 connection, if the peer agrees
  std::chrono::milliseconds idle_timeout{90'000};
  // To one address; with nothing, its share of the time that the request has.
  std::optional<std::chrono::milliseconds> connect_timeout = {};
  std::size_t max_header_bytes = 256 * 1024;  // of a response, with those before the last (1xx)
  std::size_t max_headers = 1000;
};

struct ClientStats {
  std::size_t connections = 0;
  std::size_t idle = 0;
  std::uint64_t dialled = 0;
  std::uint64_t requests = 0;
  std::uint64_t retries = 0;  // on another connection
};

class Client {
 public:
  // Used on those loops alone.
  Client(const async::Loops& loops, ClientOptions options);
  // On one loop, which must be an io_context's.
  Client(const async::Executor& loop, ClientOptions options);
  // Breaks everything off, in the loops' own time; bodies that are being read end with kCancelled.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Any status is a response. Tries again on another connection when the request cannot have been
  // processed: the connection was refused or given up before it (HTTP/2's REFUSED_STREAM and
  // GOAWAY), or a kept one turned out to be closed and nothing came back, for methods that change
  // nothing (GET, HEAD, OPTIONS, TRACE). Not when a part of a stream was taken.
  Exchange<ClientResponse> send(ClientRequest request);

  // Of the loop that asks.
  boost::asio::awaitable<ClientStats> stats() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::http
