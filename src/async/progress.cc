#include "async/progress.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <mutex>
#include <vector>

#include "async/signal.h"

// No wake-up is lost: a waiter is entered under the mutex after the number has been looked at under
// the same mutex, and reach() changes the number and looks through the waiters under it. Either the
// waiter sees the new number, or reach() sees the waiter.
//
// Waking is a message to the waiter's own executor, never a call: reach() may be called under locks
// of its caller's. The waiter looks at the number again when it wakes, since a deadline, a
// cancellation and the number may come together.

namespace strake::async {
namespace {

// A signal belongs to one executor; whoever wakes it may be on any thread.
struct Sleeper {
  Executor executor;
  std::shared_ptr<Signal> signal;
  void wake() const {
    boost::asio::post(executor, [signal = signal] { signal->notify(); });
  }
};

}  // namespace

struct Progress::Waiters {
  struct Waiter {
    std::int64_t number;
    Sleeper sleeper;
  };
  std::mutex mu;
  std::int64_t reached = 0;  // guarded by mu
  bool ended = false;        // guarded by mu
  std::vector<Waiter> all;   // guarded by mu

  enum class State { kWaiting, kReached, kEnded };
  State state_of(std::int64_t number) const {
    if (reached >= number) return State::kReached;
    return ended ? State::kEnded : State::kWaiting;
  }
  State add(std::int64_t number, const Sleeper& sleeper) {
    const std::lock_guard lock(mu);
    const State state = state_of(number);
    if (state == State::kWaiting) all.push_back({number, sleeper});
    return state;
  }
  State remove(std::int64_t number, const Sleeper& sleeper) {
    const std::lock_guard lock(mu);
    std::erase_if(all, [&](const Waiter& one) { return one.sleeper.signal == sleeper.signal; });
    return state_of(number);
  }
};

Progress::Progress() : waiters_(std::make_shared<Waiters>()) {}

Progress::~Progress() { end(); }

void Progress::reach(std::int64_t number) {
  const std::lock_guard lock(waiters_->mu);
  if (number <= waiters_->reached) return;
  waiters_->reached = number;
  reached_.store(number, std::memory_order_release);
  std::erase_if(waiters_->all, [number](const Waiters::Waiter& one) {
    if (one.number > number) return false;
    one.sleeper.wake();
    return true;
  });
}

void Progress::end() {
  const std::lock_guard lock(waiters_->mu);
  waiters_->ended = true;
  for (const Waiters::Waiter& one : waiters_->all) one.sleeper.wake();
  waiters_->all.clear();
}

Task<bool> Progress::wait_for(std::int64_t number, Deadline deadline, CancelToken cancel) {
  using State = Waiters::State;
  // The common case, without the lock. The number only grows, so a stale value is merely too small
  // and is checked again under the lock (Waiters::add).
  if (reached() >= number) co_return true;
  const std::shared_ptr<Waiters> waiters = waiters_;
  const Executor executor = co_await boost::asio::this_coro::executor;
  const Sleeper sleeper{executor, std::make_shared<Signal>(executor)};
  if (const State state = waiters->add(number, sleeper); state != State::kWaiting)
    co_return state == State::kReached;
  Result<bool> woken = false;
  {
    const CancelRegistration registration = cancel.on_cancel([sleeper] { sleeper.wake(); });
    woken = co_await sleeper.signal->wait(deadline);
  }
  // Reached wins over a deadline or cancellation that came at the same time.
  if (waiters->remove(number, sleeper) == State::kReached) co_return true;
  if (!woken) co_return std::unexpected(woken.error());
  if (cancel.cancelled()) co_return fail(Code::kCancelled, "the wait was cancelled");
  co_return false;
}

}  // namespace strake::async
