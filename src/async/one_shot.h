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

#include "async/resumptions.h"
#include "async/task.h"

namespace strake::async {

template <typename T = void>
class OneShot {
 public:
  OneShot() : state_(std::make_shared<State>()) {}

  void set(Result<T> value) {
    if (std::optional<Waiter> waiter = state_->give(value))
      boost::asio::post(waiter->executor, waiter->resumption(std::move(value)));
  }
  // The same for one of many that are set together: the waiter goes on when those are posted.
  void set(Result<T> value, Resumptions& together) {
    if (std::optional<Waiter> waiter = state_->give(value))
      together.add(waiter->executor, waiter->resumption(std::move(value)));
  }

  // The handler is posted and never called from set(): the setter may hold locks, and the waiter
  // must resume on its own executor. The work guard keeps that executor's loop running until then.
  Task<T> wait() {
    co_return co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>,
                                                   void(Result<T>)>(
        [state = state_](auto handler) {
          const Executor executor = boost::asio::get_associated_executor(handler);
          Waiter waiter{.executor = executor,
                        .handler = std::move(handler),
                        .work = boost::asio::make_work_guard(executor)};
          std::unique_lock lock(state->mu);
          if (!state->value) {
            state->waiter.emplace(std::move(waiter));
            return;
          }
          Result<T> value = std::move(*state->value);
          lock.unlock();
          boost::asio::post(executor, waiter.resumption(std::move(value)));
        },
        boost::asio::use_awaitable);
  }

 private:
  struct Waiter {
    Executor executor;
    std::move_only_function<void(Result<T>)> handler;
    boost::asio::executor_work_guard<Executor> work;

    auto resumption(Result<T> value) {
      return [handler = std::move(handler), work = std::move(work),
              value = std::move(value)]() mutable { handler(std::move(value)); };
    }
  };
  struct State {
    std::mutex mu;
    std::optional<Result<T>> value;  // guarded by mu
    std::optional<Waiter> waiter;    // guarded by mu

    // Who waits for it; without one the value is kept.
    std::optional<Waiter> give(Result<T>& given) {
      const std::lock_guard lock(mu);
      if (!waiter) {
        value.emplace(std::move(given));
        return std::nullopt;
      }
      return std::exchange(waiter, std::nullopt);
    }
  };
  std::shared_ptr<State> state_;
};

}  // namespace strake::async
