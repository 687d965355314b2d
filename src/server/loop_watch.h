#pragma once
// Whether the loops that serve requests still turn. A sign of life is given only after each of them
// has answered: a loop that hangs is noticed by whoever waits for the sign.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include "async/gate.h"
#include "async/loops.h"
#include "async/signal.h"

namespace strake::server {

class LoopWatch {
 public:
  // The loops must outlive it, and turn until it is stopped.
  LoopWatch(const async::Loops& loops, std::chrono::nanoseconds period,
            std::function<void()> alive);
  ~LoopWatch();
  LoopWatch(const LoopWatch&) = delete;
  LoopWatch& operator=(const LoopWatch&) = delete;

  // From now on, on the first loop.
  void start();
  // On that loop.
  async::Task<> stop();

 private:
  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> visit_all();

  const async::Loops& loops_;
  const std::chrono::nanoseconds period_;
  const std::function<void()> alive_;
  async::Signal stop_;
  async::Gate running_;
};

}  // namespace strake::server
