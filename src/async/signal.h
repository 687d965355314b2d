#pragma once
// Wakes one waiting coroutine, again and again. A notification that comes while nobody waits is
// kept, and many of them are one. Everything happens on the executor it was made for.
#include <boost/asio/steady_timer.hpp>

#include "async/task.h"
#include "base/cancel.h"
#include "base/deadline.h"

namespace strake::async {

class Signal {
 public:
  explicit Signal(const Executor& executor);

  void notify();
  // Returns true when notified, false when the deadline passed first. Fails with kCancelled when
  // the coroutine is cancelled.
  Task<bool> wait(Deadline deadline);

 private:
  boost::asio::steady_timer timer_;
  bool notified_ = false;
};

// Waits until the deadline. Fails with kCancelled when the coroutine is cancelled.
Task<> sleep_until(Deadline deadline);
Task<> sleep_until(Deadline deadline, CancelToken cancel);  // or the token
Task<> sleep_for(std::chrono::nanoseconds time);

}  // namespace strake::async
