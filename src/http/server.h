#pragma once
// An HTTP server: TLS 1.2 and 1.3 with client certificates, HTTP/1.1 and HTTP/2 by ALPN.
// Connections are spread over the loops, and each stays on its own.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "async/loops.h"
#include "async/task.h"
#include "base/deadline.h"
#include "http/message.h"
#include "http/tls_options.h"

namespace strake::http {

class Handler {
 public:
  virtual ~Handler() = default;
  // Called on the connection's loop; several requests of one HTTP/2 connection run at once. Never
  // fails: errors are responses. Cancelled (cancellation_type::terminal) when the client is gone.
  virtual boost::asio::awaitable<Response> handle(Request request) = 0;
  // Whether whoever sent this head is authenticated. Asked before the body is read: an
  // unauthenticated client may send little. Called on the connection's loop.
  virtual bool is_authenticated(const Request& head) const = 0;
  // Whether the body of this request is to come as Request::stream while it arrives, with no limit
  // of size (but that of unauthenticated clients), instead of whole. Called on the connection's
  // loop, once the head is there.
  virtual bool wants_stream(const Request& head) const {
    (void)head;
    return false;
  }
};

class TlsContext;

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address, or a name that the system knows
  std::uint16_t port = 0;          // 0 takes a free one
  // A descriptor of a socket that listens already, in place of host and port. It is the server's.
  int listening_socket = -1;
  std::optional<TlsOptions> tls;  // plain text without
  // Made of `tls` before, where that was done beside other work.
  std::shared_ptr<const TlsContext> tls_context;
  std::size_t max_body = 3 * 1024 * 1024;
  std::size_t max_header_bytes = 1024 * 1024;  // request line and headers together; then 431
  // What unauthenticated clients may send; the handler words the answer to a larger body.
  std::size_t max_unauthenticated_body = 64 * 1024;
  // What requests that are arriving hold together. One that does not fit is answered with 429 (or
  // 431, for its headers) before it is read.
  std::size_t max_input_bytes = 256 * 1024 * 1024;
  std::size_t max_unauthenticated_input_bytes = 32 * 1024 * 1024;
  // From nearly so many on, the unauthenticated connection that was quiet longest makes room for
  // each new one; when all are taken, new ones wait.
  std::size_t max_connections = 20'000;
  std::size_t max_streams = 250;  // at a time in one HTTP/2 connection
  // From the first byte of a request to the end of its headers; then 408.
  std::chrono::milliseconds header_timeout{32'000};
  std::chrono::milliseconds body_timeout{60'000};   // from there to the end of the body; then 408
  std::chrono::milliseconds idle_timeout{180'000};  // between requests
  // A client that takes nothing for so long is dropped.
  std::chrono::milliseconds write_timeout{60'000};
  std::chrono::milliseconds handshake_timeout{10'000};
  std::size_t gzip_from =
      128 * 1024;  // bodies at least so large are compressed for clients that accept it; 0 never
};

struct ServerStats {
  std::size_t connections = 0;
  std::size_t requests_in_flight = 0;
  std::uint64_t requests = 0;
  std::size_t input_bytes = 0;  // held by requests that are arriving, but for small ones
};

class Server {
 public:
  // Binds and listens; fails with kIo, naming the address, and with kInvalid for certificates. The
  // handler and the loops must outlive the server.
  static Result<std::unique_ptr<Server>> listen(ServerOptions options, async::Loops& loops,
                                                Handler& handler);
  // Closes everything at once when drain() was not called, and waits until the last handler has
  // returned. Not on a loop's own thread.
  ~Server();

  std::uint16_t port() const;
  std::string host() const;
  ServerStats stats() const;
  // New certificates for new connections. Fails with kInvalid, naming what is wrong with them.
  Result<> set_tls(const TlsOptions& tls);
  // Accepts nothing new, ends streams cleanly (last chunk, GOAWAY), lets requests in flight finish
  // until the deadline, then closes.
  async::Task<> drain(Deadline deadline);

 private:
  struct Impl;
  explicit Server(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace strake::http
