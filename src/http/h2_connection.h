#pragma once
// HTTP/2 over one connection: frames by nghttp2, each request a coroutine of its own on the
// connection's loop. Internal to http.
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "http/h2_stream.h"
#include "http/server.h"
#include "http/transport.h"

struct nghttp2_session;

namespace strake::http {

// What every client begins with.
inline constexpr std::string_view kH2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

class H2Connection final : public Transport::Events {
 public:
  H2Connection(Transport& transport, const ServerOptions& options, Handler& handler);
  ~H2Connection() override;

  // Until the connection is to end and the last handler has returned; the caller closes it.
  Transport::Awaitable<> run();

  void on_gone() override {}
  void on_drain() override;
  void on_tick() override;

 private:
  template <typename T = void>
  using Awaitable = Transport::Awaitable<T>;
  using StreamPtr = std::shared_ptr<H2Stream>;
  using HeaderViews = std::vector<std::pair<std::string_view, std::string_view>>;
  struct Callbacks;
  friend struct Callbacks;

  // ---- The connection's own coroutine
  bool feed();
  bool pump_out();
  bool pump();
  void set_deadlines(bool blocked);
  void start_ready();
  void cancel_gone();
  void cancel(const StreamPtr& stream);
  void wake_drained();
  Awaitable<> end();

  // ---- Streams
  Awaitable<> serve(StreamPtr stream);
  Awaitable<> send_stream(StreamPtr stream, std::unique_ptr<BodyStream> body);
  void respond(H2Stream& stream, Response& response);
  void submit(H2Stream& stream, const HeaderViews& head, bool sends_body);
  void resume(H2Stream& stream);  // there is more of the body
  void reset(H2Stream& stream, std::uint32_t code);
  void add_header(H2Stream& stream, std::string_view name, std::string_view value);
  void add_trailer(H2Stream& stream, std::string_view name, std::string_view value);
  void on_headers_end(H2Stream& stream, bool is_end);
  bool add_body(H2Stream& stream, std::string_view bytes);
  void plan_body(H2Stream& stream);
  void begin_stream(H2Stream& stream, bool is_end);
  void add_to_stream(H2Stream& stream, std::string_view bytes);
  bool add_input(std::size_t bytes);
  void end_input(H2Stream& stream);
  void on_request_end(H2Stream& stream);
  void forget(H2Stream& stream);
  void terminate(std::uint32_t code);

  Transport& transport_;
  const ServerOptions& options_;
  Handler& handler_;
  std::shared_ptr<const PeerCertificate> peer_;
  std::shared_ptr<const std::string> peer_refusal_;
  nghttp2_session* session_ = nullptr;
  std::vector<StreamPtr> streams_;
  std::vector<StreamPtr> ready_;      // requests that are whole
  std::vector<StreamPtr> gone_;       // whose handlers are to be cancelled
  std::vector<StreamPtr> cancelled_;  // whose handlers were told, and have not returned
  std::vector<StreamPtr> drained_;    // with room for more of a stream
  std::size_t running_ = 0;           // coroutines
  InputBudget::Claim input_;          // what the requests hold that are arriving
  std::size_t input_bytes_ = 0;       // the same, counted
  std::size_t unsent_ = 0;            // when the socket was full last
  std::uint64_t open_headers_ = 0;    // the tick when a header block began that has not ended, or 0
  std::size_t since_yield_ = 0;
  bool draining_ = false;
  bool told_to_leave_ = false;  // the peer, whose certificate does not pass
  bool failed_ = false;
};

}  // namespace strake::http
