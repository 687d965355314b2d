#include "http/h2_client.h"

#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <charconv>

#include "base/assert.h"
#include "http/body.h"
#include "http/h1_text.h"
#include "http/h2_fields.h"
#include "http/h2_stream.h"

// Many exchanges share one connection, and none of them owns it: whoever has something to do (a
// caller that submits, a body that is read, the socket that is ready) calls pump(), which feeds
// nghttp2 and sends what it has. All of this happens on one loop, so there are no locks. Callbacks
// of nghttp2 never run a caller: they fill the exchange and notify its wait, which resumes later.
//
// What matters for retries is recorded with each failure: `unprocessed` when the server has said
// that it did not look at the request (GOAWAY, REFUSED_STREAM), `unanswered` when no byte came
// since it was sent. The rules are in client.cc.

namespace strake::http {
namespace {

namespace asio = boost::asio;

// Many times that of a stream: the connection as a whole is not kept waiting for one stream that
// nobody reads.
constexpr std::int32_t kClientWindow = 8 * 1024 * 1024;

}  // namespace

// One request and its response. The connection's list and the caller hold it.
struct H2Exchange : std::enable_shared_from_this<H2Exchange> {
  H2Exchange(Lease taken, std::shared_ptr<Sending> what, std::shared_ptr<ClientWait> wait)
      : lease(std::move(taken)),
        connection(std::static_pointer_cast<H2ClientConnection>(lease.connection())),
        sending(std::move(what)),
        reading(std::move(wait)),
        writing(connection->transport_->loop().executor(), sending->request.deadline,
                sending->request.cancel) {}

  void submit();
  Exchange<ClientResponse> read_response(std::shared_ptr<H2Exchange> self);
  Exchange<std::string> next(std::shared_ptr<H2Exchange> self);
  void abandon(const Failure& why, std::uint32_t code = NGHTTP2_CANCEL);
  asio::awaitable<void> write(std::shared_ptr<H2Exchange> self);
  Exchange<> send_stream();

  // ---- Called by the session
  bool add_header(std::string_view name, std::string_view value);
  void on_head(bool is_end);
  void on_data(std::string_view bytes);
  void on_end() {
    ended = true;
    reading->notify();
  }
  void on_closed(std::uint32_t code);

  // The response is over, one way or the other.
  void settle() {
    stop_writing.emit(asio::cancellation_type::terminal);
    lease.release();
  }
  void fail(Failure why) {
    if (failure || read_all) return;
    why.unanswered = connection->received_ == received_before;
    failure = std::move(why);
    reading->notify();
    writing.notify();
  }

  Lease lease;
  const std::shared_ptr<H2ClientConnection> connection;
  std::shared_ptr<Sending> sending;
  std::shared_ptr<ClientWait> reading;
  ClientWait writing;
  asio::cancellation_signal stop_writing;
  std::int32_t id = 0;
  std::uint64_t received_before = 0;

  // ---- The response
  int status = 0;
  Headers headers;
  Headers trailers;
  std::size_t header_bytes = 0;
  int interim = 0;
  bool has_head = false;
  std::string in;  // what was not taken yet
  std::uint64_t body_bytes = 0;
  bool ended = false;     // by the other side
  bool closed = false;    // the session has forgotten it
  bool read_all = false;  // by the caller
  std::optional<Failure> failure;

  // ---- The request
  H2Body body;
  bool deferred = false;
};

namespace {

class H2BodyReader final : public BodyReader {
 public:
  explicit H2BodyReader(std::shared_ptr<H2Exchange> exchange) : exchange_(std::move(exchange)) {}
  ~H2BodyReader() override {
    exchange_->abandon({.fault = Fault::kCancelled, .message = "the body was not read to its end"});
  }
  Exchange<std::string> next() override { return exchange_->next(exchange_); }
  const Headers& trailers() const override { return exchange_->trailers; }

 private:
  std::shared_ptr<H2Exchange> exchange_;
};

}  // namespace

// nghttp2's callbacks gather; whoever waits runs later, since a ClientWait only posts.
struct H2ClientConnection::Callbacks {
  static H2ClientConnection& self(void* user) { return *static_cast<H2ClientConnection*>(user); }
  static H2Exchange* stream(void* user, std::int32_t id) {
    const auto found = self(user).streams_.find(id);
    return found == self(user).streams_.end() ? nullptr : found->second.get();
  }

  static int header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                    std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                    std::uint8_t, void* user) {
    H2Exchange* found = stream(user, frame->hd.stream_id);
    if (found == nullptr) return 0;
    return found->add_header(view(name, name_size), view(value, value_size))
               ? 0
               : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }

  static int frame_received(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type == NGHTTP2_SETTINGS) self(user).knows_limit_ = true;
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    H2Exchange* found = stream(user, frame->hd.stream_id);
    if (found == nullptr) return 0;
    const bool is_end = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    if (frame->hd.type == NGHTTP2_HEADERS && !found->has_head) found->on_head(is_end);
    if (is_end && !found->failure) found->on_end();
    return 0;
  }

  static int data(nghttp2_session* session, std::uint8_t, std::int32_t id,
                  const std::uint8_t* bytes, std::size_t size, void* user) {
    nghttp2_session_consume_connection(session, size);
    if (H2Exchange* found = stream(user, id)) found->on_data(view(bytes, size));
    return 0;
  }

  static int stream_closed(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user) {
    const auto node = self(user).streams_.extract(id);
    if (!node.empty()) node.mapped()->on_closed(code);
    return 0;
  }

  // When the other side breaks the rules, nghttp2 says so and ends the connection by itself.
  static int frame_sent(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type != NGHTTP2_GOAWAY || frame->goaway.error_code == NGHTTP2_NO_ERROR) return 0;
    std::string& fault = self(user).fault_;
    if (fault.empty()) fault = nghttp2_http2_strerror(frame->goaway.error_code);
    return 0;
  }

  static int invalid_frame(nghttp2_session*, const nghttp2_frame*, int error, void* user) {
    self(user).fault_ = nghttp2_strerror(error);
    return 0;
  }

  static ssize_t read_body(nghttp2_session* session, std::int32_t id, std::uint8_t* to,
                           std::size_t size, std::uint32_t* flags, nghttp2_data_source* source,
                           void*) {
    H2Exchange& exchange = *static_cast<H2Exchange*>(source->ptr);
    const std::size_t done = exchange.body.read(reinterpret_cast<char*>(to), size);
    if (exchange.body.is_last() && exchange.body.is_empty()) {
      *flags |= NGHTTP2_DATA_FLAG_EOF;
      if (exchange.sending->request.stream) add_trailers(session, id, exchange, flags);
    } else if (done == 0) {
      exchange.deferred = true;
      exchange.writing.notify();
      return NGHTTP2_ERR_DEFERRED;
    }
    return static_cast<ssize_t>(done);
  }

  static void add_trailers(nghttp2_session* session, std::int32_t id, H2Exchange& exchange,
                           std::uint32_t* flags) {
    const Headers trailers = exchange.sending->request.stream->trailers();
    std::vector<nghttp2_nv> fields;
    for (const Header& header : trailers.all()) {
      if (is_trailer_name(header.name)) fields.push_back(name_value(header.name, header.value));
    }
    if (fields.empty()) return;
    if (nghttp2_submit_trailer(session, id, fields.data(), fields.size()) == 0) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
    }
  }

  static const nghttp2_session_callbacks* table() {
    static const nghttp2_session_callbacks* const made = [] {
      nghttp2_session_callbacks* callbacks = nullptr;
      STRAKE_ASSERT(nghttp2_session_callbacks_new(&callbacks) == 0);
      nghttp2_session_callbacks_set_on_header_callback(callbacks, header);
      nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame_received);
      nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, data);
      nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, stream_closed);
      nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, frame_sent);
      nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, invalid_frame);
      return callbacks;
    }();
    return made;
  }
};

// ---- One exchange

void H2Exchange::submit() {
  const ClientRequest& request = sending->request;
  std::vector<nghttp2_nv> head{name_value(":method", request.method),
                               name_value(":scheme", request.to.tls ? "https" : "http"),
                               name_value(":authority", sending->authority),
                               name_value(":path", request.target)};
  const std::uint64_t size = request.stream_length.value_or(request.body.size());
  const fmt::format_int length(size);
  for (const Header& header : request.headers.all()) {
    if (is_sent_header(header.name)) head.push_back(name_value(header.name, header.value));
  }
  if (request.stream ? request.stream_length.has_value() : size > 0) {
    head.push_back(name_value("content-length", {length.data(), length.size()}));
  }
  nghttp2_data_provider provider{};
  provider.source.ptr = this;
  provider.read_callback = H2ClientConnection::Callbacks::read_body;
  const bool has_body = request.stream || !request.body.empty();
  if (!request.stream) {
    std::vector<Piece> pieces;
    // The request stays where it is, should it be sent again.
    pieces.emplace_back(nullptr, std::string_view(request.body));
    body.set(std::move(pieces), true);
  }
  received_before = connection->received_;
  id = nghttp2_submit_request(connection->session_, nullptr, head.data(), head.size(),
                              has_body ? &provider : nullptr, nullptr);
  if (id < 0) {
    // Numbers have run out, or the other side leaves.
    connection->retire();
    closed = true;
    fail({.fault = Fault::kClosed,
          .message = fmt::format("HTTP/2: {}", nghttp2_strerror(id)),
          .unprocessed = true});
    return;
  }
  connection->streams_.emplace(id, shared_from_this());
  if (request.stream) {
    asio::co_spawn(connection->transport_->loop().executor(), write(shared_from_this()),
                   asio::bind_cancellation_slot(stop_writing.slot(), [](std::exception_ptr) {}));
  }
}

asio::awaitable<void> H2Exchange::write(std::shared_ptr<H2Exchange> self) {
  (void)self;
  co_await asio::this_coro::throw_if_cancelled(false);
  const Outcome<> sent = co_await send_stream();
  if (!sent && !ended) abandon(sent.error());
}

Exchange<> H2Exchange::send_stream() {
  ClientRequest& request = sending->request;
  std::uint64_t left = request.stream_length.value_or(~std::uint64_t{0});
  while (true) {
    while (!deferred) {
      if (closed || failure) co_return Outcome<>();
      STRAKE_CO_CHECK(co_await writing.wait());
    }
    sending->stream_taken = true;
    Result<std::vector<Piece>> parts;
    try {
      parts = co_await request.stream->next();
    } catch (const std::exception& error) {
      parts = strake::fail(Code::kCancelled, "{}", error.what());
    }
    if (closed || failure) co_return Outcome<>();
    if (!parts) co_return failed(Fault::kSource, parts.error().message());
    const std::size_t size = total_size(*parts);
    const bool is_last = parts->empty();
    if (request.stream_length && (is_last ? left > 0 : size > left)) {
      co_return failed(Fault::kSource, "the body is not as long as it was said to be");
    }
    left -= size;
    if (!is_last && size == 0) continue;
    if (is_last) {
      body.end();
    } else {
      body.set(*std::move(parts), false);
    }
    deferred = false;
    nghttp2_session_resume_data(connection->session_, id);
    connection->pump();
    if (is_last) co_return Outcome<>();
  }
}

bool H2Exchange::add_header(std::string_view name, std::string_view value) {
  header_bytes += name.size() + value.size() + 32;
  const ClientOptions& options = connection->options_;
  if (header_bytes > options.max_header_bytes ||
      headers.all().size() + trailers.all().size() >= options.max_headers) {
    fail({.fault = Fault::kTooLarge, .message = "response headers are too large"});
    return false;
  }
  if (has_head) {
    if (is_trailer_name(name)) trailers.add(name, value);
  } else if (name == ":status") {
    // nghttp2 lets three digits through.
    std::from_chars(value.data(), value.data() + value.size(), status);
  } else if (!name.starts_with(':')) {
    headers.add(name, value);
  }
  return true;
}

void H2Exchange::on_head(bool is_end) {
  if (status >= 200) {
    has_head = true;
    reading->notify();
    return;
  }
  headers = Headers();
  if (++interim > kMaxInterim || is_end) {
    fail({.fault = Fault::kProtocol, .message = "too many interim answers"});
    nghttp2_submit_rst_stream(connection->session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_PROTOCOL_ERROR);
  }
}

void H2Exchange::on_data(std::string_view bytes) {
  if (failure) return;
  body_bytes += bytes.size();
  if (body_bytes > sending->request.max_body) {
    fail({.fault = Fault::kTooLarge,
          .message = fmt::format("the body is larger than {} bytes", sending->request.max_body)});
    nghttp2_submit_rst_stream(connection->session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
    return;
  }
  in.append(bytes);
  reading->notify();
}

void H2Exchange::on_closed(std::uint32_t code) {
  closed = true;
  writing.notify();
  if (ended) return;
  if (code == NGHTTP2_REFUSED_STREAM) {
    fail({.fault = Fault::kClosed,
          .message = "the server refused the request before it looked at it",
          .unprocessed = true});
  } else if (code == NGHTTP2_PROTOCOL_ERROR || code == NGHTTP2_FLOW_CONTROL_ERROR ||
             code == NGHTTP2_FRAME_SIZE_ERROR || code == NGHTTP2_COMPRESSION_ERROR) {
    const std::string& fault = connection->fault_;
    fail({.fault = Fault::kProtocol,
          .message =
              fmt::format("HTTP/2: {}", fault.empty() ? nghttp2_http2_strerror(code) : fault)});
  } else {
    fail({.fault = Fault::kClosed,
          .message =
              fmt::format("the server broke the answer off: {}", nghttp2_http2_strerror(code))});
  }
}

void H2Exchange::abandon(const Failure& why, std::uint32_t code) {
  if (!closed && !(ended && read_all)) {
    nghttp2_submit_rst_stream(connection->session_, NGHTTP2_FLAG_NONE, id, code);
    // A connection on which nothing came all the while may be dead.
    if (why.fault == Fault::kTimeout && connection->received_ == received_before) {
      connection->retire();
    }
  }
  fail(why);
  settle();
  if (!closed) connection->pump();
}

Exchange<ClientResponse> H2Exchange::read_response(std::shared_ptr<H2Exchange> self) {
  connection->pump();
  while (!has_head && !failure) {
    if (Outcome<> waited = co_await reading->wait(); !waited) abandon(waited.error());
  }
  if (failure) {
    abandon(*failure);
    co_return std::unexpected(*failure);
  }
  reading->set_deadline(sending->request.deadline);
  ClientResponse response;
  response.status = status;
  response.version = 20;
  response.headers = headers;
  response.body = std::make_unique<H2BodyReader>(self);
  // Nothing will come: the connection is free at once.
  if (ended && in.empty()) (void)co_await next(self);
  co_return response;
}

Exchange<std::string> H2Exchange::next(std::shared_ptr<H2Exchange> self) {
  (void)self;
  while (!read_all) {
    if (!in.empty() && !failure) {
      std::string out = std::exchange(in, std::string());
      // The other side may send as much again.
      if (!closed) {
        nghttp2_session_consume_stream(connection->session_, id, out.size());
        connection->pump();
      }
      co_return out;
    }
    if (failure) {
      abandon(*failure);
      co_return std::unexpected(*failure);
    }
    if (ended) {
      read_all = true;
      // The rest of the request is of no use to anybody.
      if (!closed) {
        nghttp2_submit_rst_stream(connection->session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_NO_ERROR);
        connection->pump();
      }
      settle();
      break;
    }
    if (Outcome<> waited = co_await reading->wait(); !waited) abandon(waited.error());
  }
  co_return std::string();
}

// ---- The connection

H2ClientConnection::H2ClientConnection(std::shared_ptr<Transport> transport,
                                       const ClientOptions& options,
                                       std::weak_ptr<ConnectionOwner> owner)
    : ClientConnection(std::move(transport), options, std::move(owner)) {
  nghttp2_option* option = nullptr;
  STRAKE_ASSERT(nghttp2_option_new(&option) == 0);
  nghttp2_option_set_no_auto_window_update(option, 1);
  nghttp2_option_set_no_closed_streams(option, 1);
  STRAKE_ASSERT(nghttp2_session_client_new2(&session_, Callbacks::table(), this, option) == 0);
  nghttp2_option_del(option);
  const std::array<nghttp2_settings_entry, 3> settings{{
      {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindow},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
       static_cast<std::uint32_t>(std::min<std::size_t>(options.max_header_bytes, 1U << 30))},
  }};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kClientWindow);
}

H2ClientConnection::~H2ClientConnection() {
  transport_->close_now();
  nghttp2_session_del(session_);
}

void H2ClientConnection::start() {
  transport_->set_listener(
      [weak = std::weak_ptr(std::static_pointer_cast<H2ClientConnection>(shared_from_this()))] {
        if (const auto self = weak.lock()) self->pump();
      });
  pump();
}

std::size_t H2ClientConnection::capacity() const {
  if (!open_ || retired_ || nghttp2_session_check_request_allowed(session_) == 0) return 0;
  // Until the other side has said how many it takes: what is too much would be refused.
  if (!knows_limit_) return 1;
  const std::size_t peers =
      nghttp2_session_get_remote_settings(session_, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
  return std::min(peers, options_.max_streams);
}

void H2ClientConnection::retire() {
  retired_ = true;
  if (leases() == 0) close({});
}

void H2ClientConnection::on_idle() {
  if (!open_) return;
  if (capacity() == 0) {
    close({});
    return;
  }
  ClientConnection::on_idle();
}

void H2ClientConnection::close(const Failure& why) {
  if (!std::exchange(open_, false)) return;
  // Closing may release the last lease, and with it this object.
  const auto self = shared_from_this();
  nghttp2_session_terminate_session(session_, NGHTTP2_NO_ERROR);
  const std::uint8_t* bytes = nullptr;
  for (ssize_t size = 0; (size = nghttp2_session_mem_send(session_, &bytes)) > 0;) {
    transport_->stage(view(bytes, static_cast<std::size_t>(size)));
  }
  transport_->flush_now();
  transport_->close_now();
  std::unordered_map<std::int32_t, std::shared_ptr<H2Exchange>> streams;
  streams.swap(streams_);
  for (const auto& [id, exchange] : streams) {
    exchange->closed = true;
    if (!exchange->ended) exchange->fail(why);
  }
  tell_owner();
}

bool H2ClientConnection::feed() {
  const std::string_view in = transport_->in();
  if (in.empty()) return true;
  received_ += in.size();
  const ssize_t size = nghttp2_session_mem_recv(
      session_, reinterpret_cast<const std::uint8_t*>(in.data()), in.size());
  if (size < 0) {
    fault_ = nghttp2_strerror(static_cast<int>(size));
    return false;
  }
  transport_->take(static_cast<std::size_t>(size));
  return true;
}

void H2ClientConnection::pump() {
  if (!open_ || std::exchange(pumping_, true)) return;
  const auto self = shared_from_this();
  const std::size_t room_before = capacity();
  bool sane = true;
  std::size_t taken = 0;
  do {
    taken += transport_->in().size();
    sane = feed();
  } while (sane && taken < kYieldAfter && transport_->fill_now());
  while (transport_->flush_now() && !transport_->broken()) {
    while (transport_->staged() < kSlice) {
      const std::uint8_t* bytes = nullptr;
      const ssize_t size = nghttp2_session_mem_send(session_, &bytes);
      if (size <= 0) break;
      transport_->stage(view(bytes, static_cast<std::size_t>(size)));
    }
    if (transport_->staged() == 0) break;
  }
  pumping_ = false;
  const bool is_over = nghttp2_session_want_read(session_) == 0 &&
                       nghttp2_session_want_write(session_) == 0 && transport_->staged() == 0;
  if (!sane || is_over) {
    const bool asked = fault_.empty();
    close(
        {.fault = asked ? Fault::kClosed : Fault::kProtocol,
         .message = asked ? "the server ended the connection" : fmt::format("HTTP/2: {}", fault_)});
  } else if (!transport_->tls_failure().empty()) {
    close({.fault = Fault::kTls, .message = fmt::format("TLS: {}", transport_->tls_failure())});
  } else if (transport_->ended() || transport_->broken()) {
    close({.fault = Fault::kClosed, .message = "the server closed the connection"});
  } else if (leases() == 0 && (transport_->timed_out() || capacity() == 0)) {
    close({});
  } else {
    if (transport_->staged() > 0) transport_->arm_write();
    transport_->arm_read();
    if (capacity() != room_before) tell_owner();
  }
}

Exchange<ClientResponse> H2ClientConnection::exchange(Lease lease, std::shared_ptr<Sending> sending,
                                                      std::shared_ptr<ClientWait> wait) {
  if (open_) transport_->probe();
  pump();
  if (capacity() == 0) {
    co_return std::unexpected(Failure{.fault = Fault::kClosed,
                                      .message = "the kept connection was closed",
                                      .unprocessed = true,
                                      .unanswered = true});
  }
  used_ = true;
  const auto exchange =
      std::make_shared<H2Exchange>(std::move(lease), std::move(sending), std::move(wait));
  exchange->submit();
  co_return co_await exchange->read_response(exchange);
}

}  // namespace strake::http
