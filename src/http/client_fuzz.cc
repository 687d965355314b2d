// A client's connection that hears any bytes at all, over HTTP/1.1 or HTTP/2 as the first one says:
// each exchange must come to an end, and nothing may stay behind.
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "http/h1_client.h"
#include "http/h2_client.h"

using namespace strake;
using namespace strake::http;

namespace {

constexpr std::size_t kMaxInput = 4096;
constexpr std::size_t kMaxBody = 2048;

boost::asio::awaitable<void> ask(std::shared_ptr<ClientConnection> connection, bool post,
                                 async::Executor executor, bool& ended) {
  const auto sending = std::make_shared<Sending>();
  sending->request.to.tls = false;
  sending->request.method = post ? "POST" : "GET";
  if (post) sending->request.body = "body";
  sending->request.max_body = kMaxBody;
  sending->request.upgrade = "echo";
  sending->authority = "host";
  sending->target = "/";
  const auto wait = std::make_shared<ClientWait>(executor, Deadline::never(), CancelToken());
  auto& to = *connection;
  auto response = co_await to.exchange(Lease(std::move(connection)), sending, wait);
  if (response && response->upgraded) {
    while (true) {
      const auto part = co_await response->upgraded->read();
      if (!part || part->empty()) break;
    }
  } else if (response) {
    STRAKE_ASSERT(response->status >= 200 && response->body);
    const auto body = co_await read_all(*response->body, kMaxBody);
    STRAKE_ASSERT(!body || body->size() <= kMaxBody);
  } else {
    STRAKE_ASSERT(!response.error().message.empty());
  }
  ended = true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > kMaxInput) return 0;
  const bool h2 = data[0] % 2 == 1;
  const bool post = data[0] % 4 >= 2;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  int sockets[2];
  STRAKE_ASSERT(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets) == 0);

  boost::asio::io_context context(1);
  const TransportOptions transport_options{.side = Side::kClient};
  const auto loop = std::make_shared<LoopContext>(context.get_executor(), std::chrono::seconds(1),
                                                  std::make_shared<InputBudget>(0, 0));
  Transport::Socket socket(context.get_executor());
  socket.assign(boost::asio::ip::tcp::v4(), sockets[1]);
  std::shared_ptr<Transport> transport(
      new Transport(loop, std::move(socket), nullptr, transport_options), [](Transport* made) {
        made->loop().remove(*made);
        delete made;
      });
  const ClientOptions options{.max_header_bytes = 1024, .max_headers = 16};
  bool ended = false;
  {
    std::shared_ptr<ClientConnection> connection;
    if (h2) {
      auto made = std::make_shared<H2ClientConnection>(std::move(transport), options,
                                                       std::weak_ptr<ConnectionOwner>());
      made->start();
      connection = std::move(made);
    } else {
      auto made = std::make_shared<H1ClientConnection>(std::move(transport), options,
                                                       std::weak_ptr<ConnectionOwner>());
      made->start();
      connection = std::move(made);
    }
    boost::asio::co_spawn(context, ask(std::move(connection), post, context.get_executor(), ended),
                          [](std::exception_ptr error) { STRAKE_ASSERT(error == nullptr); });
  }
  // The request goes out first: what is there before it would be taken for a stale connection.
  context.poll();
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t sent = ::send(sockets[0], left.data(), left.size(), MSG_NOSIGNAL);
    if (sent <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
  ::shutdown(sockets[0], SHUT_WR);
  context.restart();
  context.run();
  STRAKE_ASSERT(ended);
  ::close(sockets[0]);
  return 0;
}
