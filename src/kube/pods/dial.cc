#include "kube/pods/dial.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <random>

#include "base/base64.h"
#include "http/byte_stream.h"
#include "kube/stream/websocket.h"

namespace strake::kube {
namespace {

constexpr std::chrono::seconds kHandshake{30};
constexpr std::string_view kSpdy = "SPDY/3.1";

std::string websocket_key() {
  std::random_device random;
  std::string out;
  while (out.size() < 16) out += static_cast<char>(random());
  return base64_encode(out);
}

// What a server answers that does not know this way of asking. Others (401, 403, 404, 5xx) would
// say the same to any.
bool does_not_speak_it(int status) {
  return status == 400 || status == 405 || status == 426 || status == 501;
}

struct Asked {
  http::ClientResponse response;
  Error refusal;  // unless it was upgraded
};

async::Task<Asked> ask(http::Client& http, const Caller& caller, const Client& cluster,
                       Request request, std::string upgrade, http::Headers headers) {
  http::ClientRequest out;
  out.to = caller.upstream;
  out.method = request.method;
  out.target = caller.target(request.path);
  out.headers = caller.headers_now();
  for (const http::Header& one : headers.all()) out.headers.add(one.name, one.value);
  out.upgrade = std::move(upgrade);
  out.try_timeout = kHandshake;
  out.deadline = cluster.deadline();
  out.cancel = cluster.cancel();
  http::Outcome<http::ClientResponse> response = co_await http.send(std::move(out));
  if (!response)
    co_return std::unexpected(response.error().to_error().prefixed(
        fmt::format("{} {}", request.method, request.path.substr(0, request.path.find('?')))));
  Asked asked{.response = *std::move(response), .refusal = Error(Code::kInternal, "")};
  if (asked.response.upgraded) co_return asked;
  http::FetchResponse refused{.status = asked.response.status, .headers = asked.response.headers};
  if (asked.response.body) {
    if (auto text = co_await http::read_all(*asked.response.body, kMostErrorBytes))
      refused.body = *std::move(text);
  }
  asked.refusal = error_of(request, refused);
  co_return asked;
}

}  // namespace

async::Task<PodStream> open_pod_stream(http::Client& http, const Caller& caller,
                                       const Client& cluster, PodStreamRequest request) {
  const std::string key = websocket_key();
  http::Headers headers;
  headers.add("Sec-WebSocket-Version", "13");
  headers.add("Sec-WebSocket-Key", key);
  headers.add("Sec-WebSocket-Protocol", request.websocket_protocol);
  STRAKE_CO_TRY(Asked by_websocket,
                co_await ask(http, caller, cluster, {.path = request.path}, "websocket", headers));
  http::ClientResponse& first = by_websocket.response;
  if (first.upgraded) {
    if (first.headers.get("Sec-WebSocket-Accept") != websocket_accept(key) ||
        first.headers.get("Sec-WebSocket-Protocol") != request.websocket_protocol)
      co_return fail(Code::kServiceUnavailable,
                     "GET {}: the server agreed to a protocol that was not asked for",
                     request.path.substr(0, request.path.find('?')));
    co_return PodStream{.stream = std::move(first.upgraded), .websocket = true};
  }
  if (!does_not_speak_it(first.status)) co_return std::unexpected(std::move(by_websocket.refusal));
  headers = {};
  headers.add("X-Stream-Protocol-Version", request.spdy_protocol);
  STRAKE_CO_TRY(Asked by_spdy,
                co_await ask(http, caller, cluster, {.method = "POST", .path = request.path},
                             std::string(kSpdy), headers));
  http::ClientResponse& second = by_spdy.response;
  // The first refusal is the one of the way that is meant.
  if (!second.upgraded) co_return std::unexpected(std::move(by_websocket.refusal));
  if (second.headers.get("X-Stream-Protocol-Version") != request.spdy_protocol)
    co_return fail(Code::kUnsupported, "the server does not speak {}", request.spdy_protocol);
  co_return PodStream{.stream = std::move(second.upgraded), .websocket = false};
}

struct StreamLimit::State {
  State(const async::Executor& executor, http::RawStream& to_close)
      : timer(executor), stream(&to_close) {}
  void close(Error why) {
    if (stream == nullptr || reason) return;
    reason = std::move(why);
    stream->close();
  }
  boost::asio::steady_timer timer;
  http::RawStream* stream;  // null once it is gone
  std::optional<Error> reason;
};

StreamLimit::StreamLimit(const async::Executor& executor, const Client& cluster,
                         http::RawStream& stream)
    : state_(std::make_shared<State>(executor, stream)) {
  if (!cluster.deadline().is_never()) {
    state_->timer.expires_at(cluster.deadline().time());
    state_->timer.async_wait(
        [weak = std::weak_ptr(state_)](const boost::system::error_code& error) {
          const auto state = weak.lock();
          if (!error && state) state->close(Error(Code::kTimeout, "the deadline has passed"));
        });
  }
  // Whoever cancels may be on any thread, and the stream belongs to one.
  heard_ = cluster.cancel().on_cancel([executor, weak = std::weak_ptr(state_)] {
    boost::asio::post(executor, [weak] {
      if (const auto state = weak.lock())
        state->close(Error(Code::kCancelled, "the operation was cancelled"));
    });
  });
}

StreamLimit::~StreamLimit() { state_->stream = nullptr; }

Error StreamLimit::reason_or(Error error) const {
  return state_->reason.value_or(std::move(error));
}

}  // namespace strake::kube
