// The half of H2Connection that answers: handlers, heads and bodies.
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/this_coro.hpp>

#include "base/log.h"
#include "http/body.h"
#include "http/h2_connection.h"

namespace strake::http {
namespace {

namespace asio = boost::asio;

constexpr std::uint32_t kInternalError = 2;  // RFC 9113, 7

bool is_clean(std::string_view value) {
  return std::ranges::none_of(value, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

}  // namespace

Transport::Awaitable<> H2Connection::serve(StreamPtr stream) {
  co_await asio::this_coro::throw_if_cancelled(false);
  Response response;
  stream->request.cancel = stream->client_gone.token();
  try {
    response = co_await handler_.handle(std::move(stream->request));
    if (!failed_) transport_.set_authenticated(response.to_authenticated);
  } catch (const std::exception& error) {
    if (!stream->cancelled) log::get("http").error("a handler failed", {{"error", error.what()}});
    response = internal_error();
  }
  // HTTP/2 has no 101; an extended CONNECT (RFC 8441) is not offered.
  if (response.status == 101) response = internal_error();
  if (stream->gone) co_return;
  const bool streams = response.stream && !stream->is_head && status_allows_body(response.status);
  respond(*stream, response);
  transport_.notify();
  // The coroutine holds the stream by StreamPtr: it outlives its entry in the session when the
  // client resets it meanwhile.
  if (streams) co_await send_stream(stream, std::move(response.stream));
}

void H2Connection::respond(H2Stream& stream, Response& response) {
  const std::size_t size = total_size(response.body);
  const bool has_body = status_allows_body(response.status);
  const bool gzip = stream.takes_gzip && has_body && is_worth_gzip(response, size, options_);
  HeaderViews head;
  head.reserve(response.headers.all().size() + 6);
  const fmt::format_int status(response.status);
  const fmt::format_int length(size);
  head.push_back({":status", {status.data(), status.size()}});
  for (const Header& header : response.headers.all()) {
    if (!is_hop_header(header.name) && is_clean(header.name) && is_clean(header.value)) {
      head.push_back({header.name, header.value});
    }
  }
  head.push_back({"date", transport_.loop().date()});
  if (gzip) {
    head.push_back({"content-encoding", "gzip"});
    head.push_back({"vary", "Accept-Encoding"});
    stream.body.compress();
  } else if (has_body && !response.stream) {
    head.push_back({"content-length", {length.data(), length.size()}});
  }
  stream.responding = true;
  stream.since = transport_.loop().tick();
  stream.body.set(std::move(response.body), response.stream == nullptr);
  submit(stream, head, has_body && !stream.is_head && (size > 0 || response.stream));
}

Transport::Awaitable<> H2Connection::send_stream(StreamPtr stream,
                                                 std::unique_ptr<BodyStream> body) {
  struct Sending {
    Sending(H2Stream& to, const BodyStream& from) : stream(to) { stream.source = &from; }
    ~Sending() { stream.source = nullptr; }
    Sending(const Sending&) = delete;
    Sending& operator=(const Sending&) = delete;
    H2Stream& stream;
  };
  const Sending sending(*stream, *body);
  const bool finite = body->is_finite();
  while (true) {
    co_await stream->drained.wait();
    if (stream->gone) co_return;
    const bool is_to_end = draining_ && !finite;
    // Woken for another reason. The next part is asked for only when nghttp2 has run out of bytes
    // (deferred), which is the back pressure on the source.
    if (!stream->deferred && !is_to_end) continue;
    Result<std::vector<Piece>> parts = fail(Code::kCancelled, "the server stops");
    if (!is_to_end) {
      try {
        parts = co_await body->next();
      } catch (const std::exception& error) {
        parts = fail(Code::kCancelled, "{}", error.what());
      }
    }
    if (stream->gone) co_return;
    // A finite body that breaks off must not look complete, so the stream is reset. An endless one
    // (a watch) may end in order while the server drains: its client asks again.
    if (!parts && (finite || !draining_)) {
      log::get("http").warn("a stream broke off", {{"error", parts.error()}});
      reset(*stream, kInternalError);
      transport_.notify();
      co_return;
    }
    const bool is_last = !parts || parts->empty();
    if (is_last) {
      stream->last_headers = body->trailers();
      stream->body.end();
    } else {
      stream->body.set(*std::move(parts), false);
    }
    resume(*stream);
    if (is_last) co_return;
  }
}

}  // namespace strake::http
