#include "server/ending.h"

#include <boost/asio/co_spawn.hpp>
#include <memory>

namespace strake::server {

Ending wait_for_end(const std::future<Result<>>& task, EndingTimes times,
                    const std::function<void()>& cancel) {
  if (task.wait_for(times.drain) == std::future_status::ready) return Ending::kOrderly;
  cancel();
  if (task.wait_for(times.grace) == std::future_status::ready) return Ending::kCancelled;
  return Ending::kGivenUp;
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
