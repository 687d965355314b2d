#pragma once
// A body between the connection that receives it and the handler that reads it. Of one loop.
// Internal to http.
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "async/signal.h"
#include "http/byte_stream.h"
#include "http/message.h"

namespace strake::http {

class BodyQueue : public std::enable_shared_from_this<BodyQueue> {
 public:
  // A sender that is silent for longer than `patience` while somebody waits ends it.
  BodyQueue(const async::Executor& executor, std::chrono::milliseconds patience)
      : signal_(executor), patience_(patience) {}

  // What a handler gets. When it is destroyed, nobody reads.
  std::shared_ptr<BodyReader> reader();

  // ---- The connection's side
  void push(std::string_view bytes);
  void end(Headers trailers);
  void fail(Failure why);
  std::size_t size() const { return in_.size(); }
  bool has_ended() const { return ended_ || failure_.has_value(); }
  bool is_whole() const { return ended_; }
  // Called with what was taken, and with 0 before somebody waits. Set it to null when the
  // connection is gone.
  void set_on_room(std::function<void(std::size_t)> on_room) { on_room_ = std::move(on_room); }

 private:
  class Reader;
  Exchange<std::string> next(std::shared_ptr<BodyQueue> self);

  async::Signal signal_;
  std::chrono::milliseconds patience_;
  std::function<void(std::size_t)> on_room_;
  std::string in_;
  Headers trailers_;
  std::optional<Failure> failure_;
  bool ended_ = false;
};

}  // namespace strake::http
