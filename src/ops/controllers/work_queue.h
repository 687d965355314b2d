#pragma once
// What is to be looked at, and when: each object once, however often it is told, and by one worker
// at a time. What failed waits longer each time; what has changed does not wait. May be used from
// any thread.
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "async/pause.h"
#include "base/cancel.h"
#include "base/time.h"
#include "ops/controllers/object_key.h"

namespace strake::ops {

class WorkQueue {
 public:
  WorkQueue(const Clock& clock, async::Backoff backoff) : clock_(clock), backoff_(backoff) {}

  // Now. When it is being looked at, then again right after that.
  void add(const ObjectKey& key);

  // What is due, to be looked at by the caller, who says done() or failed() afterwards. Nothing
  // when nothing is due.
  std::optional<ObjectKey> try_take();
  // Waits for it. Nothing when cancelled. For the system's clock alone.
  std::optional<ObjectKey> take(const CancelToken& cancel);

  // Was looked at with success: again after that time, or only when something changes.
  void done(const ObjectKey& key, std::optional<std::chrono::nanoseconds> again);
  // Again after a pause, which it returns.
  std::chrono::nanoseconds failed(const ObjectKey& key);

  // When the next one is due; nothing when nothing is planned.
  std::optional<SteadyTime> next_due() const;
  std::size_t size() const;  // that are planned or being looked at

 private:
  struct Entry {
    std::optional<SteadyTime> due;  // it is in due_ then
    bool taken = false;
    bool changed = false;  // while it was taken
    std::size_t failures = 0;
  };
  using Entries = std::map<ObjectKey, Entry>;

  void plan(Entries::iterator at, std::optional<SteadyTime> due);
  std::optional<ObjectKey> take_due();

  const Clock& clock_;
  const async::Backoff backoff_;
  mutable std::mutex mu_;
  std::condition_variable_any told_;
  Entries entries_;                                 // guarded by mu_
  std::set<std::pair<SteadyTime, ObjectKey>> due_;  // guarded by mu_
};

}  // namespace strake::ops
