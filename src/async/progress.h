#pragma once
// A number that only grows, such as a revision, and those who wait until it is large enough. They
// are woken when it is: nobody looks again and again. May be used from any thread.
#include <atomic>
#include <cstdint>
#include <memory>

#include "async/task.h"
#include "base/cancel.h"
#include "base/deadline.h"

namespace strake::async {

class Progress {
 public:
  Progress();
  ~Progress();  // ends it
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  std::int64_t reached() const { return reached_.load(std::memory_order_acquire); }
  // A smaller number than before changes nothing.
  void reach(std::int64_t number);
  // It will grow no further: whoever waits now or later is told so.
  void end();

  // Returns true when the number is reached, false when the deadline passes first or when it will
  // not be reached any more. Fails with kCancelled when the token or the coroutine is cancelled.
  Task<bool> wait_for(std::int64_t number, Deadline deadline, CancelToken cancel = {});

 private:
  struct Waiters;
  std::atomic<std::int64_t> reached_{0};
  std::shared_ptr<Waiters> waiters_;  // a coroutine that waits may end after this object
};

}  // namespace strake::async
