#include "http/transport.h"

#include <sys/socket.h>

#include <cerrno>

// A socket and perhaps TLS, as buffers: what was read and decrypted (in_), and what could not be
// sent yet (out_). Sockets are non-blocking and used directly; Asio only tells when one is ready.
// Reading, staging and encrypting use buffers of the loop (read_buffer, plain, cipher), which is
// safe because they are emptied before the loop does anything else: a connection at rest holds no
// buffer at all.
//
// Deadlines count ticks of the loop, so setting one is an assignment and not a timer.

namespace strake::http {
namespace {

namespace asio = boost::asio;

// How much of the next requests is read while one is being answered.
constexpr std::size_t kReadAhead = 64 * 1024;
// So many connections of a loop may hold their buffers between ticks: 8 MiB.
constexpr std::size_t kCrowd = 256;
constexpr std::size_t kLingerBytes = 64 * 1024 * 1024;
constexpr std::chrono::milliseconds kLingerIdle{200};
constexpr std::chrono::milliseconds kLingerTime{5000};

template <typename Endpoint>
std::string text_of(const Endpoint& endpoint, const boost::system::error_code& error) {
  if (error) return {};
  if (endpoint.address().is_v4()) {
    return fmt::format("{}:{}", endpoint.address().to_string(), endpoint.port());
  }
  return fmt::format("[{}]:{}", endpoint.address().to_string(), endpoint.port());
}

}  // namespace

Transport::Transport(std::shared_ptr<LoopContext> loop, Socket socket,
                     std::shared_ptr<const TlsContext> tls, const TransportOptions& options,
                     const TlsGreeting& greeting)
    : loop_(std::move(loop)), socket_(std::move(socket)), options_(options) {
  if (tls) tls_.emplace(options.side, std::move(tls), greeting);
  boost::system::error_code error;
  const auto remote = socket_.remote_endpoint(error);
  remote_address_ = text_of(remote, error);
  const auto local = socket_.local_endpoint(error);
  local_address_ = text_of(local, error);
  last_use_ = loop_->next_use();
  loop_->add(*this);
}

Transport::~Transport() = default;

// ---- Reading

void Transport::take(std::size_t size) {
  in_at_ += size;
  if (in_at_ == in_.size()) {
    in_.clear();
    in_at_ = 0;
  }
}

void Transport::read_socket() {
  std::string& buffer = loop_->read_buffer();
  ssize_t size = 0;
  do {
    size = ::recv(socket_.native_handle(), buffer.data(), buffer.size(), 0);
  } while (size < 0 && errno == EINTR);
  // A read that fills the buffer may have left something; a shorter one has emptied the socket,
  // which saves the call that would say so.
  readable_ = size == static_cast<ssize_t>(buffer.size());
  if (size > 0) {
    take_in(std::string_view(buffer).substr(0, static_cast<std::size_t>(size)));
  } else if (size == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) {
    // With TLS the end is said inside of it; anyone could close the socket.
    if (!ended_ && size == 0 && !tls_) ended_cleanly_ = true;
    ended_ = true;
  }
}

void Transport::take_in(std::string_view bytes) {
  if (in_at_ > 0 && in_at_ >= in_.size() / 2) {
    in_.erase(0, in_at_);
    in_at_ = 0;
  }
  set_active();
  if (!tls_) {
    in_.append(bytes);
    return;
  }
  const TlsStep step = tls_->read(bytes, in_, out_);
  if (step == TlsStep::kClosed) ended_cleanly_ = true;
  if (step == TlsStep::kClosed || step == TlsStep::kFailed) ended_ = true;
  // Answers to messages of TLS itself are a few bytes now and then.
  if (out_.size() - out_at_ > 4 * kReadAhead) broken_ = ended_ = true;
}

bool Transport::fill_now() {
  const std::size_t before = in().size();
  if (readable_ && may_read()) read_socket();
  return in().size() > before;
}

Transport::Awaitable<Transport::Fill> Transport::fill() {
  while (true) {
    if (fill_now()) co_return Fill::kData;
    if (ended_ || broken_) co_return Fill::kEnd;
    if (timed_out_) co_return Fill::kTimeout;
    if (std::exchange(interrupted_, false)) co_return Fill::kInterrupted;
    if (!readable_) {
      arm_read();
      co_await wait();
    }
  }
}

void Transport::arm_read() {
  if (read_armed_ || !may_read()) return;
  read_armed_ = true;
  socket_.async_wait(
      Socket::wait_read,
      [self = shared_from_this()](boost::system::error_code error) { self->on_readable(error); });
}

void Transport::on_readable(boost::system::error_code error) {
  read_armed_ = false;
  if (error) {
    ended_ = true;
  } else {
    readable_ = true;
  }
  if (!watching_) {
    tell_data();
    notify();
    return;
  }
  while (readable_ && !ended_ && in().size() < kReadAhead) read_socket();
  if (ended_) {
    if (const std::shared_ptr<Events> events = events_) events->on_gone();
  } else if (in().size() < kReadAhead) {
    arm_read();
  }
  tell_data();
}

void Transport::tell_data() {
  if (!wants_data_) return;
  if (const std::shared_ptr<Events> events = events_) events->on_data();
}

void Transport::watch(bool on) {
  watching_ = on;
  if (on && in().size() < kReadAhead) arm_read();
}

// ---- Writing

void Transport::stage(std::string_view plain) {
  std::string& gathered = loop_->plain();
  if (!tls_) {
    gathered.append(plain);
    return;
  }
  set_active();
  // Full records go out of the caller's own bytes; only what is small is gathered.
  while (!plain.empty()) {
    if (gathered.empty() && plain.size() >= kTlsRecord) {
      const std::size_t whole = plain.size() / kTlsRecord * kTlsRecord;
      if (!tls_->write(plain.substr(0, whole), loop_->cipher())) broken_ = true;
      plain.remove_prefix(whole);
      continue;
    }
    const std::size_t part = std::min(plain.size(), kTlsRecord - gathered.size());
    gathered.append(plain.substr(0, part));
    plain.remove_prefix(part);
    if (gathered.size() == kTlsRecord) encode();
  }
}

void Transport::encode() {
  std::string& gathered = loop_->plain();
  if (!tls_->write(gathered, loop_->cipher())) broken_ = true;
  gathered.clear();
}

std::size_t Transport::staged() const {
  return loop_->plain().size() + loop_->cipher().size() + out_.size() - out_at_;
}

void Transport::send(std::string_view bytes, std::size_t& sent) {
  while (sent < bytes.size()) {
    const ssize_t size =
        ::send(socket_.native_handle(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (size >= 0) {
      sent += static_cast<std::size_t>(size);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (errno != EINTR) {
      broken_ = true;
      return;
    }
  }
}

bool Transport::flush_now() {
  if (tls_ && !loop_->plain().empty()) encode();
  std::string& fresh = tls_ ? loop_->cipher() : loop_->plain();
  if (!broken_ && !out_.empty()) {
    send(out_, out_at_);
    if (out_at_ == out_.size()) {
      out_ = std::string();
      out_at_ = 0;
    }
  }
  if (!broken_ && !fresh.empty()) {
    std::size_t sent = 0;
    // What is older must go first.
    if (out_.empty()) send(fresh, sent);
    out_.append(fresh, sent);
  }
  fresh.clear();
  if (broken_) {
    out_ = std::string();
    out_at_ = 0;
  }
  return out_.empty();
}

void Transport::arm_write() {
  if (write_armed_ || broken_) return;
  write_armed_ = true;
  socket_.async_wait(Socket::wait_write,
                     [self = shared_from_this()](boost::system::error_code error) {
                       self->write_armed_ = false;
                       if (error) self->broken_ = true;
                       self->notify();
                     });
}

Transport::Awaitable<bool> Transport::flush() {
  if (flush_now()) co_return !broken_;
  std::size_t left = out_.size() - out_at_;
  set_deadline(options_.write_timeout);
  while (!flush_now()) {
    if (timed_out_) {
      broken_ = true;
      break;
    }
    // The deadline is for progress, not for the whole: a slow reader may take long, a stuck one may
    // not.
    if (out_.size() - out_at_ < left) {
      left = out_.size() - out_at_;
      set_deadline(options_.write_timeout);
    }
    arm_write();
    co_await wait();
  }
  clear_deadline();
  co_return !broken_;
}

// ---- Waiting

void Transport::interrupt() {
  interrupted_ = true;
  notify();
}

void Transport::rest() {
  if (!has_buffers_ || std::exchange(active_, false)) return;
  has_buffers_ = false;
  if (in_.empty()) in_ = std::string();
  if (tls_) tls_->release_buffers();
}

void Transport::release_buffers_when_crowded() {
  if (loop_->size() <= kCrowd) return;
  active_ = false;
  rest();
}

void Transport::on_tick() {
  if (loop_->tick() >= deadline_) {
    deadline_ = kNever;
    timed_out_ = true;
    notify();
  }
  if (const std::shared_ptr<Events> events = events_; events && wants_ticks_) events->on_tick();
}

// ---- Beginning and end

Transport::Awaitable<bool> Transport::handshake() {
  if (!tls_) co_return true;
  const std::uint64_t until = loop_->tick() + loop_->ticks(options_.handshake_timeout);
  bool first = true;
  while (!ended_ && !timed_out_ && !broken_) {
    deadline_ = until;  // for all of it: a flush has its own
    arm_read();
    co_await wait();
    if (!readable_) continue;
    std::string& buffer = loop_->read_buffer();
    const ssize_t size = ::recv(socket_.native_handle(), buffer.data(), buffer.size(), 0);
    readable_ = size == static_cast<ssize_t>(buffer.size());
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) co_return false;
    if (size < 0) continue;
    const auto bytes = std::string_view(buffer).substr(0, static_cast<std::size_t>(size));
    if (std::exchange(first, false)) answer_plain_http(bytes);
    if (ended_) break;
    const TlsStep step = tls_->handshake(bytes, out_);
    // The buffer is shared: what follows the handshake must be read before anything else.
    if (step == TlsStep::kDone) take_in({});
    if (!co_await flush() || step == TlsStep::kFailed) co_return false;
    if (step == TlsStep::kDone) {
      clear_deadline();
      set_authenticated(false);
      co_return true;
    }
  }
  co_return false;
}

TlsStep Transport::handshake_now() {
  if (!tls_) return TlsStep::kDone;
  if (ended_ || broken_) return TlsStep::kFailed;
  TlsStep step = TlsStep::kMore;
  if (!handshaking_) {
    handshaking_ = true;
    if (options_.side == Side::kClient) step = tls_->handshake({}, out_);
  } else if (readable_) {
    std::string& buffer = loop_->read_buffer();
    const ssize_t size = ::recv(socket_.native_handle(), buffer.data(), buffer.size(), 0);
    readable_ = size == static_cast<ssize_t>(buffer.size());
    if (size > 0) {
      step =
          tls_->handshake(std::string_view(buffer).substr(0, static_cast<std::size_t>(size)), out_);
      // The buffer is shared: what follows the handshake must be read before anything else.
      if (step == TlsStep::kDone) take_in({});
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
      ended_ = true;
      return TlsStep::kFailed;
    }
  }
  flush_now();
  return broken_ && step != TlsStep::kDone ? TlsStep::kFailed : step;
}

void Transport::start_tls(std::shared_ptr<const TlsContext> tls, const TlsGreeting& greeting) {
  tls_.emplace(options_.side, std::move(tls), greeting);
  handshaking_ = false;
}

// Someone who forgot the s of https should read why nothing works.
void Transport::answer_plain_http(std::string_view first_bytes) {
  for (const std::string_view method : {"GET ", "HEAD ", "POST ", "PUT ", "PATCH ", "DELETE "}) {
    if (!first_bytes.starts_with(method)) continue;
    std::size_t sent = 0;
    send("HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n", sent);
    ended_ = true;
  }
}

void Transport::drain() {
  if (const std::shared_ptr<Events> events = events_) {
    events->on_drain();
  } else {
    kill();  // still at its handshake
  }
}

void Transport::kill() {
  broken_ = ended_ = true;
  boost::system::error_code ignored;
  socket_.close(ignored);
  if (const std::shared_ptr<Events> events = events_) events->on_gone();
  cancel();
  notify();
}

void Transport::close_now() {
  listener_ = nullptr;
  events_ = nullptr;
  watching_ = false;
  if (!socket_.is_open()) return;
  if (tls_ && !broken_) {
    tls_->shutdown(loop_->cipher());
    flush_now();
  }
  broken_ = ended_ = true;
  boost::system::error_code ignored;
  socket_.close(ignored);
}

void Transport::finish_writing() {
  if (!socket_.is_open() || broken_) return;
  if (tls_) tls_->shutdown(loop_->cipher());
  flush_now();
  boost::system::error_code ignored;
  if (staged() == 0) socket_.shutdown(Socket::shutdown_send, ignored);
}

Transport::Awaitable<> Transport::close(bool linger) {
  watching_ = false;
  events_ = nullptr;
  if (!socket_.is_open()) co_return;
  if (tls_ && !broken_) {
    tls_->shutdown(loop_->cipher());
    flush_now();
  }
  boost::system::error_code ignored;
  // Closing a socket with unread input resets the connection, and the client may lose the response
  // before it has read it. So input is read and thrown away for a while first.
  socket_.shutdown(Socket::shutdown_send, ignored);
  std::size_t thrown_away = 0;
  timed_out_ = false;
  const std::uint64_t until = loop_->tick() + loop_->ticks(kLingerTime);
  while (linger && !broken_ && !ended_ && !timed_out_ && thrown_away < kLingerBytes &&
         loop_->tick() < until) {
    std::string& buffer = loop_->read_buffer();
    const ssize_t size = ::recv(socket_.native_handle(), buffer.data(), buffer.size(), 0);
    if (size > 0) {
      thrown_away += static_cast<std::size_t>(size);
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
      break;
    } else {
      set_deadline(kLingerIdle);
      deadline_ = std::min(deadline_, until);
      arm_read();
      co_await wait();
    }
  }
  clear_deadline();
  socket_.close(ignored);
}

}  // namespace strake::http
