#include "async/signal.h"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace strake::async {
namespace {

namespace asio = boost::asio;

// Cancellation of the coroutine and of the timer look the same to Asio: only the coroutine's own
// state tells.
asio::awaitable<bool> is_cancelled() {
  const auto state = co_await asio::this_coro::cancellation_state;
  co_return state.cancelled() != asio::cancellation_type::none;
}

}  // namespace

Signal::Signal(const Executor& executor) : timer_(executor) {}

// A timer serves as the condition variable of coroutines: waiting is waiting for it to expire, and
// cancelling it wakes the waiter. notified_ tells waking from expiry, and remembers a notification
// that came before the wait.
void Signal::notify() {
  notified_ = true;
  timer_.cancel();
}

Task<bool> Signal::wait(Deadline deadline) {
  if (!notified_) {
    // A cancelled wait must come back as an error value, not as Asio's exception.
    co_await asio::this_coro::throw_if_cancelled(false);
    // A cancellation that came while nothing waited is not told again.
    if (co_await is_cancelled()) co_return fail(Code::kCancelled, "the wait was cancelled");
    timer_.expires_at(deadline.time());
    boost::system::error_code error;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, error));
    if (!notified_ && co_await is_cancelled())
      co_return fail(Code::kCancelled, "the wait was cancelled");
  }
  co_return std::exchange(notified_, false);
}

Task<> sleep_until(Deadline deadline) {
  co_await asio::this_coro::throw_if_cancelled(false);
  if (co_await is_cancelled()) co_return fail(Code::kCancelled, "the wait was cancelled");
  asio::steady_timer timer(co_await asio::this_coro::executor, deadline.time());
  boost::system::error_code error;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return fail(Code::kCancelled, "the wait was cancelled");
  co_return Result<>();
}

Task<> sleep_until(Deadline deadline, CancelToken cancel) {
  const Executor executor = co_await asio::this_coro::executor;
  const auto signal = std::make_shared<Signal>(executor);
  // Whoever cancels may be on any thread, and the signal belongs to one.
  const CancelRegistration registration = cancel.on_cancel(
      [executor, signal] { asio::post(executor, [signal] { signal->notify(); }); });
  STRAKE_CO_TRY(const bool woken, co_await signal->wait(deadline));
  if (woken) co_return fail(Code::kCancelled, "the wait was cancelled");
  co_return Result<>();
}

Task<> sleep_for(std::chrono::nanoseconds time) {
  co_return co_await sleep_until(Deadline::after(time));
}

}  // namespace strake::async
