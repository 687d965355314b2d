#include "store/compactor.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <future>

#include "store/conformance.h"
#include "store/memory_store.h"

namespace strake::store {
namespace {

TEST(CompactionSchedule, KeepsTheLastPeriodAndTheOneBefore) {
  CompactionSchedule schedule;
  EXPECT_EQ(schedule.tick(10), std::nullopt);
  EXPECT_EQ(schedule.tick(20), 10);
  EXPECT_EQ(schedule.tick(20), 20);
  EXPECT_EQ(schedule.tick(35), 20);
}

TEST(Compactor, CompactsUntilItIsStopped) {
  async::Loops loops(1);
  MemoryStore store;
  Revision last = 0;
  for (int i = 0; i < 5; ++i) {
    last = async::run_blocking(loops.at(0),
                               store.write({.key = "/a", .value = bytes("1"), .expected = last}))
               ->revision;
  }
  async::Signal stop(loops.at(0));
  std::promise<Result<>> ended;
  boost::asio::co_spawn(
      loops.at(0), compact_periodically(store, std::chrono::milliseconds(1), stop),
      [&](std::exception_ptr, Result<> outcome) { ended.set_value(std::move(outcome)); });
  while (store.compacted_revision() < last) std::this_thread::yield();
  boost::asio::post(loops.at(0), [&] { stop.notify(); });
  EXPECT_TRUE(ended.get_future().get());
  EXPECT_EQ(store.compacted_revision(), last);
}

}  // namespace
}  // namespace strake::store
