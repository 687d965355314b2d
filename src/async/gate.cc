#include "async/gate.h"

// The last to leave wakes whoever closes. The gate may be destroyed as soon as close() returns, so
// leave() touches nothing of it after the lock is released.

namespace strake::async {

Gate::Pass Gate::enter() {
  const std::lock_guard lock(mu_);
  if (closed_) return {};
  ++inside_;
  return Pass(this);
}

bool Gate::closed() const {
  const std::lock_guard lock(mu_);
  return closed_;
}

std::size_t Gate::inside() const {
  const std::lock_guard lock(mu_);
  return inside_;
}

void Gate::shut() {
  const std::lock_guard lock(mu_);
  closed_ = true;
}

Task<> Gate::close() {
  OneShot<> done;
  {
    const std::lock_guard lock(mu_);
    closed_ = true;
    if (inside_ == 0) co_return Result<>();
    waiting_.push_back(done);
  }
  co_return co_await done.wait();
}

void Gate::leave() {
  std::vector<OneShot<>> waiting;
  {
    const std::lock_guard lock(mu_);
    if (--inside_ > 0 || !closed_) return;
    waiting.swap(waiting_);
  }
  for (OneShot<>& one : waiting) one.set({});
}

}  // namespace strake::async
