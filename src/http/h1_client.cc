#include "http/h1_client.h"

#include <fmt/format.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include "http/body.h"
#include "http/h1_response.h"
#include "http/h1_response_parser.h"
#include "http/raw_stream.h"

namespace strake::http {
namespace {

namespace asio = boost::asio;

bool sends_length(const ClientRequest& request) {
  if (!request.body.empty()) return true;
  return request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
}

std::string head_text(const Sending& sending) {
  const ClientRequest& request = sending.request;
  std::string out = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n", request.method, sending.target,
                                sending.authority);
  for (const Header& header : request.headers.all()) {
    if (!is_sent_header(header.name)) continue;
    out += header.name;
    out += ": ";
    out += header.value;
    out += "\r\n";
  }
  if (request.stream && !request.stream_length) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (request.stream) {
    out += fmt::format("Content-Length: {}\r\n", *request.stream_length);
  } else if (sends_length(request)) {
    out += fmt::format("Content-Length: {}\r\n", request.body.size());
  }
  if (!request.upgrade.empty()) {
    out += fmt::format("Connection: Upgrade\r\nUpgrade: {}\r\n", request.upgrade);
  }
  out += "\r\n";
  return out;
}

}  // namespace

// One request and its response. The caller's coroutine reads; what cannot be sent at once is sent
// by a coroutine of its own, so that an early answer is heard.
class H1Exchange : public std::enable_shared_from_this<H1Exchange> {
 public:
  H1Exchange(Lease lease, H1ClientConnection& connection, std::shared_ptr<Sending> sending,
             std::shared_ptr<ClientWait> wait)
      : lease_(std::move(lease)),
        connection_(connection),
        transport_(connection.transport_),
        sending_(std::move(sending)),
        reading_(std::move(wait)),
        writing_(transport_->loop().executor(), sending_->request.deadline,
                 sending_->request.cancel),
        parser_(connection.options_.max_header_bytes, connection.options_.max_headers) {}

  void start();
  Exchange<ClientResponse> read_response(std::shared_ptr<H1Exchange> self);
  Exchange<std::string> next(std::shared_ptr<H1Exchange> self);
  const Headers& trailers() const { return chunks_.trailers(); }
  // Nobody wants the rest.
  void abandon() {
    if (!ended_) fail({.fault = Fault::kCancelled, .message = "the body was not read to its end"});
  }
  void notify() {
    reading_->notify();
    writing_.notify();
  }
  void fail(const Failure& why);

 private:
  asio::awaitable<void> write(std::shared_ptr<H1Exchange> self);
  Exchange<> send_body();
  Exchange<> send_stream();
  Exchange<> flush();
  Exchange<bool> more();
  Exchange<> read_head();
  Outcome<ClientResponse> respond();
  bool take(std::string& out);
  void end();
  Failure broken_off() const;

  Lease lease_;
  H1ClientConnection& connection_;  // lives as long as the lease, or the lease has ended
  std::shared_ptr<Transport> transport_;
  std::shared_ptr<Sending> sending_;
  std::shared_ptr<ClientWait> reading_;
  ClientWait writing_;
  asio::cancellation_signal stop_writing_;

  ResponseHeadParser parser_;
  ResponseHead head_;
  ChunkDecoder chunks_;
  Framing framing_ = Framing::kNone;
  std::uint64_t left_ = 0;      // of a body that says its length
  std::uint64_t received_ = 0;  // of the body
  std::size_t head_bytes_ = 0;
  std::optional<Failure> failure_;
  bool wrote_all_ = false;
  bool got_any_ = false;
  bool ended_ = false;
};

namespace {

class H1BodyReader final : public BodyReader {
 public:
  explicit H1BodyReader(std::shared_ptr<H1Exchange> exchange) : exchange_(std::move(exchange)) {}
  ~H1BodyReader() override { exchange_->abandon(); }
  Exchange<std::string> next() override { return exchange_->next(exchange_); }
  const Headers& trailers() const override { return exchange_->trailers(); }

 private:
  std::shared_ptr<H1Exchange> exchange_;
};

}  // namespace

// ---- Writing

void H1Exchange::start() {
  const ClientRequest& request = sending_->request;
  transport_->stage(head_text(*sending_));
  // The usual request goes out in one write, without a coroutine of its own.
  if (!request.stream && request.body.size() <= kSlice) {
    transport_->stage(request.body);
    if (transport_->flush_now()) {
      wrote_all_ = true;
      return;
    }
  }
  asio::co_spawn(transport_->loop().executor(), write(shared_from_this()),
                 asio::bind_cancellation_slot(stop_writing_.slot(), [](std::exception_ptr) {}));
}

asio::awaitable<void> H1Exchange::write(std::shared_ptr<H1Exchange> self) {
  (void)self;
  co_await asio::this_coro::throw_if_cancelled(false);
  const Outcome<> sent = co_await send_body();
  // A server that has heard enough may close while it answers: what it said is still read.
  if (!sent && sent.error().fault != Fault::kClosed) fail(sent.error());
  if (!sent) co_return;
  wrote_all_ = true;
}

Exchange<> H1Exchange::send_body() {
  const ClientRequest& request = sending_->request;
  STRAKE_CO_CHECK(co_await flush());
  if (request.stream) co_return co_await send_stream();
  if (request.body.size() <= kSlice) co_return Outcome<>();
  for (std::string_view left = request.body; !left.empty();) {
    transport_->stage(left.substr(0, kSlice));
    left.remove_prefix(std::min(kSlice, left.size()));
    STRAKE_CO_CHECK(co_await flush());
  }
  co_return Outcome<>();
}

Exchange<> H1Exchange::send_stream() {
  ClientRequest& request = sending_->request;
  const bool chunked = !request.stream_length;
  std::uint64_t left = request.stream_length.value_or(0);
  while (true) {
    sending_->stream_taken = true;
    Result<std::vector<Piece>> parts;
    try {
      parts = co_await request.stream->next();
    } catch (const std::exception& error) {
      parts = strake::fail(Code::kCancelled, "{}", error.what());
    }
    // The answer may have come, or the exchange may have failed, while the source was asked.
    if (ended_ || failure_) co_return failed(Fault::kClosed, "it is over");
    if (!parts) co_return failed(Fault::kSource, parts.error().message());
    const std::size_t size = total_size(*parts);
    if (!chunked && (parts->empty() ? left > 0 : size > left)) {
      co_return failed(Fault::kSource, "the body is not as long as it was said to be");
    }
    if (parts->empty()) break;
    left -= chunked ? 0 : size;
    if (size == 0) continue;
    if (chunked) transport_->stage(fmt::format("{:x}\r\n", size));
    for (const Piece& piece : *parts) {
      for (std::string_view bytes = piece.view(); !bytes.empty();) {
        transport_->stage(bytes.substr(0, kSlice));
        bytes.remove_prefix(std::min(kSlice, bytes.size()));
        if (transport_->staged() >= kSlice) STRAKE_CO_CHECK(co_await flush());
      }
    }
    if (chunked) transport_->stage("\r\n");
    STRAKE_CO_CHECK(co_await flush());
  }
  if (!chunked) co_return Outcome<>();
  transport_->stage(last_chunk(request.stream->trailers()));
  co_return co_await flush();
}

Exchange<> H1Exchange::flush() {
  while (!transport_->flush_now()) {
    transport_->arm_write();
    STRAKE_CO_CHECK(co_await writing_.wait());
    if (ended_ || failure_) break;
  }
  if (transport_->broken() || ended_ || failure_) {
    co_return failed(Fault::kClosed, "the server takes no more");
  }
  co_return Outcome<>();
}

// ---- Reading

Failure H1Exchange::broken_off() const {
  const std::string_view tls = transport_->tls_failure();
  if (!tls.empty()) {
    return {.fault = Fault::kTls, .message = fmt::format("TLS: {}", tls), .unanswered = !got_any_};
  }
  return {.fault = Fault::kClosed,
          .message = got_any_ ? "the server broke off in the middle of its answer"
                              : "the server closed the connection without an answer",
          .unanswered = !got_any_};
}

// The first failure is the one that is told. Both coroutines may wait; each wakes, sees it and
// leaves.
void H1Exchange::fail(const Failure& why) {
  if (failure_ || ended_) return;
  failure_ = why;
  stop_writing_.emit(asio::cancellation_type::terminal);
  notify();
  connection_.open_ = false;
  transport_->close_now();
  lease_.release();
}

// True when there is more, false at the end.
Exchange<bool> H1Exchange::more() {
  while (true) {
    if (failure_) co_return std::unexpected(*failure_);
    if (transport_->fill_now()) {
      got_any_ = true;
      co_return true;
    }
    if (transport_->ended()) co_return false;
    transport_->arm_read();
    if (Outcome<> waited = co_await reading_->wait(); !waited) {
      Failure why = std::move(waited).error();
      why.unanswered = !got_any_;
      fail(why);
    }
  }
}

Exchange<> H1Exchange::read_head() {
  for (int interim = 0;; ++interim) {
    while (true) {
      const Progress progress =
          transport_->in().empty() ? Progress::kMore : parser_.parse(transport_->in(), head_);
      if (progress == Progress::kDone) break;
      if (progress == Progress::kRefused) {
        const bool large = parser_.refusal().status == 431;
        co_return failed(large ? Fault::kTooLarge : Fault::kProtocol,
                         std::string(parser_.refusal().reason));
      }
      STRAKE_CO_TRY(const bool has_more, co_await more());
      if (!has_more) co_return std::unexpected(broken_off());
    }
    transport_->take(parser_.size());
    head_bytes_ += parser_.size();
    if (head_bytes_ > connection_.options_.max_header_bytes) {
      co_return failed(Fault::kTooLarge, "response headers are too large");
    }
    if (head_.status >= 200 || head_.status == 101) co_return Outcome<>();
    if (interim == kMaxInterim) {
      co_return failed(Fault::kProtocol, "too many interim answers");
    }
  }
}

Exchange<ClientResponse> H1Exchange::read_response(std::shared_ptr<H1Exchange> self) {
  (void)self;
  Outcome<> read = co_await read_head();
  Outcome<ClientResponse> response;
  if (read) {
    response = respond();
  } else {
    response = std::unexpected(std::move(read).error());
  }
  if (!response) fail(response.error());
  co_return response;
}

Outcome<ClientResponse> H1Exchange::respond() {
  const ClientRequest& request = sending_->request;
  ClientResponse response;
  response.status = head_.status;
  response.version = head_.version;
  response.headers = std::move(head_.headers);
  if (head_.status == 101) {
    if (request.upgrade.empty()) {
      return failed(Fault::kProtocol, "the server changed the protocol, and was not asked to");
    }
    ended_ = true;
    auto lease = std::make_shared<Lease>(std::move(lease_));
    response.upgraded = make_raw_stream(connection_.hand_over(), std::move(lease));
    return response;
  }
  framing_ = head_.framing_for(request.method);
  left_ = framing_ == Framing::kLength ? head_.length : 0;
  if (left_ > request.max_body) {
    return failed(Fault::kTooLarge,
                  fmt::format("the body is larger than {} bytes", request.max_body));
  }
  reading_->set_deadline(request.deadline);
  response.body = std::make_unique<H1BodyReader>(shared_from_this());
  if (framing_ == Framing::kNone) end();
  return response;
}

// Takes what has arrived of the body. True at its end.
bool H1Exchange::take(std::string& out) {
  std::string_view in = transport_->in();
  const std::size_t before = in.size();
  bool at_end = false;
  if (framing_ == Framing::kChunked) {
    const Progress progress = chunks_.decode(in, out, kSlice);
    if (progress == Progress::kRefused) {
      fail({.fault = Fault::kProtocol, .message = std::string(chunks_.refusal().reason)});
      return false;
    }
    at_end = progress == Progress::kDone;
  } else {
    std::size_t part = std::min(in.size(), kSlice);
    if (framing_ == Framing::kLength) part = std::min<std::uint64_t>(part, left_);
    out.append(in.substr(0, part));
    in.remove_prefix(part);
    left_ -= framing_ == Framing::kLength ? part : 0;
    at_end = framing_ == Framing::kLength && left_ == 0;
  }
  transport_->take(before - in.size());
  received_ += out.size();
  if (received_ > sending_->request.max_body) {
    fail({.fault = Fault::kTooLarge,
          .message = fmt::format("the body is larger than {} bytes", sending_->request.max_body)});
    return false;
  }
  return at_end;
}

Exchange<std::string> H1Exchange::next(std::shared_ptr<H1Exchange> self) {
  (void)self;
  std::string out;
  while (!ended_) {
    if (failure_) co_return std::unexpected(*failure_);
    if (!transport_->in().empty()) {
      const bool at_end = take(out);
      if (failure_) continue;
      if (at_end) end();
      if (!out.empty()) co_return out;
      if (!transport_->in().empty()) continue;
      if (at_end) break;
    }
    STRAKE_CO_TRY(const bool has_more, co_await more());
    if (has_more) continue;
    if (framing_ == Framing::kUntilClose && transport_->ended_cleanly()) {
      end();
    } else {
      fail(broken_off());
    }
  }
  co_return std::string();
}

// The response is whole. The connection is kept when the next one would find it as it should be.
void H1Exchange::end() {
  ended_ = true;
  // An answer before the end of the request leaves a request half sent, and bytes behind the answer
  // belong to nothing that was asked: neither connection can be used again.
  const bool keep = head_.keep_alive && wrote_all_ && framing_ != Framing::kUntilClose &&
                    transport_->in().empty() && !transport_->ended() && !transport_->broken();
  if (!wrote_all_) stop_writing_.emit(asio::cancellation_type::terminal);
  writing_.notify();
  if (!keep) {
    connection_.open_ = false;
    transport_->close_now();
  }
  lease_.release();
}

// ---- The connection

H1ClientConnection::~H1ClientConnection() { transport_->close_now(); }

void H1ClientConnection::start() {
  transport_->set_listener(
      [weak = std::weak_ptr(std::static_pointer_cast<H1ClientConnection>(shared_from_this()))] {
        if (const auto self = weak.lock()) self->on_ready();
      });
}

void H1ClientConnection::on_ready() {
  if (const auto exchange = current_.lock(); exchange && leases() > 0) {
    exchange->notify();
  } else if (leases() == 0 && is_stale()) {
    close({});
  }
}

// Anything that comes while nothing was asked is no good; its end is most likely.
bool H1ClientConnection::is_stale() {
  transport_->probe();
  return transport_->ended() || transport_->timed_out() || !transport_->in().empty();
}

void H1ClientConnection::on_idle() {
  if (!open_) return;
  ClientConnection::on_idle();
  transport_->arm_read();
}

void H1ClientConnection::close(const Failure& why) {
  if (const auto exchange = current_.lock(); exchange && leases() > 0) {
    exchange->fail(why);
    return;
  }
  if (!std::exchange(open_, false)) return;
  transport_->close_now();
  tell_owner();
}

std::shared_ptr<Transport> H1ClientConnection::hand_over() {
  open_ = false;
  transport_->set_listener(nullptr);
  return transport_;
}

Exchange<ClientResponse> H1ClientConnection::exchange(Lease lease, std::shared_ptr<Sending> sending,
                                                      std::shared_ptr<ClientWait> wait) {
  if (!open_ || is_stale()) {
    open_ = false;
    co_return std::unexpected(Failure{.fault = Fault::kClosed,
                                      .message = "the kept connection was closed",
                                      .unprocessed = true,
                                      .unanswered = true});
  }
  used_ = true;
  const auto exchange =
      std::make_shared<H1Exchange>(std::move(lease), *this, std::move(sending), std::move(wait));
  current_ = exchange;
  exchange->start();
  co_return co_await exchange->read_response(exchange);
}

}  // namespace strake::http
