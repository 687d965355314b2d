#include "ops/controllers/work_queue.h"

namespace strake::ops {

void WorkQueue::plan(Entries::iterator at, std::optional<SteadyTime> due) {
  Entry& entry = at->second;
  if (entry.due) due_.erase({*entry.due, at->first});
  entry.due = due;
  if (due) due_.emplace(*due, at->first);
  if (!due && !entry.taken && entry.failures == 0) entries_.erase(at);
}

void WorkQueue::add(const ObjectKey& key) {
  {
    const std::scoped_lock lock(mu_);
    const auto at = entries_.try_emplace(key).first;
    Entry& entry = at->second;
    const SteadyTime now = clock_.steady_now();
    if (entry.taken) {
      entry.changed = true;
    } else if (!entry.due || *entry.due > now) {
      plan(at, now);
    }
  }
  told_.notify_all();
}

std::optional<ObjectKey> WorkQueue::take_due() {
  if (due_.empty() || due_.begin()->first > clock_.steady_now()) return std::nullopt;
  const auto at = entries_.find(due_.begin()->second);
  at->second.taken = true;
  at->second.changed = false;
  plan(at, std::nullopt);
  return at->first;
}

std::optional<ObjectKey> WorkQueue::try_take() {
  const std::scoped_lock lock(mu_);
  return take_due();
}

std::optional<ObjectKey> WorkQueue::take(const CancelToken& cancel) {
  // Whoever cancels needs the lock for a moment: a waiter that has just looked would miss it.
  const CancelRegistration wake = cancel.on_cancel([this] {
    {
      const std::scoped_lock lock(mu_);
    }
    told_.notify_all();
  });
  std::unique_lock lock(mu_);
  while (!cancel.cancelled()) {
    if (auto key = take_due()) return key;
    if (due_.empty()) {
      told_.wait(lock);
    } else {
      const SteadyTime due = due_.begin()->first;  // others change the queue meanwhile
      told_.wait_until(lock, due);
    }
  }
  return std::nullopt;
}

void WorkQueue::done(const ObjectKey& key, std::optional<std::chrono::nanoseconds> again) {
  {
    const std::scoped_lock lock(mu_);
    const auto at = entries_.find(key);
    if (at == entries_.end()) return;
    Entry& entry = at->second;
    const SteadyTime now = clock_.steady_now();
    entry.taken = false;
    entry.failures = 0;
    std::optional<SteadyTime> due;
    if (entry.changed) {
      due = now;
    } else if (again) {
      due = now + *again;
    }
    plan(at, due);
  }
  told_.notify_all();
}

std::chrono::nanoseconds WorkQueue::failed(const ObjectKey& key) {
  std::chrono::nanoseconds pause{0};
  {
    const std::scoped_lock lock(mu_);
    const auto at = entries_.find(key);
    if (at == entries_.end()) return pause;
    Entry& entry = at->second;
    entry.taken = false;
    ++entry.failures;
    if (!entry.changed) pause = async::pause_after(entry.failures, backoff_);
    plan(at, clock_.steady_now() + pause);
  }
  told_.notify_all();
  return pause;
}

std::optional<SteadyTime> WorkQueue::next_due() const {
  const std::scoped_lock lock(mu_);
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

std::size_t WorkQueue::size() const {
  const std::scoped_lock lock(mu_);
  return entries_.size();
}

}  // namespace strake::ops
