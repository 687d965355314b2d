#include "kube/pods/links.h"

namespace strake::kube {
namespace {

Error broken_link(const http::Failure& why) {
  return why.to_error().prefixed("the connection to the pod broke");
}

// Enough that the head of a frame does not count, and little enough that nobody waits for a turn.
constexpr std::size_t kSlice = 64 * 1024;

class WebSocketBytes final : public http::RawStream {
 public:
  explicit WebSocketBytes(std::unique_ptr<WebSocketLink> link) : link_(std::move(link)) {}
  ~WebSocketBytes() override { link_->stream().close(); }

  http::Exchange<std::string> read() override {
    auto part = co_await link_->next();
    if (!part) co_return http::failed(http::Fault::kClosed, part.error().message());
    co_return *part ? std::move((*part)->data) : std::string();
  }
  http::Exchange<> write(std::string bytes) override {
    std::string_view left(bytes);
    while (!left.empty()) {
      const auto sent = co_await link_->send(left.substr(0, kSlice));
      if (!sent) co_return http::failed(http::Fault::kClosed, sent.error().message());
      left.remove_prefix(std::min(kSlice, left.size()));
    }
    co_return http::Outcome<>();
  }
  void finish_writing() override { link_->stream().finish_writing(); }
  void close() override { link_->stream().close(); }

 private:
  const std::unique_ptr<WebSocketLink> link_;
};

}  // namespace

WebSocketLink::WebSocketLink(std::unique_ptr<http::RawStream> stream,
                             const async::Executor& executor)
    : stream_(std::move(stream)), writer_(*stream_, executor) {}

async::Task<std::optional<WebSocketPart>> WebSocketLink::next() {
  while (true) {
    while (at_ < parts_.size()) {
      WebSocketPart& part = parts_[at_++];
      switch (part.opcode) {
        case WebSocketOpcode::kClose: co_return std::nullopt;
        case WebSocketOpcode::kPing: {
          const auto answered = co_await writer_.write(
              masked_websocket_frame(WebSocketOpcode::kPong, part.data, random_()));
          if (!answered) co_return std::unexpected(broken_link(answered.error()));
          break;
        }
        case WebSocketOpcode::kPong: break;
        default:
          if (!part.data.empty() || part.first) co_return std::move(part);
      }
    }
    if (fault_) co_return std::unexpected(*fault_);
    parts_.clear();
    at_ = 0;
    http::Outcome<std::string> bytes = co_await stream_->read();
    if (!bytes) co_return std::unexpected(broken_link(bytes.error()));
    if (bytes->empty()) co_return std::nullopt;
    // What was whole before the fault is still given.
    if (const Result<> fed = reader_.feed(*bytes, parts_); !fed)
      fault_ = Error(fed.error()).prefixed("the connection to the pod");
  }
}

async::Task<> WebSocketLink::send(std::string_view payload) {
  const auto sent =
      co_await writer_.write(masked_websocket_frame(WebSocketOpcode::kBinary, payload, random_()));
  if (!sent) co_return std::unexpected(broken_link(sent.error()));
  co_return Result<>();
}

boost::asio::awaitable<void> WebSocketLink::say_good_bye() {
  constexpr std::string_view kNormal = "\x03\xE8";
  static_cast<void>(
      co_await writer_.write(masked_websocket_frame(WebSocketOpcode::kClose, kNormal, random_())));
}

std::unique_ptr<http::RawStream> websocket_bytes(std::unique_ptr<WebSocketLink> link) {
  return std::make_unique<WebSocketBytes>(std::move(link));
}

SpdyLink::SpdyLink(std::unique_ptr<http::RawStream> stream, const async::Executor& executor)
    : stream_(std::move(stream)), writer_(*stream_, executor) {}

async::Task<std::optional<SpdyEvent>> SpdyLink::next() {
  while (true) {
    while (at_ < events_.size()) {
      SpdyEvent& event = events_[at_++];
      if (event.kind != SpdyEvent::Kind::kPing) co_return std::move(event);
      // Those with odd numbers would be answers to this side.
      if (event.id % 2 == 0) STRAKE_CO_CHECK(co_await write(SpdyWriter::ping(event.id)));
    }
    if (fault_) co_return std::unexpected(*fault_);
    events_.clear();
    at_ = 0;
    http::Outcome<std::string> bytes = co_await stream_->read();
    if (!bytes) co_return std::unexpected(broken_link(bytes.error()));
    if (bytes->empty()) co_return std::nullopt;
    if (const Result<> fed = reader_.feed(*bytes, events_); !fed)
      fault_ = Error(fed.error()).prefixed("the connection to the pod");
  }
}

async::Task<> SpdyLink::open(std::uint32_t id, const std::vector<SpdyWriter::Header>& headers) {
  co_return co_await write(spdy_.open(id, headers));
}

async::Task<> SpdyLink::send(std::uint32_t id, std::string_view bytes, bool last) {
  co_return co_await write(SpdyWriter::data(id, bytes, last));
}

async::Task<> SpdyLink::write(std::string bytes) {
  const auto written = co_await writer_.write(std::move(bytes));
  if (!written) co_return std::unexpected(broken_link(written.error()));
  co_return Result<>();
}

}  // namespace strake::kube
