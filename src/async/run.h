#pragma once
// Where synchronous code meets coroutines: tests and a program's start wait for a task here. Never
// on a loop's own thread.
#include <boost/asio/co_spawn.hpp>
#include <future>

#include "async/task.h"

namespace strake::async {

// Runs the task on the executor, whose loop runs elsewhere, and waits for it.
template <typename T>
Result<T> run_blocking(const Executor& executor, Task<T> task) {
  std::promise<Result<T>> promise;
  auto result = promise.get_future();
  boost::asio::co_spawn(
      executor, std::move(task), [&promise](std::exception_ptr error, Result<T> value) {
        if (error) {
          promise.set_value(fail(Code::kInternal, "a task ended with an exception"));
          return;
        }
        promise.set_value(std::move(value));
      });
  return result.get();
}

}  // namespace strake::async
