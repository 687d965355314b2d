#include <boost/asio/this_coro.hpp>

#include "async/concurrently.h"
#include "base/base64.h"
#include "kube/stream/turns.h"
#include "kube/stream/websocket.h"
#include "kubelet/sessions.h"

namespace strake::kubelet {
namespace {

using boost::asio::awaitable;

class LogSession {
 public:
  LogSession(std::shared_ptr<http::BodyReader> log, bool as_text,
             std::shared_ptr<CancelSource> gone, std::unique_ptr<http::RawStream> client,
             const async::Executor& executor)
      : log_(std::move(log)),
        as_text_(as_text),
        gone_(std::move(gone)),
        client_(std::move(client)),
        to_client_(*client_, executor) {}

  awaitable<void> run() {
    co_await async::for_each_concurrently(
        2, 2, [this](std::size_t i) { return i == 0 ? serve_log() : serve_client(); });
  }

 private:
  awaitable<void> serve_log() {
    bool sent = co_await send("");
    while (sent) {
      http::Outcome<std::string> part = co_await log_->next();
      if (!part) break;
      if (part->empty()) {
        // A log that broke off has no such end.
        static_cast<void>(co_await to_client_.write(kube::websocket_close_frame()));
        break;
      }
      sent = co_await send(*part);
    }
    client_->close();
  }

  awaitable<bool> send(const std::string& part) {
    const auto sent = co_await to_client_.write(
        as_text_ ? kube::websocket_frame(kube::WebSocketOpcode::kText, base64_encode(part))
                 : kube::websocket_frame(kube::WebSocketOpcode::kBinary, part));
    co_return sent.has_value();
  }

  awaitable<void> serve_client() {
    co_await read_client();
    gone_->cancel();
    client_->close();
  }

  // It has nothing to say.
  awaitable<void> read_client() {
    while (true) {
      http::Outcome<std::string> bytes = co_await client_->read();
      if (!bytes || bytes->empty()) co_return;
      std::vector<kube::WebSocketPart> parts;
      const Result<> fed = reader_.feed(*bytes, parts);
      for (const kube::WebSocketPart& part : parts) {
        if (part.opcode == kube::WebSocketOpcode::kClose) co_return;
        if (part.opcode == kube::WebSocketOpcode::kPing &&
            !co_await to_client_.write(
                kube::websocket_frame(kube::WebSocketOpcode::kPong, part.data))) {
          co_return;
        }
      }
      if (!fed) co_return;
    }
  }

  const std::shared_ptr<http::BodyReader> log_;
  const bool as_text_;
  const std::shared_ptr<CancelSource> gone_;
  const std::unique_ptr<http::RawStream> client_;
  kube::Turns to_client_;
  kube::WebSocketReader reader_;
};

awaitable<void> run_session(std::shared_ptr<http::BodyReader> log, bool as_text,
                            std::shared_ptr<CancelSource> gone,
                            std::unique_ptr<http::RawStream> client) {
  LogSession session(std::move(log), as_text, std::move(gone), std::move(client),
                     co_await boost::asio::this_coro::executor);
  co_await session.run();
}

}  // namespace

http::Upgrade log_session(std::unique_ptr<http::BodyReader> log, bool as_text,
                          std::shared_ptr<CancelSource> gone) {
  return [log = std::shared_ptr<http::BodyReader>(std::move(log)), as_text,
          gone = std::move(gone)](std::unique_ptr<http::RawStream> client) {
    return run_session(log, as_text, gone, std::move(client));
  };
}

}  // namespace strake::kubelet
