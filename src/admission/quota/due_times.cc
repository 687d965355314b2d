#include "admission/quota/due_times.h"

#include <algorithm>
#include <boost/asio/post.hpp>

namespace strake::admission {

// The clock of the calendar may be set: it is looked at again after a while.
constexpr std::chrono::nanoseconds kLongestWait = std::chrono::minutes(5);
constexpr std::chrono::nanoseconds kShortestWait = std::chrono::milliseconds(10);

DueTimes::DueTimes(async::Executor executor, const Clock& clock,
                   std::function<void(std::set<std::string>)> tell)
    : executor_(std::move(executor)),
      clock_(clock),
      tell_(std::move(tell)),
      signal_(std::make_shared<async::Signal>(executor_)) {}

void DueTimes::set(const std::string& namespace_name, std::optional<Instant> at) {
  {
    const std::lock_guard lock(mu_);
    if (!at) {
      times_.erase(namespace_name);
      return;
    }
    const auto [found, added] = times_.try_emplace(namespace_name, *at);
    if (!added && found->second == *at) return;
    found->second = *at;
  }
  wake();
}

boost::asio::awaitable<void> DueTimes::run() {
  while (true) {
    std::set<std::string> due;
    const std::optional<Instant> next = take_due(due);
    {
      const std::lock_guard lock(mu_);
      if (stopped_) co_return;
    }
    if (!due.empty()) tell_(std::move(due));
    const Deadline deadline =
        next ? Deadline::after(std::clamp<std::chrono::nanoseconds>(next->to_wall() - clock_.now(),
                                                                    kShortestWait, kLongestWait))
             : Deadline::never();
    if (!co_await signal_->wait(deadline)) co_return;
  }
}

void DueTimes::stop() {
  {
    const std::lock_guard lock(mu_);
    stopped_ = true;
  }
  wake();
}

std::optional<Instant> DueTimes::take_due(std::set<std::string>& due) {
  const Instant now = Instant::from(clock_.now());
  std::optional<Instant> next;
  const std::lock_guard lock(mu_);
  for (auto at = times_.begin(); at != times_.end();) {
    if (at->second <= now) {
      due.insert(at->first);
      at = times_.erase(at);
      continue;
    }
    if (!next || at->second < *next) next = at->second;
    ++at;
  }
  return next;
}

void DueTimes::wake() {
  boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
}

}  // namespace strake::admission
