#include "cli/io/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace strake::cli {
namespace {

TEST(ForEachIndex, DoesEveryOneOnceOnAnyNumberOfThreads) {
  for (const std::size_t threads : {1u, 2u, 3u, 16u}) {
    for (const std::size_t count : {0u, 1u, 2u, 7u, 8u, 9u, 1000u}) {
      std::vector<std::atomic<int>> done(count);
      std::size_t told = 0;
      for_each_index(
          count, threads, [&](std::size_t i) { ++done[i]; },
          [&](std::size_t more) { told += more; });
      EXPECT_EQ(told, count);
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ForEachIndex, WorksOnTheCallingThreadAndTellsProgressThere) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> begun = false;
  std::atomic<bool> told_elsewhere = false;
  std::atomic<std::size_t> by_caller = 0;
  for_each_index(
      100, 2,
      [&](std::size_t) {
        if (std::this_thread::get_id() == caller) ++by_caller, begun = true;
        // The other thread leaves some for the caller, however late that one comes.
        begun.wait(false);
        begun.notify_all();
      },
      [&](std::size_t) {
        told_elsewhere = told_elsewhere || std::this_thread::get_id() != caller;
      });
  EXPECT_GT(by_caller, 0u);
  EXPECT_FALSE(told_elsewhere);
}

}  // namespace
}  // namespace strake::cli
