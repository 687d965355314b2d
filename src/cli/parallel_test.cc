#include "cli/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
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

}  // namespace
}  // namespace strake::cli
