#pragma once
// One connection's socket, with TLS or without, as the protocols see it: plain text in, plain text
// out, one coroutine that waits. Of either side. Reads and writes go to the socket at once; Asio is
// asked only when one would block, so an idle connection holds no buffers. Lives on one loop.
// Internal to http.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/loop_context.h"
#include "http/tls.h"
#include "http/wakeup.h"

namespace strake::http {

// What is gathered before the socket is given it, and taken of a body at a time; a slow peer makes
// us hold no more than a few.
inline constexpr std::size_t kSlice = 64 * 1024;
// What a connection may read or write before the loop's others have their turn.
inline constexpr std::size_t kYieldAfter = 1024 * 1024;

// The same for all connections of a server, or of a client.
struct TransportOptions {
  Side side = Side::kServer;
  std::chrono::milliseconds handshake_timeout{10'000};
  // Whoever takes nothing for so long is dropped.
  std::chrono::milliseconds write_timeout{60'000};
};

class Transport : public std::enable_shared_from_this<Transport> {
 public:
  using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, LoopContext::LoopExecutor>;
  template <typename T = void>
  using Awaitable = boost::asio::awaitable<T>;

  // What a protocol hears from outside its coroutine. Any of it may end the connection.
  class Events {
   public:
    virtual ~Events() = default;
    virtual void on_gone() = 0;   // the client, while watch() was on
    virtual void on_drain() = 0;  // the server is to end what can be ended
    virtual void on_tick() = 0;   // every tick, while want_ticks() is on
    virtual void on_data() {}     // something has come, while want_data() is on
  };

  // The options outlive it. `tls` is null for plain text.
  Transport(std::shared_ptr<LoopContext> loop, Socket socket, std::shared_ptr<const TlsContext> tls,
            const TransportOptions& options, const TlsGreeting& greeting = {});
  ~Transport();

  LoopContext& loop() { return *loop_; }
  const std::string& remote_address() const { return remote_address_; }
  const std::string& local_address() const { return local_address_; }
  bool is_tls() const { return tls_.has_value(); }
  bool speaks_h2() const { return tls_ && tls_->speaks_h2(); }
  std::shared_ptr<const PeerCertificate> peer() const { return tls_ ? tls_->peer() : nullptr; }
  std::shared_ptr<const std::string> peer_refusal() const {
    return tls_ ? tls_->peer_refusal() : nullptr;
  }

  // Whether the client has shown who it is, by its certificate or by its latest request.
  bool is_authenticated() const { return authenticated_; }
  void set_authenticated(bool authenticated) {
    authenticated_ = authenticated || (tls_ && tls_->peer() != nullptr);
  }
  // Grows with every use of any connection of the loop: the least was quiet longest.
  std::uint64_t last_use() const { return last_use_; }

  Awaitable<bool> handshake();  // true at once without TLS
  // The same in steps: what can be done without waiting. At kMore something is to be read, and
  // staged() bytes may wait to be written.
  TlsStep handshake_now();
  // From here on TLS, on a connection that was plain so far. Nothing unread may be left.
  void start_tls(std::shared_ptr<const TlsContext> tls, const TlsGreeting& greeting);
  // Why TLS failed; empty when it did not.
  std::string_view tls_failure() const {
    return tls_ ? std::string_view(tls_->failure()) : std::string_view();
  }
  std::shared_ptr<const CertificateFault> certificate_fault() const {
    return tls_ ? tls_->certificate_fault() : nullptr;
  }

  // ---- Reading
  enum class Fill : std::uint8_t { kData, kEnd, kTimeout, kInterrupted };
  // What has arrived and was not taken.
  std::string_view in() const { return std::string_view(in_).substr(in_at_); }
  void take(std::size_t size);
  // Waits for more.
  Awaitable<Fill> fill();
  // Reads what is there without waiting; true when the buffer has grown.
  bool fill_now();
  // The same when nobody said that there is something.
  bool probe() {
    readable_ = true;
    return fill_now();
  }
  bool ended() const { return ended_; }  // no more will come
  // The other side said that there is no more: what was cut off looks different.
  bool ended_cleanly() const { return ended_cleanly_; }
  // While on, what arrives is read by itself, within bounds: so the client's going is noticed.
  void watch(bool on);
  // Has the socket watched for reading, and wakes the coroutine then.
  void arm_read();

  // ---- Writing
  // Gathers. Nothing may suspend between this and the flush.
  void stage(std::string_view plain);
  std::size_t staged() const;  // bytes that wait to be sent
  // Sends what the socket takes at once; true when that was all.
  bool flush_now();
  Awaitable<bool> flush();  // false when the client takes no more
  bool broken() const { return broken_; }
  // Has the socket watched for writing, and wakes the coroutine then.
  void arm_write();

  // ---- Waiting
  void notify() {
    if (listener_) {
      listener_();
    } else {
      wakeup_.notify();
    }
  }
  // Called instead of waking a coroutine, for those who wait in more than one. It must not destroy
  // the transport.
  void set_listener(std::function<void()> listener) { listener_ = std::move(listener); }
  Awaitable<> wait() { return wakeup_.wait(); }
  // Ends fill() with kInterrupted, now or when it is next called.
  void interrupt();
  void set_deadline(std::chrono::milliseconds time) {
    deadline_ = loop_->tick() + loop_->ticks(time);
  }
  void clear_deadline() { deadline_ = kNever; }
  bool timed_out() const { return timed_out_; }
  void want_ticks(bool on) { wants_ticks_ = on; }
  void want_data(bool on) { wants_data_ = on; }
  // Shared, since what it hears may end the coroutine that made it before the call returns.
  void set_events(std::shared_ptr<Events> events) { events_ = std::move(events); }
  // For a stream between its parts. One event to thousands of watchers would otherwise have each of
  // them hold buffers at the same time, until the next tick.
  void release_buffers_when_crowded();

  // The coroutine of the connection is bound to this.
  boost::asio::cancellation_slot cancellation_slot() { return cancel_.slot(); }
  void cancel() { cancel_.emit(boost::asio::cancellation_type::terminal); }

  // ---- The end
  void drain();
  void kill();  // at once, from outside
  // Says good-bye if that can be done at once, and closes. Whoever waits is not told.
  void close_now();
  // Nothing more will be sent; what is staged goes first.
  void finish_writing();
  // Says good-bye. With `linger`, reads on for a while and throws it away: a client that is still
  // sending would otherwise lose the answer.
  Awaitable<> close(bool linger);

 private:
  friend class LoopContext;
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  bool is_due() const { return wants_ticks_ || loop_->tick() >= deadline_; }
  // Called each tick: a connection that was quiet since the last one gives its buffers back.
  // Thousands of watches would hold them for nothing; to give them back after each use is slow.
  void rest();
  void set_active() {
    active_ = has_buffers_ = true;
    last_use_ = loop_->next_use();
  }
  void on_tick();
  bool may_read() const { return !ended_ && (!broken_ || options_.side == Side::kClient); }
  void on_readable(boost::system::error_code error);
  void tell_data();
  void read_socket();
  void take_in(std::string_view bytes);
  void encode();
  void send(std::string_view bytes, std::size_t& sent);
  void answer_plain_http(std::string_view first_bytes);

  std::shared_ptr<LoopContext> loop_;
  Socket socket_;
  std::optional<TlsEngine> tls_;
  const TransportOptions& options_;
  std::string remote_address_;
  std::string local_address_;
  std::shared_ptr<Events> events_;
  Wakeup wakeup_;
  std::function<void()> listener_;
  boost::asio::cancellation_signal cancel_;

  std::string in_;
  std::size_t in_at_ = 0;
  std::string out_;  // encoded; what the socket did not take
  std::size_t out_at_ = 0;

  std::size_t index_ = 0;  // in the list of the loop
  std::uint64_t deadline_ = kNever;
  std::uint64_t last_use_ = 0;
  bool authenticated_ = false;
  bool wants_ticks_ = false;
  bool wants_data_ = false;
  bool timed_out_ = false;
  bool interrupted_ = false;
  bool read_armed_ = false;
  bool write_armed_ = false;
  bool readable_ = false;
  bool watching_ = false;
  bool handshaking_ = false;
  bool ended_ = false;
  bool ended_cleanly_ = false;
  bool broken_ = false;
  bool active_ = false;
  bool has_buffers_ = false;
};

}  // namespace strake::http
