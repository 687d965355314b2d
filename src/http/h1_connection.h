#pragma once
// HTTP/1.0 and HTTP/1.1 over one connection: requests one after the other, each answered before the
// next is looked at. Internal to http.
#include <string>
#include <vector>

#include "http/body_queue.h"
#include "http/h1_parser.h"
#include "http/h1_response.h"
#include "http/server.h"
#include "http/transport.h"

namespace strake::http {

class H1Connection final : public Transport::Events {
 public:
  H1Connection(Transport& transport, const ServerOptions& options, Handler& handler);

  // Until the connection is to end; the caller closes it.
  Transport::Awaitable<> run();
  // Whether the client may still be sending what nobody wants.
  bool has_unread_body() const { return unread_body_; }

  void on_gone() override;
  void on_drain() override;
  void on_tick() override;
  void on_data() override;

 private:
  enum class Phase : std::uint8_t { kIdle, kReading, kHandling, kStreaming, kWriting };
  template <typename T = void>
  using Awaitable = Transport::Awaitable<T>;

  Awaitable<bool> read_head();
  bool may_hold_head();
  Awaitable<bool> read_body();
  bool plan_body();
  bool take_body(ChunkDecoder& chunks, Progress& progress);
  Awaitable<bool> say_continue();
  void begin_stream();
  void pull_stream();
  bool end_stream();
  Awaitable<> refuse(Refusal refusal);
  Awaitable<Response> call_handler();

  bool agrees_to_upgrade(const Response& response) const;
  Awaitable<> run_upgrade(Upgrade upgrade);
  ResponseFraming plan(const Response& response) const;
  Awaitable<bool> respond(Response& response);
  Awaitable<bool> send_pieces(const std::vector<Piece>& pieces);
  struct Packing;
  struct Stalling;
  Awaitable<bool> send_packed(Packing& packing, const std::vector<Piece>& pieces);
  void stage_packed(Packing& packing);
  Awaitable<bool> send_gzip(Response& response);
  Awaitable<bool> send_stream(BodyStream& stream, bool chunked, Packing* packing);
  Awaitable<Result<std::vector<Piece>>> next_parts(BodyStream& stream);
  Awaitable<bool> send_chunk(const std::vector<Piece>& parts, bool chunked);
  Awaitable<bool> flush_and_yield();
  void cancel_work();
  Awaitable<> settle_cancellation();

  Transport& transport_;
  const ServerOptions& options_;
  Handler& handler_;
  HeadParser parser_;
  std::shared_ptr<const PeerCertificate> peer_;
  std::shared_ptr<const std::string> peer_refusal_;
  RequestHead head_;
  InputBudget::Claim input_;  // what the request holds while it arrives
  std::size_t body_limit_ = 0;
  // What the response needs to know once the handler has the request.
  bool is_head_ = false;
  bool is_old_ = false;
  bool asks_upgrade_ = false;
  bool takes_gzip_ = false;
  // A body that the handler reads while it arrives.
  std::shared_ptr<BodyQueue> arriving_;
  ChunkDecoder arriving_chunks_;
  std::uint64_t arriving_left_ = 0;   // until its end, when it says its length
  std::uint64_t arriving_limit_ = 0;  // until it is too large
  Phase phase_ = Phase::kIdle;
  bool draining_ = false;
  bool unread_body_ = false;
  bool cancelled_ = false;
  CancelSource client_gone_;            // for handlers; a new one after it was used
  const BodyStream* stream_ = nullptr;  // that is being sent
  std::size_t since_yield_ = 0;
};

}  // namespace strake::http
