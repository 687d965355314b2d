#include <boost/asio/this_coro.hpp>

#include "async/concurrently.h"
#include "kube/stream/turns.h"
#include "kube/stream/websocket.h"
#include "kubelet/sessions.h"

namespace strake::kubelet {
namespace {

using boost::asio::awaitable;

class TunnelSession {
 public:
  TunnelSession(std::shared_ptr<http::RawStream> kubelet, std::unique_ptr<http::RawStream> client,
                const async::Executor& executor)
      : kubelet_(std::move(kubelet)), client_(std::move(client)), to_client_(*client_, executor) {}

  awaitable<void> run() {
    co_await async::for_each_concurrently(
        2, 2, [this](std::size_t i) { return i == 0 ? serve_kubelet() : serve_client(); });
  }

 private:
  awaitable<void> serve_kubelet() {
    while (true) {
      http::Outcome<std::string> bytes = co_await kubelet_->read();
      if (!bytes || bytes->empty()) break;
      if (!co_await to_client_.write(kube::websocket_frame(kube::WebSocketOpcode::kBinary, *bytes)))
        break;
    }
    static_cast<void>(co_await to_client_.write(kube::websocket_close_frame()));
    close();
  }

  awaitable<void> serve_client() {
    co_await read_client();
    close();
  }

  awaitable<void> read_client() {
    while (true) {
      http::Outcome<std::string> bytes = co_await client_->read();
      if (!bytes || bytes->empty()) co_return;
      std::vector<kube::WebSocketPart> parts;
      const Result<> fed = reader_.feed(*bytes, parts);
      for (kube::WebSocketPart& part : parts) {
        if (part.opcode == kube::WebSocketOpcode::kClose ||
            part.opcode == kube::WebSocketOpcode::kText)
          co_return;
        if (part.opcode == kube::WebSocketOpcode::kPing &&
            !co_await to_client_.write(
                kube::websocket_frame(kube::WebSocketOpcode::kPong, part.data))) {
          co_return;
        }
        if (part.opcode == kube::WebSocketOpcode::kBinary && !part.data.empty() &&
            !co_await kubelet_->write(std::move(part.data))) {
          co_return;
        }
      }
      if (!fed) co_return;
    }
  }

  void close() {
    kubelet_->close();
    client_->close();
  }

  const std::shared_ptr<http::RawStream> kubelet_;
  const std::unique_ptr<http::RawStream> client_;
  kube::Turns to_client_;
  kube::WebSocketReader reader_;
};

awaitable<void> run_session(std::shared_ptr<http::RawStream> kubelet,
                            std::unique_ptr<http::RawStream> client) {
  TunnelSession session(std::move(kubelet), std::move(client),
                        co_await boost::asio::this_coro::executor);
  co_await session.run();
}

}  // namespace

http::Upgrade tunnel_session(std::unique_ptr<http::RawStream> kubelet) {
  return [kubelet = std::shared_ptr<http::RawStream>(std::move(kubelet))](
             std::unique_ptr<http::RawStream> client) {
    return run_session(kubelet, std::move(client));
  };
}

}  // namespace strake::kubelet
