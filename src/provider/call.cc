#include "provider/call.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace strake::provider {

Outcome<> Call::check() const {
  STRAKE_CHECK(strake::check(cancel, deadline, *clock));
  return {};
}

Outcome<> Call::sleep(std::chrono::nanoseconds wait) const {
  std::mutex mu;
  std::condition_variable woken;
  bool over = false;  // guarded by mu
  const CancelRegistration heard = cancel.on_cancel([&] {
    const std::lock_guard lock(mu);
    over = true;
    woken.notify_all();
  });
  {
    std::unique_lock lock(mu);
    // A year is as good as forever, and can be added to any time.
    constexpr std::chrono::nanoseconds kLongest = std::chrono::hours(24 * 365);
    woken.wait_for(lock, std::min({wait, deadline.remaining(*clock), kLongest}),
                   [&] { return over; });
  }
  return check();
}

Call Call::within(std::chrono::nanoseconds wait) const {
  Call out = *this;
  out.deadline = deadline.or_earlier(Deadline::after(wait, *clock));
  return out;
}

void Call::step(std::string_view verb, std::string_view what, const Journal::Fields& fields) const {
  if (journal != nullptr) journal->step(verb, what, fields);
}

void Call::warn(std::string_view what, const Journal::Fields& fields) const {
  if (journal != nullptr) journal->warn(what, fields);
}

}  // namespace strake::provider
