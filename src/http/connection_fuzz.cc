// A connection from its first byte to its last, over any bytes at all: HTTP/1.1, and HTTP/2 when
// the bytes say so (or the first one says to begin with its preface). It must always come to its
// end.
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "http/connection.h"
#include "http/h2_connection.h"

using namespace strake;
using namespace strake::http;

namespace {

constexpr std::size_t kMaxInput = 4096;  // what is written for it fits into the socket

class Mirror final : public Handler {
 public:
  boost::asio::awaitable<Response> handle(Request request) override {
    STRAKE_ASSERT(!request.method.empty() && !request.path.empty());
    Response response;
    response.body.emplace_back(std::move(request.body));
    co_return response;
  }
  bool is_authenticated(const Request& head) const override { return head.headers.has("Accept"); }
};

void send_all(int socket, std::string_view bytes) {
  STRAKE_ASSERT(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
                static_cast<ssize_t>(bytes.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > kMaxInput) return 0;
  const bool h2 = data[0] % 2 == 1;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);

  int sockets[2];
  STRAKE_ASSERT(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets) == 0);
  if (h2) send_all(sockets[0], kH2Preface);
  if (!text.empty()) send_all(sockets[0], text);
  ::shutdown(sockets[0], SHUT_WR);

  ServerOptions options;
  options.max_body = 1024;
  options.max_header_bytes = 1024;
  const TransportOptions transport_options;
  Mirror handler;
  boost::asio::io_context context(1);
  auto loop = std::make_shared<LoopContext>(
      context.get_executor(), options.write_timeout,
      std::make_shared<InputBudget>(options.max_input_bytes,
                                    options.max_unauthenticated_input_bytes));
  Transport::Socket socket(context.get_executor());
  socket.assign(boost::asio::ip::tcp::v4(), sockets[1]);
  auto transport = std::make_shared<Transport>(loop, std::move(socket), nullptr, transport_options);
  bool ended = false;
  boost::asio::co_spawn(context.get_executor(), serve_connection(transport, options, handler),
                        boost::asio::bind_cancellation_slot(transport->cancellation_slot(),
                                                            [&](const std::exception_ptr& error) {
                                                              STRAKE_ASSERT(error == nullptr);
                                                              loop->remove(*transport);
                                                              ended = true;
                                                            }));
  context.run();
  STRAKE_ASSERT(ended);
  ::close(sockets[0]);
  return 0;
}
