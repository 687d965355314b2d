#include "server/ending.h"

#include <boost/asio/co_spawn.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace strake::server {

Ending wait_for_end(const std::future<Result<>>& task, EndingTimes times,
                    const std::function<void()>& cancel) {
  if (task.wait_for(times.drain) == std::future_status::ready) return Ending::kOrderly;
  cancel();
  if (task.wait_for(times.grace) == std::future_status::ready) return Ending::kCancelled;
  return Ending::kGivenUp;
}

std::optional<Result<>> run_until_stopped(const async::Executor& executor, async::Task<> task,
                                          const CancelToken& stop, std::chrono::milliseconds grace,
                                          const std::function<void()>& cancel) {
  struct Run {
    std::mutex mu;
    std::condition_variable changed;
    std::optional<Result<>> outcome;  // guarded by mu
    bool stopped = false;             // guarded by mu
  };
  const auto run = std::make_shared<Run>();  // a task that is given up may still end
  boost::asio::co_spawn(executor, std::move(task),
                        [run](const std::exception_ptr& error, Result<> value) {
                          if (error)
                            value = fail(Code::kInternal, "a task ended with an exception");
                          const std::lock_guard lock(run->mu);
                          run->outcome = std::move(value);
                          run->changed.notify_one();
                        });
  const CancelRegistration registration = stop.on_cancel([run] {
    const std::lock_guard lock(run->mu);
    run->stopped = true;
    run->changed.notify_one();
  });
  std::unique_lock lock(run->mu);
  run->changed.wait(lock, [&] { return run->outcome || run->stopped; });
  if (!run->outcome) {
    lock.unlock();
    cancel();
    lock.lock();
    run->changed.wait_for(lock, grace, [&] { return run->outcome.has_value(); });
  }
  return run->outcome;
}

std::future<Result<>> launch(const async::Executor& executor, async::Task<> task) {
  auto promise = std::make_shared<std::promise<Result<>>>();
  std::future<Result<>> out = promise->get_future();
  boost::asio::co_spawn(executor, std::move(task),
                        [promise](const std::exception_ptr& error, Result<> value) {
                          if (error)
                            value = fail(Code::kInternal, "a task ended with an exception");
                          promise->set_value(std::move(value));
                        });
  return out;
}

}  // namespace strake::server
