#pragma once
// A coroutine that runs beside the one that made it, on the same loop, until it ends or is told to.
// Internal to kube/pods.
#include <memory>

#include "async/task.h"

namespace strake::kube {

class Beside {
 public:
  Beside(const async::Executor& executor, boost::asio::awaitable<void> work);
  ~Beside();
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  // Cancels what it waits for, and returns when it has ended. Must have been called before the end
  // of what `work` refers to.
  boost::asio::awaitable<void> stop();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace strake::kube
