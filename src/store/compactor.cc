#include "store/compactor.h"

#include <utility>

#include "base/log.h"

namespace strake::store {

std::optional<Revision> CompactionSchedule::tick(Revision newest) {
  return std::exchange(at_last_tick_, newest);
}

async::Task<> compact_periodically(Store& store, std::chrono::nanoseconds period,
                                   async::Signal& stop) {
  CompactionSchedule schedule;
  schedule.tick(store.revision());
  while (true) {
    STRAKE_CO_TRY(const bool stopped, co_await stop.wait(Deadline::after(period)));
    if (stopped) co_return Result<>();
    const std::optional<Revision> due = schedule.tick(store.revision());
    if (!due || *due <= store.compacted_revision()) continue;
    const Result<> outcome = co_await store.compact(*due);
    if (!outcome) {
      if (outcome.error().code() == Code::kServiceUnavailable) co_return Result<>();
      log::get("store").warn("compaction failed", {{"revision", *due}, {"error", outcome.error()}});
    }
  }
}

}  // namespace strake::store
