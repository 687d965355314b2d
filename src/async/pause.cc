#include "async/pause.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <memory>
#include <random>

#include "async/signal.h"

namespace strake::async {

boost::asio::awaitable<bool> pause_for(std::chrono::nanoseconds time, CancelToken cancel) {
  const Executor executor = co_await boost::asio::this_coro::executor;
  const auto given_up = std::make_shared<Signal>(executor);
  const CancelRegistration registration = cancel.on_cancel(
      [given_up, executor] { boost::asio::post(executor, [given_up] { given_up->notify(); }); });
  const Result<bool> notified = co_await given_up->wait(Deadline::after(time));
  co_return notified && !*notified;
}

std::chrono::nanoseconds pause_after(std::size_t failures, const Backoff& backoff) {
  static thread_local std::minstd_rand random(std::random_device{}());
  auto pause = std::chrono::duration<double, std::nano>(backoff.first);
  for (std::size_t i = 1; i < failures && pause < backoff.most; ++i) pause *= backoff.factor;
  pause = std::min(pause, std::chrono::duration<double, std::nano>(backoff.most));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      pause * (1 + std::uniform_real_distribution<>(0, backoff.jitter)(random)));
}

}  // namespace strake::async
