#pragma once
// A task that runs beside its starter, on any executor, and is waited for later.
#include <boost/asio/co_spawn.hpp>
#include <exception>

#include "async/one_shot.h"
#include "async/task.h"

namespace strake::async {

// Whoever starts it must wait for it before what it uses is gone. An exception becomes kInternal.
//
//   async::OneShot<> other = async::start_on(loops.at(1), half());
//   Result<> own = co_await half();
//   Result<> both = co_await other.wait();
template <typename T>
OneShot<T> start_on(const Executor& executor, Task<T> task) {
  OneShot<T> done;
  boost::asio::co_spawn(executor, std::move(task),
                        [done](std::exception_ptr error, Result<T> value) mutable {
                          done.set(error ? fail(Code::kInternal, "a task ended with an exception")
                                         : std::move(value));
                        });
  return done;
}

}  // namespace strake::async
