#include "http/h2_connection.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/assert.h"
#include "base/log.h"
#include "http/body.h"
#include "http/h1_text.h"
#include "http/h2_fields.h"

// nghttp2 is a machine between two buffers: bytes in (feed), callbacks, bytes out (pump_out). One
// coroutine per connection turns it; each request's handler is a coroutine of its own. The rules
// that keep this sound:
//
// - Callbacks only gather (ready_, gone_, drained_): starting or cancelling a handler inside one
//   could call back into nghttp2, which does not allow it. pump() does what was gathered.
// - nghttp2 pulls: its read callback takes from the body of a stream. When that has run empty, the
//   stream is deferred and its handler woken to produce more (drained_). So a stream holds no more
//   than its handler produced at once, however slow the client is.
// - After kYieldAfter bytes the connection lets the others of its loop have a turn.
// - The connection outlives its handlers: end() cancels them and waits.

namespace strake::http {
namespace {

namespace asio = boost::asio;

constexpr std::int32_t kServerWindow = 1024 * 1024;  // of all streams of a connection
// Only connections whose requests hold more than this while they arrive count against the budget.
constexpr std::size_t kSmallInput = 64 * 1024;

}  // namespace

// nghttp2's callbacks gather; nothing is run or ended inside them.
struct H2Connection::Callbacks {
  static H2Connection& self(void* user) { return *static_cast<H2Connection*>(user); }
  static H2Stream* stream(nghttp2_session* session, std::int32_t id) {
    return static_cast<H2Stream*>(nghttp2_session_get_stream_user_data(session, id));
  }

  static int begin_headers(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
    H2Connection& connection = self(user);
    connection.open_headers_ = connection.transport_.loop().tick() + 1;
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
    auto stream = std::make_shared<H2Stream>();
    stream->id = frame->hd.stream_id;
    stream->request.headers.reserve(16);
    stream->index = connection.streams_.size();
    stream->since = connection.transport_.loop().tick();
    nghttp2_session_set_stream_user_data(session, stream->id, stream.get());
    connection.streams_.push_back(std::move(stream));
    return 0;
  }

  static int header(nghttp2_session* session, const nghttp2_frame* frame, const std::uint8_t* name,
                    std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                    std::uint8_t, void* user) {
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
    H2Stream* found = stream(session, frame->hd.stream_id);
    if (found == nullptr) return 0;
    if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
      self(user).add_header(*found, view(name, name_size), view(value, value_size));
    } else if (found->arriving) {
      self(user).add_trailer(*found, view(name, name_size), view(value, value_size));
    }
    return 0;
  }

  static int frame_received(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    H2Connection& connection = self(user);
    if (frame->hd.type == NGHTTP2_HEADERS) connection.open_headers_ = 0;
    H2Stream* found = stream(session, frame->hd.stream_id);
    if (found == nullptr) return 0;
    const bool is_end = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
      connection.on_headers_end(*found, is_end);
    }
    if (is_end && found->arriving) found->arriving->end(std::move(found->trailers));
    if (is_end) connection.on_request_end(*found);
    return 0;
  }

  // Room is given back at once, but for a body that somebody reads while it arrives.
  static int data(nghttp2_session* session, std::uint8_t, std::int32_t id,
                  const std::uint8_t* bytes, std::size_t size, void* user) {
    H2Stream* found = stream(session, id);
    nghttp2_session_consume_connection(session, size);
    if (found != nullptr && found->arriving && !found->arriving->has_ended()) {
      self(user).add_to_stream(*found, view(bytes, size));
      return 0;
    }
    nghttp2_session_consume_stream(session, id, size);
    if (found != nullptr) self(user).add_body(*found, view(bytes, size));
    return 0;
  }

  static int stream_closed(nghttp2_session* session, std::int32_t id, std::uint32_t, void* user) {
    if (H2Stream* found = stream(session, id)) self(user).forget(*found);
    return 0;
  }

  // A response that did not wait for the whole request ends the request too.
  static int frame_sent(nghttp2_session* session, const nghttp2_frame* frame, void*) {
    if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return 0;
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    if (nghttp2_session_get_stream_remote_close(session, frame->hd.stream_id) == 0) {
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_NO_ERROR);
    }
    return 0;
  }

  static void add_last_headers(nghttp2_session* session, const H2Stream& stream,
                               std::uint32_t* flags) {
    std::vector<nghttp2_nv> fields;
    for (const Header& header : stream.last_headers.all()) {
      if (is_trailer_name(header.name)) fields.push_back(name_value(header.name, header.value));
    }
    if (fields.empty()) return;
    if (nghttp2_submit_trailer(session, stream.id, fields.data(), fields.size()) == 0) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
    }
  }

  static ssize_t read_body(nghttp2_session* session, std::int32_t, std::uint8_t* to,
                           std::size_t size, std::uint32_t* flags, nghttp2_data_source* source,
                           void* user) {
    H2Connection& connection = self(user);
    H2Stream& stream = *static_cast<H2Stream*>(source->ptr);
    stream.since = connection.transport_.loop().tick();
    const std::size_t done = stream.body.read(reinterpret_cast<char*>(to), size);
    if (stream.body.is_last() && stream.body.is_empty()) {
      *flags |= NGHTTP2_DATA_FLAG_EOF;
      if (!stream.last_headers.all().empty()) add_last_headers(session, stream, flags);
    } else if (done == 0) {
      stream.deferred = true;
      connection.drained_.push_back(connection.streams_[stream.index]);
      return NGHTTP2_ERR_DEFERRED;
    }
    return static_cast<ssize_t>(done);
  }

  static const nghttp2_session_callbacks* table() {
    static const nghttp2_session_callbacks* const made = [] {
      nghttp2_session_callbacks* callbacks = nullptr;
      STRAKE_ASSERT(nghttp2_session_callbacks_new(&callbacks) == 0);
      nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, begin_headers);
      nghttp2_session_callbacks_set_on_header_callback(callbacks, header);
      nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame_received);
      nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, data);
      nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, stream_closed);
      nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, frame_sent);
      return callbacks;
    }();
    return made;
  }
};

H2Connection::H2Connection(Transport& transport, const ServerOptions& options, Handler& handler)
    : transport_(transport),
      options_(options),
      handler_(handler),
      peer_(transport.peer()),
      peer_refusal_(transport.peer_refusal()) {
  nghttp2_option* option = nullptr;
  STRAKE_ASSERT(nghttp2_option_new(&option) == 0);
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_option_set_no_auto_window_update(option, 1);
  STRAKE_ASSERT(nghttp2_session_server_new2(&session_, Callbacks::table(), this, option) == 0);
  nghttp2_option_del(option);
  const std::array<nghttp2_settings_entry, 3> settings{{
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, static_cast<std::uint32_t>(options.max_streams)},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindow},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
       static_cast<std::uint32_t>(std::min<std::size_t>(options.max_header_bytes, 1U << 30))},
  }};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kServerWindow);
}

H2Connection::~H2Connection() { nghttp2_session_del(session_); }

// ---- The connection's own coroutine

Transport::Awaitable<> H2Connection::run() {
  transport_.want_ticks(true);
  if (transport_.loop().draining) on_drain();
  while (true) {
    // What one turn produces is bounded by since_yield_; what is still to do is seen again in the
    // next turn, because nghttp2 keeps it.
    const bool blocked = feed() && !pump();
    if (transport_.broken() || transport_.ended() || transport_.timed_out() || failed_) break;
    if (!blocked && nghttp2_session_want_read(session_) == 0 &&
        nghttp2_session_want_write(session_) == 0) {
      break;
    }
    if (since_yield_ >= kYieldAfter) {
      since_yield_ = 0;
      co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
      transport_.fill_now();
      continue;
    }
    set_deadlines(blocked);
    transport_.arm_read();
    if (blocked) transport_.arm_write();
    co_await transport_.wait();
    transport_.fill_now();
  }
  co_await end();
}

bool H2Connection::feed() {
  const std::string_view in = transport_.in();
  if (in.empty()) return true;
  const ssize_t size = nghttp2_session_mem_recv(
      session_, reinterpret_cast<const std::uint8_t*>(in.data()), in.size());
  cancel_gone();
  if (size < 0) {
    // What is broken so that no answer is possible (no memory, a flood); anything milder was
    // answered with GOAWAY by itself.
    terminate(NGHTTP2_ENHANCE_YOUR_CALM);
    failed_ = true;
    pump_out();
    return false;
  }
  transport_.take(static_cast<std::size_t>(size));
  return true;
}

// All that can be done without waiting; false when the socket is full.
bool H2Connection::pump() {
  while (true) {
    start_ready();
    if (!pump_out()) return false;
    cancel_gone();
    if (drained_.empty() && ready_.empty()) return true;
    if (since_yield_ >= kYieldAfter) return true;
    wake_drained();
  }
}

bool H2Connection::pump_out() {
  while (!transport_.broken()) {
    if (!transport_.flush_now()) return false;
    if (since_yield_ >= kYieldAfter) return true;
    while (transport_.staged() < kSlice) {
      const std::uint8_t* bytes = nullptr;
      const ssize_t size = nghttp2_session_mem_send(session_, &bytes);
      if (size < 0) failed_ = true;
      if (size <= 0) break;
      transport_.stage(view(bytes, static_cast<std::size_t>(size)));
    }
    if (transport_.staged() == 0) return true;
    since_yield_ += transport_.staged();
  }
  return true;
}

void H2Connection::set_deadlines(bool blocked) {
  if (blocked) {
    // The deadline moves only when bytes have left: a client that reads nothing is found out
    // however often the loop turns.
    if (transport_.staged() != unsent_) transport_.set_deadline(options_.write_timeout);
    unsent_ = transport_.staged();
    return;
  }
  unsent_ = 0;
  since_yield_ = 0;
  if (streams_.empty()) {
    transport_.set_deadline(options_.idle_timeout);
  } else {
    transport_.clear_deadline();
  }
}

void H2Connection::start_ready() {
  while (!ready_.empty()) {
    std::vector<StreamPtr> ready;
    ready.swap(ready_);
    for (StreamPtr& stream : ready) {
      if (stream->gone) continue;
      stream->handling = true;
      ++running_;
      transport_.loop().requests.fetch_add(1, std::memory_order_relaxed);
      transport_.loop().in_flight.fetch_add(1, std::memory_order_relaxed);
      asio::co_spawn(transport_.loop().executor(), serve(stream),
                     asio::bind_cancellation_slot(
                         stream->cancel.slot(), [this, stream](const std::exception_ptr&) {
                           stream->handling = false;
                           transport_.loop().in_flight.fetch_sub(1, std::memory_order_relaxed);
                           if (--running_ == 0 && failed_) transport_.notify();
                         }));
    }
  }
}

void H2Connection::cancel_gone() {
  std::vector<StreamPtr> gone;
  gone.swap(gone_);
  for (const StreamPtr& stream : gone) {
    cancel(stream);
  }
}

void H2Connection::cancel(const StreamPtr& stream) {
  if (!stream->handling || std::exchange(stream->cancelled, true)) return;
  cancelled_.push_back(stream);
  stream->client_gone.cancel();
  stream->cancel.emit(asio::cancellation_type::terminal);
  stream->drained.notify();
}

void H2Connection::wake_drained() {
  std::vector<StreamPtr> drained;
  drained.swap(drained_);
  for (const StreamPtr& stream : drained) stream->drained.notify();
}

// No handler may outlive the connection that it answers to.
Transport::Awaitable<> H2Connection::end() {
  failed_ = true;
  transport_.clear_deadline();
  for (const StreamPtr& stream : streams_) {
    stream->gone = true;
    if (stream->handling) gone_.push_back(stream);
    if (!stream->arriving) continue;
    stream->arriving->set_on_room(nullptr);
    stream->arriving->fail({.fault = Fault::kClosed, .message = "the client broke off"});
  }
  cancel_gone();
  // The completion of the last handler notifies (start_ready).
  while (running_ > 0) co_await transport_.wait();
  transport_.want_ticks(false);
}

void H2Connection::terminate(std::uint32_t code) {
  nghttp2_session_terminate_session(session_, code);
}

void H2Connection::on_drain() {
  if (std::exchange(draining_, true)) return;
  nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                        nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR,
                        nullptr, 0);
  // A stream that waits for its next part ends here; the others see it when they would wait.
  for (const StreamPtr& stream : std::vector(streams_)) {
    const bool finite = stream->source != nullptr && stream->source->is_finite();
    if (stream->responding && !stream->gone && !finite) cancel(stream);
  }
  transport_.notify();
}

void H2Connection::on_tick() {
  const std::uint64_t now = transport_.loop().tick();
  const auto is_past = [&](std::uint64_t since, std::chrono::milliseconds limit) {
    return now >= since + transport_.loop().ticks(limit);
  };
  for (const StreamPtr& stream : streams_) {
    if (stream->receiving && is_past(stream->since, options_.body_timeout)) {
      end_input(*stream);
      Response late = plain_text(408, "408 Request Timeout: the request's body took too long\n");
      respond(*stream, late);
    } else if (stream->responding && !stream->deferred &&
               is_past(stream->since, options_.write_timeout)) {
      reset(*stream, NGHTTP2_CANCEL);
    } else if (!stream->deferred && stream->source != nullptr && stream->source->is_revoked()) {
      log::get("http").info("a stream that its client does not read was broken off");
      reset(*stream, NGHTTP2_CANCEL);
    }
  }
  // Whoever waited for what cannot be given up hears it again.
  std::erase_if(cancelled_, [](const StreamPtr& stream) { return !stream->handling; });
  for (const StreamPtr& stream : std::vector(cancelled_)) {
    stream->cancel.emit(asio::cancellation_type::terminal);
  }
  if (open_headers_ != 0 && is_past(open_headers_, options_.header_timeout)) failed_ = true;
  if (failed_ || nghttp2_session_want_write(session_) != 0) transport_.notify();
}

// ---- The request

void H2Connection::add_header(H2Stream& stream, std::string_view name, std::string_view value) {
  Request& request = stream.request;
  const std::size_t size = name.size() + value.size() + 32;
  if (stream.header_too_large || stream.header_bytes + size > options_.max_header_bytes ||
      request.headers.all().size() >= kMaxHeaders || !add_input(size)) {
    stream.header_too_large = true;
    return;
  }
  stream.header_bytes += size;
  if (!name.starts_with(':')) {
    if (name == "host" && request.headers.has("Host")) return;
    request.headers.add(name, value);
  } else if (name == ":method") {
    request.method = value;
  } else if (name == ":authority") {
    request.headers.add(std::string_view("Host"), value);
  } else if (name == ":path") {
    const std::size_t question = std::min(value.find('?'), value.size());
    request.path = value.substr(0, question);
    request.query = value.substr(std::min(question + 1, value.size()));
  }
}

void H2Connection::on_headers_end(H2Stream& stream, bool is_end) {
  Request& request = stream.request;
  request.version = 20;
  request.tls = transport_.is_tls();
  request.peer = peer_;
  request.peer_refusal = peer_refusal_;
  // It may pass once the authorities have changed, on another connection.
  if (peer_refusal_ && !std::exchange(told_to_leave_, true)) {
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, stream.id, NGHTTP2_NO_ERROR, nullptr, 0);
  }
  request.remote_address = transport_.remote_address();
  request.local_address = transport_.local_address();
  stream.is_head = request.method == "HEAD";
  stream.takes_gzip = accepts_gzip(request.headers.get("Accept-Encoding"));
  Response refusal;
  if (stream.header_too_large) {
    refusal = plain_text(431, "431 Request Header Fields Too Large\n");
  } else if (!request.path.starts_with('/') && request.path != "*") {
    refusal = plain_text(400, "400 Bad Request: invalid request target\n");
  } else if (handler_.wants_stream(request)) {
    begin_stream(stream, is_end);
    return;
  } else if (!is_end) {
    plan_body(stream);
    if (equals_ignoring_case(request.headers.get("Expect"), "100-continue")) {
      const nghttp2_nv status = name_value(":status", "100");
      nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, stream.id, nullptr, &status, 1, nullptr);
    }
    return;
  } else {
    return;
  }
  end_input(stream);
  respond(stream, refusal);
}

// The handler begins now, and reads the body while it arrives.
void H2Connection::begin_stream(H2Stream& stream, bool is_end) {
  Request& request = stream.request;
  stream.arriving =
      std::make_shared<BodyQueue>(transport_.loop().executor(), options_.body_timeout);
  request.stream = stream.arriving->reader();
  const bool authenticated = is_end || handler_.is_authenticated(request);
  if (!is_end) transport_.set_authenticated(authenticated);
  stream.body_limit = authenticated ? ~std::size_t{0} : options_.max_unauthenticated_body;
  on_request_end(stream);
  if (is_end) return;
  if (equals_ignoring_case(request.headers.get("Expect"), "100-continue")) {
    const nghttp2_nv status = name_value(":status", "100");
    nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, stream.id, nullptr, &status, 1, nullptr);
  }
  stream.arriving->set_on_room([this, id = stream.id](std::size_t taken) {
    if (taken == 0) return;
    nghttp2_session_consume_stream(session_, id, taken);
    // Not from within: a handler may read right where the session calls.
    asio::post(transport_.loop().executor(), [weak = transport_.weak_from_this()] {
      if (const auto transport = weak.lock()) transport->notify();
    });
  });
}

void H2Connection::add_to_stream(H2Stream& stream, std::string_view bytes) {
  if (bytes.size() > stream.body_limit) {
    stream.arriving->fail({.fault = Fault::kTooLarge, .message = "the body is too large"});
    return;
  }
  stream.body_limit -= bytes.size();
  stream.arriving->push(bytes);
}

void H2Connection::add_trailer(H2Stream& stream, std::string_view name, std::string_view value) {
  stream.header_bytes += name.size() + value.size() + 32;
  if (stream.header_bytes <= options_.max_header_bytes &&
      stream.trailers.all().size() < kMaxHeaders && is_trailer_name(name)) {
    stream.trailers.add(name, value);
  }
}

// How much of the body is taken, and from whose part of the budget.
void H2Connection::plan_body(H2Stream& stream) {
  const bool authenticated = handler_.is_authenticated(stream.request);
  stream.body_limit = authenticated
                          ? options_.max_body
                          : std::min(options_.max_body, options_.max_unauthenticated_body);
  if (authenticated == transport_.is_authenticated()) return;
  transport_.set_authenticated(authenticated);
  input_ = InputBudget::Claim(transport_.loop().input(), transport_.is_authenticated());
  add_input(0);
}

bool H2Connection::add_input(std::size_t bytes) {
  if (!input_.is_open())
    input_ = InputBudget::Claim(transport_.loop().input(), transport_.is_authenticated());
  const std::size_t total = input_bytes_ + bytes;
  if (!input_.resize_to(total > kSmallInput ? total : 0)) return false;
  input_bytes_ = total;
  return true;
}

// The request has arrived, or nobody wants the rest of it.
void H2Connection::end_input(H2Stream& stream) {
  if (!std::exchange(stream.receiving, false)) return;
  input_bytes_ -= stream.header_bytes + stream.request.body.size();
  add_input(0);
}

bool H2Connection::add_body(H2Stream& stream, std::string_view bytes) {
  if (!stream.receiving) return false;  // nobody wants it any more
  Request& request = stream.request;
  if (request.body.size() + bytes.size() > stream.body_limit) {
    input_bytes_ -= request.body.size();
    request.body = std::string();
    request.body_too_large = true;
    on_request_end(stream);
    return false;
  }
  if (!add_input(bytes.size())) {
    end_input(stream);
    request.body = std::string();
    Response busy = plain_text(429, "429 Too Many Requests: too many requests are arriving\n");
    busy.headers.add("Retry-After", std::string_view("1"));
    respond(stream, busy);
    return false;
  }
  request.body.append(bytes);
  return true;
}

void H2Connection::on_request_end(H2Stream& stream) {
  if (!stream.receiving) return;
  end_input(stream);
  ready_.push_back(streams_[stream.index]);
}

void H2Connection::forget(H2Stream& stream) {
  const StreamPtr self = streams_[stream.index];
  end_input(stream);
  if (stream.arriving) {
    stream.arriving->set_on_room(nullptr);
    stream.arriving->fail({.fault = Fault::kClosed, .message = "the client broke off"});
  }
  stream.gone = true;
  if (stream.handling) gone_.push_back(self);
  streams_[stream.index] = streams_.back();
  streams_[stream.index]->index = stream.index;
  streams_.pop_back();
}

// ---- What responses ask of the session

void H2Connection::submit(H2Stream& stream, const HeaderViews& head, bool sends_body) {
  std::vector<nghttp2_nv> fields;
  fields.reserve(head.size());
  for (const auto& [name, value] : head) fields.push_back(name_value(name, value));
  nghttp2_data_provider provider{};
  provider.source.ptr = &stream;
  provider.read_callback = Callbacks::read_body;
  if (nghttp2_submit_response(session_, stream.id, fields.data(), fields.size(),
                              sends_body ? &provider : nullptr) != 0) {
    reset(stream, NGHTTP2_INTERNAL_ERROR);
  }
}

void H2Connection::resume(H2Stream& stream) {
  stream.deferred = false;
  stream.since = transport_.loop().tick();
  nghttp2_session_resume_data(session_, stream.id);
  transport_.notify();
}

void H2Connection::reset(H2Stream& stream, std::uint32_t code) {
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream.id, code);
}

}  // namespace strake::http
