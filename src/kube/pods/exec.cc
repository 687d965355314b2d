#include "kube/pods/exec.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/this_coro.hpp>
#include <optional>

#include "http/message.h"
#include "kube/own_loop.h"
#include "kube/pods/beside.h"
#include "kube/pods/command_end.h"
#include "kube/pods/dial.h"
#include "kube/pods/links.h"

namespace strake::kube {
namespace {

using boost::asio::awaitable;

// The channels of the protocol, and the names that SPDY has for them.
enum Channel : std::uint8_t { kInput = 0, kOutput = 1, kError = 2, kEnd = 3, kResize = 4 };
constexpr std::uint8_t kCloses = 255;  // the next byte is the channel that ends
constexpr std::size_t kChannels = 5;
constexpr std::string_view kStreamTypes[kChannels] = {"stdin", "stdout", "stderr", "error",
                                                      "resize"};
constexpr std::size_t kMostStatus = 64 * 1024;

using Wanted = std::array<bool, kChannels>;

struct ChannelPart {
  std::uint8_t channel = 0;
  std::string data;
};

class ExecChannels {
 public:
  virtual ~ExecChannels() = default;
  // Before anything else.
  virtual async::Task<> begin() = 0;
  // Nothing when there is no more.
  virtual async::Task<std::optional<ChannelPart>> next() = 0;
  virtual async::Task<> write(std::uint8_t channel, std::string_view bytes) = 0;
  virtual async::Task<> finish(std::uint8_t channel) = 0;
  virtual awaitable<void> say_good_bye() = 0;
  virtual http::RawStream& stream() = 0;
};

// v5.channel.k8s.io: the first byte of a message is its channel.
class WebSocketChannels final : public ExecChannels {
 public:
  WebSocketChannels(std::unique_ptr<http::RawStream> stream, const async::Executor& executor)
      : link_(std::move(stream), executor) {}

  async::Task<> begin() override { co_return Result<>(); }

  async::Task<std::optional<ChannelPart>> next() override {
    while (true) {
      STRAKE_CO_TRY(std::optional<WebSocketPart> part, co_await link_.next());
      if (!part) co_return std::nullopt;
      if (part->first) channel_.reset();
      if (!channel_ && !part->data.empty()) {
        channel_ = static_cast<std::uint8_t>(part->data.front());
        part->data.erase(0, 1);
      }
      if (!channel_ || part->data.empty() || *channel_ == kCloses) continue;
      if (*channel_ >= kChannels)
        co_return fail(Code::kServiceUnavailable, "the server speaks of channel {}", *channel_);
      co_return ChannelPart{.channel = *channel_, .data = std::move(part->data)};
    }
  }
  async::Task<> write(std::uint8_t channel, std::string_view bytes) override {
    std::string message(1, static_cast<char>(channel));
    message += bytes;
    co_return co_await link_.send(message);
  }
  async::Task<> finish(std::uint8_t channel) override {
    const std::string message = {static_cast<char>(kCloses), static_cast<char>(channel)};
    co_return co_await link_.send(message);
  }
  awaitable<void> say_good_bye() override { co_await link_.say_good_bye(); }
  http::RawStream& stream() override { return link_.stream(); }

 private:
  WebSocketLink link_;
  std::optional<std::uint8_t> channel_;  // of the message that is coming
};

// v4.channel.k8s.io: a stream for each channel.
class SpdyChannels final : public ExecChannels {
 public:
  SpdyChannels(std::unique_ptr<http::RawStream> stream, const async::Executor& executor,
               const Wanted& wanted)
      : link_(std::move(stream), executor), wanted_(wanted) {}

  // One after the other, as kubelets count them, and before anything is said on them.
  async::Task<> begin() override {
    for (const std::uint8_t channel : {kEnd, kInput, kOutput, kError, kResize}) {
      if (!wanted_[channel]) continue;
      STRAKE_CO_CHECK(co_await link_.open(id_of(channel), {{"streamtype", kStreamTypes[channel]}}));
      while (!taken_[channel]) {
        STRAKE_CO_TRY(const std::optional<ChannelPart> part, co_await take());
        if (!part) co_return fail(Code::kServiceUnavailable, "the server took no streams");
      }
    }
    co_return Result<>();
  }
  async::Task<std::optional<ChannelPart>> next() override {
    while (wanted_[kOutput] || wanted_[kError] || wanted_[kEnd]) {
      STRAKE_CO_TRY(std::optional<ChannelPart> part, co_await take());
      if (!part || !part->data.empty()) co_return part;
    }
    co_return std::nullopt;
  }
  async::Task<> write(std::uint8_t channel, std::string_view bytes) override {
    co_return co_await link_.send(id_of(channel), bytes, false);
  }
  async::Task<> finish(std::uint8_t channel) override {
    co_return co_await link_.send(id_of(channel), "", true);
  }
  awaitable<void> say_good_bye() override { co_return; }
  http::RawStream& stream() override { return link_.stream(); }

 private:
  static std::uint32_t id_of(std::uint8_t channel) { return 2U * channel + 1; }

  // What happens next, without data when it is no data; nothing at the end.
  async::Task<std::optional<ChannelPart>> take() {
    STRAKE_CO_TRY(std::optional<SpdyEvent> event, co_await link_.next());
    if (!event) co_return std::nullopt;
    const std::uint32_t channel = event->id / 2;
    if (event->id % 2 == 0 || channel >= kChannels)
      co_return fail(Code::kServiceUnavailable, "the server speaks of a stream that is not there");
    if (event->kind == SpdyEvent::Kind::kReset && !taken_[channel])
      co_return fail(Code::kServiceUnavailable, "the server refused a stream");
    if (event->kind == SpdyEvent::Kind::kOpened) taken_[channel] = true;
    if (event->last || event->kind == SpdyEvent::Kind::kReset) wanted_[channel] = false;
    co_return ChannelPart{.channel = static_cast<std::uint8_t>(channel),
                          .data = std::move(event->data)};
  }

  SpdyLink link_;
  Wanted wanted_;  // and not ended
  Wanted taken_{};
};

class ExecRun {
 public:
  ExecRun(const Client& cluster, const ExecRequest& request)
      : cluster_(cluster), request_(request) {}

  async::Task<int> run(http::Client& http, const Caller& caller, std::string path) {
    const async::Executor executor = co_await boost::asio::this_coro::executor;
    STRAKE_CO_TRY(PodStream opened,
                  co_await open_pod_stream(http, caller, cluster_,
                                           {.path = std::move(path),
                                            .websocket_protocol = "v5.channel.k8s.io",
                                            .spdy_protocol = "v4.channel.k8s.io"}));
    if (opened.websocket) {
      channels_ = std::make_unique<WebSocketChannels>(std::move(opened.stream), executor);
    } else {
      channels_ = std::make_unique<SpdyChannels>(std::move(opened.stream), executor, wanted());
    }
    const StreamLimit limit(executor, cluster_, channels_->stream());
    Result<int> ended = co_await run_streams(executor);
    if (!ended) co_return std::unexpected(limit.reason_or(std::move(ended).error()));
    co_return ended;
  }

 private:
  Wanted wanted() const {
    return {request_.input != nullptr, request_.output != nullptr,
            request_.error != nullptr && !request_.tty, true, has_sizes()};
  }
  bool has_sizes() const { return request_.tty && request_.sizes != nullptr; }

  async::Task<int> run_streams(const async::Executor& executor) {
    STRAKE_CO_CHECK(co_await channels_->begin());
    std::vector<std::unique_ptr<Beside>> writers;
    if (request_.input != nullptr)
      writers.push_back(std::make_unique<Beside>(executor, send_input()));
    if (has_sizes()) writers.push_back(std::make_unique<Beside>(executor, send_sizes()));
    const Result<> read = co_await read_channels();
    for (const auto& one : writers) co_await one->stop();
    if (read) co_await channels_->say_good_bye();
    channels_->stream().close();
    if (input_failure_) co_return std::unexpected(*input_failure_);
    if (!read) co_return std::unexpected(read.error());
    if (status_.empty())
      co_return fail(Code::kServiceUnavailable,
                     "the connection was closed before the command ended");
    co_return command_end(status_);
  }

  async::Task<> read_channels() {
    while (true) {
      STRAKE_CO_TRY(const std::optional<ChannelPart> part, co_await channels_->next());
      if (!part) co_return Result<>();
      switch (part->channel) {
        case kOutput:
          if (request_.output != nullptr) STRAKE_CO_CHECK(request_.output->write(part->data));
          break;
        case kError:
          if (request_.error != nullptr) STRAKE_CO_CHECK(request_.error->write(part->data));
          break;
        case kEnd:
          status_ += part->data;
          if (status_.size() > kMostStatus)
            co_return fail(Code::kLimit, "the Status at the end of the command is too long");
          break;
        default: break;
      }
    }
  }

  awaitable<void> send_input() {
    while (true) {
      const Result<std::string> bytes = co_await request_.input->read();
      if (!bytes) {
        // Without its input the command might wait for ever.
        if (bytes.error().code() != Code::kCancelled) {
          input_failure_ = bytes.error();
          channels_->stream().close();
        }
        co_return;
      }
      if (bytes->empty()) break;
      // When the connection is gone, the reader says so.
      if (!co_await channels_->write(kInput, *bytes)) co_return;
    }
    static_cast<void>(co_await channels_->finish(kInput));
  }

  awaitable<void> send_sizes() {
    while (true) {
      const Result<WindowSize> size = co_await request_.sizes->next();
      if (!size) co_return;
      const std::string message =
          fmt::format(R"({{"Width":{},"Height":{}}})", size->width, size->height);
      if (!co_await channels_->write(kResize, message)) co_return;
    }
  }

  const Client& cluster_;
  const ExecRequest& request_;
  std::unique_ptr<ExecChannels> channels_;
  std::string status_;
  std::optional<Error> input_failure_;
};

Result<int> run_in_pod(const Client& cluster, const ExecRequest& request, std::string_view verb) {
  const bool has_errors = request.error != nullptr && !request.tty;
  if (request.input == nullptr && request.output == nullptr && !has_errors)
    return fail(Code::kUsage, "a command needs an input, an output or an error stream");
  std::string path = fmt::format("/api/v1/namespaces/{}/pods/{}/{}?",
                                 http::percent_encode(request.in.namespace_name),
                                 http::percent_encode(request.in.pod), verb);
  for (const std::string& word : request.command)
    path += fmt::format("command={}&", http::percent_encode(word));
  if (!request.in.container.empty())
    path += fmt::format("container={}&", http::percent_encode(request.in.container));
  path += fmt::format("stdin={}&stdout={}&stderr={}&tty={}", request.input != nullptr,
                      request.output != nullptr, has_errors, request.tty);
  STRAKE_CHECK(cluster.wait_for_turn());
  STRAKE_TRY(const Caller caller, cluster.caller());
  OwnLoop loop;
  ExecRun run(cluster, request);
  return loop.run(run.run(loop.client(), caller, std::move(path)));
}

}  // namespace

Result<int> exec(const Client& cluster, const ExecRequest& request) {
  if (request.command.empty()) return fail(Code::kUsage, "there is no command to run");
  return run_in_pod(cluster, request, "exec");
}

Result<int> attach(const Client& cluster, const ExecRequest& request) {
  if (!request.command.empty()) return fail(Code::kUsage, "the command to attach to runs already");
  return run_in_pod(cluster, request, "attach");
}

}  // namespace strake::kube
