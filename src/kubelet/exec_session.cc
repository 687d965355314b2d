#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/this_coro.hpp>
#include <optional>

#include "async/concurrently.h"
#include "base/quote.h"
#include "kube/pods/command_end.h"
#include "kube/stream/spdy.h"
#include "kube/stream/turns.h"
#include "kube/stream/websocket.h"
#include "kubelet/sessions.h"
#include "meta/status.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kubelet {
namespace {

using boost::asio::awaitable;

// The channels of the protocol.
enum Channel : std::uint8_t { kInput = 0, kOutput = 1, kError = 2, kEnd = 3, kResize = 4 };
constexpr std::uint8_t kCloses = 255;  // the next byte is the channel that ends
constexpr std::size_t kChannels = 5;
// Of the names of streams that kubelets are told of, by channel.
constexpr std::string_view kStreamTypes[kChannels] = {"stdin", "stdout", "stderr", "error",
                                                      "resize"};
// How the command ended, as the kubelet says it.
constexpr std::size_t kMostEnd = 64 * 1024;
// For a kubelet to take a stream, and for a client to say good-bye.
constexpr std::chrono::seconds kWaitForStream{30};
constexpr std::chrono::seconds kWaitForGoodBye{10};

std::string failed_with(std::string_view why) {
  return meta::Status::internal_error(why).to_json();
}

// How the command ended, in the words of kube-apiserver 1.36. `said` is what came from the kubelet
// on the stream for that, which is a Status from version 4 of the protocol on.
std::string how_it_ended(const std::string& said, const std::string& protocol) {
  constexpr std::string_view kSuccess = R"({"metadata":{},"status":"Success"})";
  if (said.empty()) return std::string(kSuccess);
  if (protocol != kExecProtocol && protocol != "v4.channel.k8s.io")
    return failed_with("error executing remote command: " + said);
  const Result<value::Document> read = value::read_json(said);
  if (!read || !read->root().is_object())
    return failed_with(fmt::format("error stream protocol error: no Status in {}", quote(said)));
  const value::Value& status = read->root();
  if (value::text_of(status, "status") == "Success") return std::string(kSuccess);
  if (const auto code = kube::exit_code_of(status)) {
    return fmt::format(
        R"({{"metadata":{{}},"status":"Failure","message":"command terminated with non-zero exit code: command terminated with exit code {0}","reason":"NonZeroExitCode","details":{{"causes":[{{"reason":"ExitCode","message":"{0}"}}]}}}})",
        *code);
  }
  return failed_with(value::text_of(status, "message"));
}

class ExecSession {
 public:
  ExecSession(ExecStreams streams, DialKubelet dial, std::unique_ptr<http::RawStream> client,
              const async::Executor& executor)
      : wanted_{streams.input, streams.output, streams.error && !streams.tty, true, streams.tty},
        first_(streams.output  ? kOutput
               : streams.error ? kError
                               : kEnd),
        dial_(std::move(dial)),
        executor_(executor),
        client_(std::move(client)),
        to_client_(*client_, executor),
        opened_(executor),
        opening_(executor),
        client_left_(executor) {}

  awaitable<void> run() {
    co_await async::for_each_concurrently(3, 3, [this](std::size_t i) {
      return i == 0 ? serve_kubelet() : i == 1 ? serve_client() : limit_opening();
    });
  }

 private:
  // A stream of the kubelet's connection.
  struct Stream {
    bool taken = false;     // by the kubelet
    bool finished = false;  // by this side
    bool ended = false;     // by the kubelet
  };
  static std::uint32_t id_of(std::uint8_t channel) { return 2U * channel + 1; }

  awaitable<void> serve_kubelet() {
    // Tells the client that it is connected.
    if (!co_await send(first_, "")) co_return;
    std::expected<Dialled, std::string> dialled = co_await dial_(gone_.token());
    std::string end;
    if (dialled) {
      kubelet_ = std::move(dialled->stream);
      to_kubelet_.emplace(*kubelet_, executor_);
      opening_.notify();
      const std::string failure = co_await pass_streams();
      end = failure.empty() ? how_it_ended(end_, dialled->protocol) : failed_with(failure);
    } else {
      end = failed_with(dialled.error());
    }
    co_await say_good_bye(end);
    if (kubelet_) kubelet_->close();
  }

  // Until the command has ended; why it did not, else.
  awaitable<std::string> pass_streams() {
    // One after the other, as kubelets count them; and before anything is said on them, as they
    // forget what comes earlier.
    for (const std::uint8_t channel : {kEnd, kInput, kOutput, kError, kResize}) {
      if (!wanted_[channel]) continue;
      auto opened = co_await to_kubelet_->write(
          spdy_.open(id_of(channel), {{"streamtype", kStreamTypes[channel]}}));
      while (opened && !streams_[channel].taken) {
        if (std::string failure = co_await read_kubelet(); !failure.empty()) co_return failure;
      }
      if (!opened) co_return "the connection to the kubelet broke";
    }
    ready_ = true;
    opened_.notify();
    opening_.notify();
    while (!all_ended()) {
      if (std::string failure = co_await read_kubelet(); !failure.empty()) co_return failure;
    }
    co_return "";
  }

  // A kubelet that speaks SPDY and takes no streams is given up.
  awaitable<void> limit_opening() {
    Deadline deadline = Deadline::never();
    while (!ready_ && !ended_ && !left_) {
      if (to_kubelet_ && deadline.is_never()) deadline = Deadline::after(kWaitForStream);
      const auto woken = co_await opening_.wait(deadline);
      if (woken && *woken) continue;
      if (kubelet_) kubelet_->close();
      co_return;
    }
  }

  bool all_ended() const {
    return std::ranges::all_of(std::array{kOutput, kError, kEnd}, [this](std::uint8_t channel) {
      return !wanted_[channel] || streams_[channel].ended;
    });
  }

  // What comes next; why it is the last.
  awaitable<std::string> read_kubelet() {
    http::Outcome<std::string> bytes = co_await kubelet_->read();
    if (!bytes || bytes->empty())
      co_return "the kubelet closed the connection before the command ended";
    std::vector<kube::SpdyEvent> events;
    const Result<> fed = from_kubelet_.feed(*bytes, events);
    for (kube::SpdyEvent& event : events) {
      if (std::string failure = co_await take(std::move(event)); !failure.empty())
        co_return failure;
    }
    if (!fed) co_return std::string(fed.error().message());
    co_return "";
  }

  awaitable<std::string> take(kube::SpdyEvent event) {
    using Kind = kube::SpdyEvent::Kind;
    if (event.kind == Kind::kPing) {
      // Those with odd numbers would be answers to this side.
      if (event.id % 2 == 0)
        static_cast<void>(co_await to_kubelet_->write(kube::SpdyWriter::ping(event.id)));
      co_return "";
    }
    if (event.id % 2 == 0 || event.id / 2 >= kChannels || !wanted_[event.id / 2])
      co_return "the kubelet speaks of a stream that is not there";
    const auto channel = static_cast<std::uint8_t>(event.id / 2);
    Stream& stream = streams_[channel];
    if (event.kind == Kind::kReset && !stream.taken) co_return "the kubelet refused a stream";
    if (event.kind == Kind::kOpened) stream.taken = true;
    if (event.last) stream.ended = true;
    // A command that reads no more ends the input, which is to be answered.
    if (stream.ended && channel == kInput && !stream.finished) co_await finish(channel);
    if (event.data.empty()) co_return "";
    if (channel == kEnd && end_.size() < kMostEnd) end_ += event.data;
    if ((channel == kOutput || channel == kError) && !co_await send(channel, event.data))
      co_return "the client is gone";
    co_return "";
  }

  awaitable<void> finish(std::uint8_t channel) {
    streams_[channel].finished = true;
    static_cast<void>(
        co_await to_kubelet_->write(kube::SpdyWriter::data(id_of(channel), "", true)));
  }

  awaitable<bool> send(std::uint8_t channel, std::string_view data) {
    std::string message(1, static_cast<char>(channel));
    message += data;
    const auto sent =
        co_await to_client_.write(kube::websocket_frame(kube::WebSocketOpcode::kBinary, message));
    co_return sent.has_value();
  }

  // The client closes what it has been told the end of.
  awaitable<void> say_good_bye(std::string end) {
    if (co_await send(kEnd, end))
      static_cast<void>(co_await to_client_.write(kube::websocket_close_frame()));
    ended_ = true;
    opened_.notify();
    opening_.notify();
    client_->finish_writing();
    while (!left_) {
      const auto woken = co_await client_left_.wait(Deadline::after(kWaitForGoodBye));
      if (!woken || !*woken) break;
    }
    client_->close();
  }

  awaitable<void> serve_client() {
    co_await read_client();
    left_ = true;
    client_left_.notify();
    opening_.notify();
    gone_.cancel();
    if (kubelet_) kubelet_->close();
  }

  awaitable<void> read_client() {
    while (true) {
      http::Outcome<std::string> bytes = co_await client_->read();
      if (!bytes || bytes->empty()) co_return;
      std::vector<kube::WebSocketPart> parts;
      const Result<> fed = from_client_.feed(*bytes, parts);
      for (kube::WebSocketPart& part : parts) {
        if (part.opcode == kube::WebSocketOpcode::kClose) co_return;
        if (part.opcode == kube::WebSocketOpcode::kPing) {
          const auto answered = co_await to_client_.write(
              kube::websocket_frame(kube::WebSocketOpcode::kPong, part.data));
          if (!answered) co_return;
        }
        const bool is_message = part.opcode == kube::WebSocketOpcode::kBinary ||
                                part.opcode == kube::WebSocketOpcode::kText;
        if (is_message && !co_await take(std::move(part))) co_return;
      }
      if (!fed) co_return;
    }
  }

  // A part of a message: its first byte is the channel. False at the end of the connection.
  awaitable<bool> take(kube::WebSocketPart part) {
    std::string_view data = part.data;
    if (part.first) channel_.reset();
    if (!channel_ && !data.empty()) {
      channel_ = static_cast<std::uint8_t>(data.front());
      data.remove_prefix(1);
    }
    if (data.empty() || !channel_) co_return true;
    const bool closes = *channel_ == kCloses;
    const auto channel = closes ? static_cast<std::uint8_t>(data.front()) : *channel_;
    // Others are for reading, or were not asked for.
    if ((channel != kInput && channel != kResize) || !wanted_[channel]) co_return true;
    while (!ready_ && !ended_) {
      if (!co_await opened_.wait(Deadline::never())) co_return false;
    }
    if (ended_) co_return true;
    if (streams_[channel].finished) co_return true;
    if (closes) {
      co_await finish(channel);
      co_return true;
    }
    const auto sent =
        co_await to_kubelet_->write(kube::SpdyWriter::data(id_of(channel), data, false));
    co_return sent || ended_;
  }

  const std::array<bool, kChannels> wanted_;
  const std::uint8_t first_;
  const DialKubelet dial_;
  const async::Executor executor_;
  const std::unique_ptr<http::RawStream> client_;
  kube::Turns to_client_;
  kube::WebSocketReader from_client_;
  std::optional<std::uint8_t> channel_;  // of the message that is coming
  std::unique_ptr<http::RawStream> kubelet_;
  std::optional<kube::Turns> to_kubelet_;
  kube::SpdyReader from_kubelet_;
  kube::SpdyWriter spdy_;
  std::array<Stream, kChannels> streams_;
  std::string end_;  // what the kubelet says of the end
  async::Signal opened_;
  async::Signal opening_;
  bool ready_ = false;  // all streams are open
  bool ended_ = false;  // the client has been told how it ended
  async::Signal client_left_;
  bool left_ = false;
  CancelSource gone_;  // with the client
};

awaitable<void> run_session(ExecStreams streams, DialKubelet dial,
                            std::unique_ptr<http::RawStream> client) {
  ExecSession session(streams, std::move(dial), std::move(client),
                      co_await boost::asio::this_coro::executor);
  co_await session.run();
}

}  // namespace

std::vector<std::string> exec_protocols() {
  return {std::string(kExecProtocol), "v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io",
          "channel.k8s.io"};
}

http::Upgrade exec_session(ExecStreams streams, DialKubelet dial) {
  return [streams, dial = std::move(dial)](std::unique_ptr<http::RawStream> client) {
    return run_session(streams, dial, std::move(client));
  };
}

}  // namespace strake::kubelet
