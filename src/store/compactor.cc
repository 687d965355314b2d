#include "store/compactor.h"

#include <utility>

#include "base/log.h"
#include "base/metrics.h"

namespace strake::store {
namespace {

CounterFamily compactions("strake_store_compactions_total",
                          "Compactions of the store's history by what came of them.", {"result"});

}  // namespace

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
    compactions.at({outcome ? "success" : "failure"}).add();
    if (!outcome) {
      if (outcome.error().code() == Code::kServiceUnavailable) co_return Result<>();
      log::get("store").warn("compaction failed", {{"revision", *due}, {"error", outcome.error()}});
    }
  }
}

}  // namespace strake::store
