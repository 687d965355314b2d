#pragma once
// One value handed from any thread to one waiting coroutine, which resumes on its own executor.
// Copies share the state. Set it once; wait for it once.
//
//   OneShot<Written> done;
//   queue.push({write, done});                 // another thread calls done.set(...)
//   co_return co_await done.wait();
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "async/task.h"

namespace strake::async {

template <typename T = void>
class OneShot {
 public:
  OneShot() : state_(std::make_shared<State>()) {}

  void set(Result<T> value) {
    std::move_only_function<void(Result<T>)> resume;
    {
      const std::lock_guard lock(state_->mu);
      if (!state_->resume) {
        state_->value.emplace(std::move(value));
        return;
      }
      resume = std::move(state_->resume);
    }
    resume(std::move(value));
  }

  // The handler is posted and never called from set(): the setter may hold locks, and the waiter
  // must resume on its own executor. The work guard keeps that executor's loop running until then.
  Task<T> wait() {
    co_return co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>,
                                                   void(Result<T>)>(
        [state = state_](auto handler) {
          auto executor = boost::asio::get_associated_executor(handler);
          auto work = boost::asio::make_work_guard(executor);
          auto resume = [executor, work = std::move(work),
                         handler = std::move(handler)](Result<T> value) mutable {
            boost::asio::post(executor,
                              [handler = std::move(handler), value = std::move(value)]() mutable {
                                handler(std::move(value));
                              });
            work.reset();
          };
          std::unique_lock lock(state->mu);
          if (!state->value) {
            state->resume = std::move(resume);
            return;
          }
          Result<T> value = std::move(*state->value);
          lock.unlock();
          resume(std::move(value));
        },
        boost::asio::use_awaitable);
  }

 private:
  struct State {
    std::mutex mu;
    std::optional<Result<T>> value;                   // guarded by mu
    std::move_only_function<void(Result<T>)> resume;  // guarded by mu
  };
  std::shared_ptr<State> state_;
};

}  // namespace strake::async
