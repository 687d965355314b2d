#pragma once
// What the connections of one loop share: its clock, its buffers, and the list of them. Touched on
// that loop's thread only, but for the counters. Internal to http.
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "http/input_budget.h"

namespace strake::http {

class Transport;

class LoopContext : public std::enable_shared_from_this<LoopContext> {
 public:
  using LoopExecutor = boost::asio::io_context::executor_type;
  static constexpr std::size_t kReadSize = 64 * 1024;

  // The length of a tick follows from the shortest timeout.
  LoopContext(LoopExecutor executor, std::chrono::milliseconds shortest_timeout,
              std::shared_ptr<InputBudget> input);

  const LoopExecutor& executor() const { return executor_; }

  // A connection has no timer of its own: deadlines are ticks, and a tick looks at all of them.
  std::uint64_t tick() const { return tick_; }
  std::uint64_t ticks(std::chrono::milliseconds time) const;
  // Now, as the Date header wants it. As old as a tick.
  const std::string& date() const { return date_; }

  void add(Transport& transport);
  void remove(Transport& transport);
  std::size_t size() const { return transports_.size(); }
  std::vector<std::shared_ptr<Transport>> all() const;

  std::uint64_t next_use() { return ++uses_; }
  InputBudget& input() { return *input_; }
  // Closes up to so many unauthenticated connections, those that were quiet longest; tells how
  // many.
  std::size_t close_idlest(std::size_t count);

  // The buffers hold something only while one coroutine runs without suspending.
  std::string& read_buffer() { return read_buffer_; }  // kReadSize bytes
  std::string& plain() { return plain_; }
  std::string& cipher() { return cipher_; }

  bool draining = false;
  bool stopped = false;

  std::atomic<bool> making_room{false};
  std::atomic<std::size_t> connections{0};
  std::atomic<std::size_t> in_flight{0};
  std::atomic<std::uint64_t> requests{0};

 private:
  void schedule();
  void on_tick();
  void set_date();

  LoopExecutor executor_;
  std::shared_ptr<InputBudget> input_;
  boost::asio::basic_waitable_timer<
      std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, LoopExecutor>
      timer_;
  std::chrono::milliseconds tick_length_;
  bool ticking_ = false;
  std::uint64_t tick_ = 0;
  std::uint64_t uses_ = 0;
  std::time_t second_ = 0;
  std::string date_;
  std::string read_buffer_;
  std::string plain_;
  std::string cipher_;
  std::vector<Transport*> transports_;
};

}  // namespace strake::http
