#include "http/h1_connection.h"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "http/body.h"
#include "http/gzip.h"
#include "http/h1_text.h"
#include "http/raw_stream.h"

namespace strake::http {
namespace {

namespace asio = boost::asio;
using Length = ResponseFraming::Length;

// Heads are small; only larger ones count against the budget.
constexpr std::size_t kSmallHead = 16 * 1024;
constexpr Refusal kNoRoomForBody{429, "too many requests are arriving; try again later"};

}  // namespace

H1Connection::H1Connection(Transport& transport, const ServerOptions& options, Handler& handler)
    : transport_(transport),
      options_(options),
      handler_(handler),
      parser_(options.max_header_bytes),
      peer_(transport.peer()),
      peer_refusal_(transport.peer_refusal()),
      draining_(transport.loop().draining) {}

// One coroutine per connection, one request at a time. While a handler works, the transport watches
// the socket (Transport::watch): a client that leaves cancels the handler, and a client that sends
// its next request ahead is read up to a limit and answered later.
//
// phase_ tells the events from outside (drain, tick, client gone) what may be interrupted: an idle
// connection is closed at once, a handler is cancelled, a response that is being written is
// finished.
Transport::Awaitable<> H1Connection::run() {
  LoopContext& loop = transport_.loop();
  bool keep = true;
  while (keep && co_await read_head()) {
    if (handler_.wants_stream(head_.request)) {
      begin_stream();
    } else if (head_.framing != Framing::kNone && !co_await read_body()) {
      co_return;
    }
    loop.requests.fetch_add(1, std::memory_order_relaxed);
    loop.in_flight.fetch_add(1, std::memory_order_relaxed);
    input_ = {};
    Response response = co_await call_handler();
    transport_.set_authenticated(response.to_authenticated);
    if (cancelled_) co_await settle_cancellation();
    const bool upgrades = agrees_to_upgrade(response);
    if (response.status == 101 && !upgrades) response = internal_error();
    keep = co_await respond(response);
    keep = end_stream() && keep && head_.keep_alive && !draining_;
    if (keep && upgrades) {
      co_await run_upgrade(std::move(response.upgrade));
      keep = false;
    }
    loop.in_flight.fetch_sub(1, std::memory_order_relaxed);
  }
}

// ---- The request

Transport::Awaitable<bool> H1Connection::read_head() {
  head_ = RequestHead();
  phase_ = Phase::kIdle;
  bool begun = false;
  while (true) {
    const Progress progress =
        transport_.in().empty() ? Progress::kMore : parser_.parse(transport_.in(), head_);
    if (progress == Progress::kDone) break;
    if (progress == Progress::kRefused) {
      co_await refuse(parser_.refusal());
      co_return false;
    }
    if (!may_hold_head()) {
      co_await refuse({431, "too many large headers are arriving; try again later"});
      co_return false;
    }
    if (transport_.in().empty()) {
      if (draining_) co_return false;
      transport_.set_deadline(options_.idle_timeout);
    } else if (!std::exchange(begun, true)) {
      phase_ = Phase::kReading;
      transport_.set_deadline(options_.header_timeout);
    }
    const Transport::Fill fill = co_await transport_.fill();
    if (fill == Transport::Fill::kTimeout && begun) {
      co_await refuse({408, "the request's headers took too long"});
    }
    if (fill == Transport::Fill::kEnd || fill == Transport::Fill::kTimeout) co_return false;
  }
  transport_.clear_deadline();
  transport_.take(parser_.size());
  Request& request = head_.request;
  request.remote_address = transport_.remote_address();
  request.local_address = transport_.local_address();
  request.peer = peer_;
  request.peer_refusal = peer_refusal_;
  request.tls = transport_.is_tls();
  is_head_ = request.method == "HEAD";
  is_old_ = request.version == 10;
  // What comes behind a body is the next request.
  if (head_.asks_upgrade && head_.framing == Framing::kNone)
    request.upgrade = protocols_to_change_to(request.headers.get("Upgrade"));
  asks_upgrade_ = !request.upgrade.empty();
  takes_gzip_ = !is_old_ && accepts_gzip(request.headers.get("Accept-Encoding"));
  co_return true;
}

// Who it is shows at the end of the head, so until then a certificate is all there is to go by.
bool H1Connection::may_hold_head() {
  const std::size_t size = transport_.in().size();
  if (size <= kSmallHead) return true;
  if (!input_.is_open())
    input_ = InputBudget::Claim(transport_.loop().input(), transport_.is_authenticated());
  return input_.resize_to(size);
}

// False when there is no room for it.
bool H1Connection::plan_body() {
  const bool authenticated = handler_.is_authenticated(head_.request);
  transport_.set_authenticated(authenticated);
  body_limit_ = authenticated ? options_.max_body
                              : std::min(options_.max_body, options_.max_unauthenticated_body);
  input_ = InputBudget::Claim(transport_.loop().input(), authenticated);
  if (head_.framing != Framing::kLength || head_.length > body_limit_) return true;
  return input_.resize_to(static_cast<std::size_t>(head_.length));
}

Transport::Awaitable<bool> H1Connection::read_body() {
  phase_ = Phase::kReading;
  unread_body_ = true;
  Request& request = head_.request;
  if (!plan_body()) {
    co_await refuse(kNoRoomForBody);
    co_return false;
  }
  if (head_.framing == Framing::kLength && head_.length > body_limit_) {
    // The handler is still called, since it has the words for the refusal. The rest of the body is
    // never read, so the connection cannot be kept.
    request.body_too_large = true;
    head_.keep_alive = false;
    co_return true;
  }
  if (head_.expects_continue && transport_.in().empty() && !co_await say_continue()) {
    co_return false;
  }
  transport_.set_deadline(options_.body_timeout);
  ChunkDecoder chunks;
  Progress progress = Progress::kMore;
  while (take_body(chunks, progress)) {
    if (!input_.resize_to(std::max<std::size_t>(head_.length, request.body.size()))) {
      co_await refuse(kNoRoomForBody);
      co_return false;
    }
    const Transport::Fill fill = co_await transport_.fill();
    if (fill == Transport::Fill::kTimeout)
      co_await refuse({408, "the request's body took too long"});
    if (fill == Transport::Fill::kEnd || fill == Transport::Fill::kTimeout) co_return false;
  }
  transport_.clear_deadline();
  if (progress == Progress::kRefused) {
    co_await refuse(chunks.refusal());
    co_return false;
  }
  unread_body_ = request.body_too_large;
  co_return true;
}

// Takes what has arrived of the body; false when no more is needed.
bool H1Connection::take_body(ChunkDecoder& chunks, Progress& progress) {
  std::string& body = head_.request.body;
  std::string_view in = transport_.in();
  if (head_.framing == Framing::kLength) {
    const std::size_t part = std::min<std::size_t>(head_.length - body.size(), in.size());
    if (body.empty()) body.reserve(head_.length);
    body.append(in.substr(0, part));
    transport_.take(part);
    return body.size() < head_.length;
  }
  const std::size_t before = in.size();
  progress = chunks.decode(in, body, body_limit_);
  // The decoder stops with input left only when the limit was reached.
  const bool stopped = progress == Progress::kMore && !in.empty();
  transport_.take(before - in.size());
  if (stopped) {
    body = std::string();
    head_.request.body_too_large = true;
    head_.keep_alive = false;
  }
  return progress == Progress::kMore && !stopped;
}

Transport::Awaitable<bool> H1Connection::say_continue() {
  transport_.stage("HTTP/1.1 100 Continue\r\n\r\n");
  co_return co_await transport_.flush();
}

// ---- A body that is read while it arrives

void H1Connection::begin_stream() {
  Request& request = head_.request;
  arriving_ = std::make_shared<BodyQueue>(transport_.loop().executor(), options_.body_timeout);
  request.stream = arriving_->reader();
  if (head_.framing == Framing::kNone) {
    arriving_->end({});
    return;
  }
  const bool authenticated = handler_.is_authenticated(request);
  transport_.set_authenticated(authenticated);
  arriving_limit_ = authenticated ? ~std::uint64_t{0} : options_.max_unauthenticated_body;
  arriving_left_ = head_.length;
  arriving_chunks_ = ChunkDecoder();
  transport_.want_data(true);
  arriving_->set_on_room([this](std::size_t taken) {
    // Whoever waits for leave to send gets it when somebody waits for what it sends.
    if (taken == 0 && head_.expects_continue && transport_.in().empty() &&
        phase_ == Phase::kHandling) {
      transport_.stage("HTTP/1.1 100 Continue\r\n\r\n");
      transport_.flush_now();
    }
    head_.expects_continue = false;
    pull_stream();
  });
}

// Moves what has come to where the handler finds it, as long as it takes it.
void H1Connection::pull_stream() {
  if (!arriving_ || arriving_->has_ended()) return;
  transport_.fill_now();
  while (!transport_.in().empty() && arriving_->size() < kSlice && !arriving_->has_ended()) {
    std::string_view in = transport_.in();
    const std::size_t before = in.size();
    std::string part;
    bool at_end = false;
    if (head_.framing == Framing::kLength) {
      part = in.substr(0, std::min<std::uint64_t>({arriving_left_, in.size(), kSlice}));
      in.remove_prefix(part.size());
      arriving_left_ -= part.size();
      at_end = arriving_left_ == 0;
    } else {
      const Progress progress = arriving_chunks_.decode(in, part, kSlice);
      if (progress == Progress::kRefused) {
        arriving_->fail(
            {.fault = Fault::kProtocol, .message = std::string(arriving_chunks_.refusal().reason)});
      }
      at_end = progress == Progress::kDone;
    }
    transport_.take(before - in.size());
    if (part.size() > arriving_limit_) {
      arriving_->fail({.fault = Fault::kTooLarge, .message = "the body is too large"});
    }
    arriving_limit_ -= std::min<std::uint64_t>(part.size(), arriving_limit_);
    arriving_->push(part);
    if (at_end) arriving_->end(arriving_chunks_.trailers());
  }
  if (arriving_->has_ended()) return;
  if (transport_.ended() && transport_.in().empty()) {
    arriving_->fail({.fault = Fault::kClosed, .message = "the client broke off"});
  } else if (arriving_->size() < kSlice) {
    transport_.arm_read();
  }
}

void H1Connection::on_data() { pull_stream(); }

// False when a part of the body is left that nobody wants.
bool H1Connection::end_stream() {
  if (!arriving_) return true;
  transport_.want_data(false);
  arriving_->set_on_room(nullptr);
  const bool whole = arriving_->is_whole();
  arriving_->fail({.fault = Fault::kClosed, .message = "the request is over"});
  arriving_ = nullptr;
  if (!whole) unread_body_ = true;
  return whole;
}

Transport::Awaitable<> H1Connection::refuse(Refusal refusal) {
  unread_body_ = true;
  transport_.stage(refusal_text(refusal, transport_.loop().date()));
  co_await transport_.flush();
}

Transport::Awaitable<Response> H1Connection::call_handler() {
  phase_ = Phase::kHandling;
  transport_.watch(true);
  head_.request.cancel = client_gone_.token();
  Response response;
  try {
    response = co_await handler_.handle(std::move(head_.request));
  } catch (const std::exception& error) {
    // Cancelled waits may end so; anything else is a mistake of ours that one request pays for.
    if (!cancelled_) log::get("http").error("a handler failed", {{"error", error.what()}});
    response = internal_error();
  }
  transport_.watch(false);
  phase_ = Phase::kWriting;
  co_return response;
}

bool H1Connection::agrees_to_upgrade(const Response& response) const {
  return response.status == 101 && response.upgrade && asks_upgrade_ &&
         !response.headers.get("Upgrade").empty();
}

Transport::Awaitable<> H1Connection::run_upgrade(Upgrade upgrade) {
  // From here on the stream hears what the transport has to say.
  auto stream = make_raw_stream(transport_.shared_from_this(), nullptr);
  try {
    co_await upgrade(std::move(stream));
  } catch (const std::exception& error) {
    log::get("http").error("an upgraded connection failed", {{"error", error.what()}});
  }
}

// ---- What comes from outside

void H1Connection::cancel_work() {
  cancelled_ = true;
  client_gone_.cancel();
  // Whoever does not hear it now, since it waits for something that cannot be given up, hears it
  // again.
  transport_.want_ticks(true);
  transport_.cancel();
}

Transport::Awaitable<> H1Connection::settle_cancellation() {
  cancelled_ = false;
  client_gone_ = CancelSource();
  transport_.want_ticks(false);
  co_await asio::this_coro::reset_cancellation_state();
}

void H1Connection::on_gone() {
  if (arriving_) pull_stream();
  if (phase_ == Phase::kHandling || phase_ == Phase::kStreaming) cancel_work();
}

void H1Connection::on_drain() {
  draining_ = true;
  if (phase_ == Phase::kIdle) {
    transport_.interrupt();
  } else if (phase_ == Phase::kStreaming && !stream_->is_finite()) {
    cancel_work();
  }
}

void H1Connection::on_tick() {
  if (cancelled_ && (phase_ == Phase::kHandling || phase_ == Phase::kStreaming)) {
    transport_.cancel();
  }
  if (phase_ == Phase::kWriting && stream_ != nullptr && stream_->is_revoked()) {
    log::get("http").info("a stream that its client does not read was broken off");
    transport_.kill();
  }
}

// ---- The response

// What is between the plain bytes of a body and its chunks.
struct H1Connection::Packing {
  GzipWriter gzip;
  std::string packed;
  std::size_t unpacked = 0;
};

ResponseFraming H1Connection::plan(const Response& response) const {
  ResponseFraming framing;
  if (response.status == 101) {
    framing.upgrade = response.headers.get("Upgrade");
    return framing;
  }
  const bool leaves_body = arriving_ && !arriving_->is_whole() && !response.stream;
  // A certificate that does not pass now may pass once the authorities have changed, on another
  // connection.
  framing.close = !head_.keep_alive || draining_ || leaves_body || peer_refusal_ != nullptr;
  framing.say_keep_alive = !framing.close && is_old_;
  if (!status_allows_body(response.status)) return framing;
  framing.size = total_size(response.body);
  framing.gzip = takes_gzip_ && is_worth_gzip(response, framing.size, options_);
  if (!response.stream && !framing.gzip) {
    framing.length = Length::kKnown;
  } else if (is_old_) {
    framing.length = Length::kUntilClose;
    framing.close = true;
    framing.say_keep_alive = false;
  } else {
    framing.length = Length::kChunked;
  }
  return framing;
}

Transport::Awaitable<bool> H1Connection::respond(Response& response) {
  const ResponseFraming framing = plan(response);
  if (framing.close) head_.keep_alive = false;
  std::string head;
  head.reserve(512);
  write_head(head, response, framing, transport_.loop().date());
  transport_.stage(head);
  if (is_head_ || framing.length == Length::kNone) {
    response.stream.reset();
  } else if (framing.gzip) {
    if (!co_await send_gzip(response)) co_return false;
  } else if (response.stream) {
    const bool chunked = framing.length == Length::kChunked;
    if (!response.body.empty() && !co_await send_chunk(response.body, chunked)) co_return false;
    response.body.clear();
    const bool sent = co_await send_stream(*response.stream, chunked, nullptr);
    const Headers trailers = response.stream->trailers();
    response.stream.reset();
    if (!sent) co_return false;
    if (chunked) transport_.stage(last_chunk(trailers));
  } else if (framing.size <= kSlice) {
    for (const Piece& piece : response.body) transport_.stage(piece.view());
  } else if (!co_await send_pieces(response.body)) {
    co_return false;
  }
  if (transport_.flush_now()) co_return !transport_.broken();
  co_return co_await transport_.flush();
}

// Gives the socket what was gathered, and now and then the loop to others.
Transport::Awaitable<bool> H1Connection::flush_and_yield() {
  since_yield_ += transport_.staged();
  if (!transport_.flush_now() && !co_await transport_.flush()) co_return false;
  if (since_yield_ >= kYieldAfter) {
    since_yield_ = 0;
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
  }
  co_return !transport_.broken();
}

Transport::Awaitable<bool> H1Connection::send_pieces(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    std::string_view left = piece.view();
    while (!left.empty()) {
      transport_.stage(left.substr(0, kSlice));
      left.remove_prefix(std::min(kSlice, left.size()));
      if (transport_.staged() >= kSlice && !co_await flush_and_yield()) co_return false;
    }
  }
  co_return true;
}

void H1Connection::stage_packed(Packing& packing) {
  if (packing.packed.empty()) return;
  transport_.stage(fmt::format("{:x}\r\n", packing.packed.size()));
  transport_.stage(packing.packed);
  transport_.stage("\r\n");
  packing.packed.clear();
}

Transport::Awaitable<bool> H1Connection::send_packed(Packing& packing,
                                                     const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    std::string_view left = piece.view();
    while (!left.empty()) {
      const std::string_view part = left.substr(0, kSlice);
      packing.gzip.add(part, packing.packed);
      left.remove_prefix(part.size());
      packing.unpacked += part.size();
      if (packing.packed.size() >= kSlice) stage_packed(packing);
      if (transport_.staged() >= kSlice || packing.unpacked >= kYieldAfter / 4) {
        packing.unpacked = 0;
        since_yield_ += kYieldAfter / 4;
        if (!co_await flush_and_yield()) co_return false;
      }
    }
  }
  co_return true;
}

Transport::Awaitable<bool> H1Connection::send_gzip(Response& response) {
  Packing packing;
  Headers trailers;
  if (!co_await send_packed(packing, response.body)) co_return false;
  if (response.stream) {
    response.body.clear();
    const bool sent = co_await send_stream(*response.stream, true, &packing);
    trailers = response.stream->trailers();
    response.stream.reset();
    if (!sent) co_return false;
  }
  packing.gzip.finish(packing.packed);
  stage_packed(packing);
  transport_.stage(last_chunk(trailers));
  co_return true;
}

Transport::Awaitable<bool> H1Connection::send_chunk(const std::vector<Piece>& parts, bool chunked) {
  const std::size_t size = total_size(parts);
  if (size == 0) co_return true;
  if (chunked) transport_.stage(fmt::format("{:x}\r\n", size));
  if (!co_await send_pieces(parts)) co_return false;
  if (chunked) transport_.stage("\r\n");
  co_return true;
}

// While the client may keep us waiting, the stream may be broken off.
struct H1Connection::Stalling {
  Stalling(H1Connection& connection, const BodyStream& stream) : connection_(connection) {
    connection_.stream_ = &stream;
    connection_.transport_.want_ticks(true);
  }
  ~Stalling() {
    connection_.stream_ = nullptr;
    connection_.transport_.want_ticks(connection_.cancelled_);
  }
  Stalling(const Stalling&) = delete;
  Stalling& operator=(const Stalling&) = delete;
  H1Connection& connection_;
};

// All of it but the last chunk. False when the client has not got the whole.
Transport::Awaitable<bool> H1Connection::send_stream(BodyStream& stream, bool chunked,
                                                     Packing* packing) {
  const bool finite = stream.is_finite();
  while (true) {
    // The first time this sends the head: a client that watches wants to know that it does.
    if (!transport_.flush_now()) {
      const Stalling stalling(*this, stream);
      if (!co_await transport_.flush()) co_return false;
    }
    if (transport_.broken() || transport_.ended()) co_return false;
    if (draining_ && !finite) break;
    transport_.release_buffers_when_crowded();
    Result<std::vector<Piece>> parts = co_await next_parts(stream);
    if (transport_.ended() && cancelled_) co_return false;
    if (!parts && (finite || !draining_)) {
      log::get("http").warn("a stream broke off", {{"error", parts.error()}});
      co_return false;
    }
    if (!parts || parts->empty()) break;
    const Stalling stalling(*this, stream);
    const bool sent = packing != nullptr ? co_await send_packed(*packing, *parts)
                                         : co_await send_chunk(*parts, chunked);
    if (!sent) co_return false;
  }
  if (cancelled_) co_await settle_cancellation();
  co_return true;
}

Transport::Awaitable<Result<std::vector<Piece>>> H1Connection::next_parts(BodyStream& stream) {
  Result<std::vector<Piece>> parts;
  phase_ = Phase::kStreaming;
  stream_ = &stream;
  transport_.watch(true);
  try {
    parts = co_await stream.next();
  } catch (const std::exception& error) {
    parts = fail(Code::kCancelled, "{}", error.what());
  }
  transport_.watch(false);
  stream_ = nullptr;
  phase_ = Phase::kWriting;
  co_return parts;
}

}  // namespace strake::http
