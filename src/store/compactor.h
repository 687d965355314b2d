#pragma once
// When to compact: with every period that passes, history older than the period before it goes. So
// between one and two periods of history are there at any time, as kube-apiserver keeps them.
#include <chrono>
#include <optional>

#include "async/signal.h"
#include "store/store.h"

namespace strake::store {

class CompactionSchedule {
 public:
  // To be asked once each period: up to where history may go now, given the newest revision.
  std::optional<Revision> tick(Revision newest);

 private:
  std::optional<Revision> at_last_tick_;
};

// Runs until the signal is notified. A compaction that fails is logged, and made up for by the
// next. The store and the signal must outlive the task.
async::Task<> compact_periodically(Store& store, std::chrono::nanoseconds period,
                                   async::Signal& stop);

}  // namespace strake::store
