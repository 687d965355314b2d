#pragma once
// One kept-alive HTTPS/1.1 connection that never blocks: one request at a time, one response or a
// stream. Owned and used by one thread; says which events of the socket it waits for.
#include <cstdint>
#include <string>
#include <string_view>

#include "target.h"

struct ssl_st;

namespace strake::load {

struct Answer {
  int status = 0;
  std::size_t body_size = 0;
  std::string body;  // only when the connection was told to keep bodies
};

class Connection {
 public:
  enum class Step : std::uint8_t {
    kWait,    // for the socket
    kAnswer,  // a whole response is in answer()
    kEnd,     // closed by the other side, or broken: see problem()
  };

  explicit Connection(const Endpoint& endpoint) : endpoint_(endpoint) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Result<> open();  // begins to connect
  int descriptor() const { return descriptor_; }
  bool wants_write() const { return wants_write_; }

  // Begins a request. `keep_body` has the body kept in the answer.
  void send(std::string_view request, bool keep_body);
  // Does what can be done without waiting.
  Step advance();
  const Answer& answer() const { return answer_; }
  const std::string& problem() const { return problem_; }
  // Of a response that does not end: what has come of its body since the last call. Empties it.
  std::string take_stream();
  bool is_connected() const { return state_ > State::kHandshake; }
  bool has_head() const { return state_ == State::kBody; }

 private:
  enum class State : std::uint8_t { kConnecting, kHandshake, kIdle, kHead, kBody };
  enum class Length : std::uint8_t { kKnown, kChunked, kUntilClose };
  enum class Chunk : std::uint8_t { kSize, kData, kDataEnd, kTrailer };

  Step fail_with(std::string problem);
  Step wait_for_tls(int outcome);
  bool write_out(Step& step);
  bool take_input(std::string_view input);  // true when the response is whole
  bool read_head();
  bool take_body(std::string_view input);
  bool take_chunks(std::string_view input);
  void keep(std::string_view part);

  const Endpoint& endpoint_;
  int descriptor_ = -1;
  ssl_st* ssl_ = nullptr;
  State state_ = State::kConnecting;
  bool wants_write_ = true;
  bool keep_body_ = false;
  std::string out_;
  std::size_t out_at_ = 0;
  std::string head_;
  Answer answer_;
  Length length_ = Length::kKnown;
  std::size_t left_ = 0;  // of the body or the chunk
  Chunk chunk_ = Chunk::kSize;
  std::string line_;  // a part of a line between chunks
  std::string problem_;
};

}  // namespace strake::load
