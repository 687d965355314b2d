#include "cli/io/bulk_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace strake::cli {
namespace {

// Nothing else in this program asks for bulk memory: operator new is the library's.
class BulkMemoryTest : public testing::Test {
 protected:
  BulkMemoryTest() { bulk_memory.start(); }
};

struct Block {
  unsigned char* memory;
  std::size_t bytes;
  unsigned char mark;

  bool is_whole() const {
    return std::all_of(memory, memory + bytes, [this](unsigned char c) { return c == mark; });
  }
};

Block marked_block(std::size_t bytes, unsigned char mark) {
  void* memory = bulk_memory.take(bytes);
  EXPECT_NE(memory, nullptr) << bytes;
  std::memset(memory, mark, bytes);
  return {static_cast<unsigned char*>(memory), bytes, mark};
}

std::vector<std::size_t> sizes_at_every_edge() {
  std::vector<std::size_t> out = {0};
  for (std::size_t bytes = 1; bytes <= BulkMemory::kLargest; bytes += 1 + bytes / 7) {
    for (const std::size_t edge : {bytes - 1, bytes, bytes + 1}) {
      if (edge <= BulkMemory::kLargest) out.push_back(edge);
    }
  }
  out.push_back(BulkMemory::kLargest);
  return out;
}

TEST(BulkMemory, HasNothingBeforeItIsStarted) {
  static constinit BulkMemory memory;
  EXPECT_EQ(memory.take(100), nullptr);
  EXPECT_EQ(memory.take(100'000), nullptr);
  int other = 0;
  EXPECT_FALSE(memory.owns(&other));
  EXPECT_FALSE(memory.owns(nullptr));
}

TEST_F(BulkMemoryTest, HandsOutBlocksOfAnySizeThatDoNotOverlap) {
  for (int round = 0; round < 3; ++round) {
    std::vector<Block> blocks;
    for (const std::size_t bytes : sizes_at_every_edge())
      blocks.push_back(marked_block(bytes, static_cast<unsigned char>(blocks.size() % 251 + 1)));
    for (const Block& block : blocks) {
      EXPECT_TRUE(block.is_whole()) << block.bytes;
      EXPECT_TRUE(bulk_memory.owns(block.memory));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.memory) % 16, 0u);
    }
    for (const Block& block : blocks) bulk_memory.give_back(block.memory);
  }
}

TEST_F(BulkMemoryTest, HandsOutAgainWhatWasGivenBack) {
  for (const std::size_t bytes : {1u, 16u, 1000u, 5000u, 8192u, 8193u, 100'000u}) {
    void* first = bulk_memory.take(bytes);
    bulk_memory.give_back(first);
    void* second = bulk_memory.take(bytes);
    EXPECT_EQ(first, second) << bytes;
    bulk_memory.give_back(second);
  }
}

TEST_F(BulkMemoryTest, LeavesVeryLargeBlocksToOthers) {
  EXPECT_EQ(bulk_memory.take(BulkMemory::kLargest + 1), nullptr);
}

TEST_F(BulkMemoryTest, OwnsNothingThatComesFromElsewhere) {
  int on_the_stack = 0;
  const auto on_the_heap = std::make_unique<int>(0);
  EXPECT_FALSE(bulk_memory.owns(&on_the_stack));
  EXPECT_FALSE(bulk_memory.owns(on_the_heap.get()));
  EXPECT_FALSE(bulk_memory.owns(nullptr));
}

TEST_F(BulkMemoryTest, TakesBackOnOneThreadWhatAnotherTook) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::vector<Block>> taken(4);
    std::vector<std::jthread> takers;
    for (std::size_t t = 0; t < taken.size(); ++t) {
      takers.emplace_back([&taken, t] {
        for (std::size_t i = 0; i < 500; ++i)
          taken[t].push_back(marked_block(i * i % 20'000, static_cast<unsigned char>(t + 1)));
      });
    }
    takers.clear();
    std::vector<std::jthread> givers;
    for (std::size_t t = 0; t < taken.size(); ++t) {
      givers.emplace_back([&taken, t] {
        for (const Block& block : taken[(t + 1) % taken.size()]) {
          EXPECT_TRUE(block.is_whole());
          bulk_memory.give_back(block.memory);
        }
      });
    }
  }
}

// A watch starts new threads for every round, and would grow with each.
TEST_F(BulkMemoryTest, LeavesTheBlocksOfAThreadToTheNext) {
  const auto take_and_give_back = [](std::set<void*>& seen) {
    std::vector<void*> blocks;
    for (int i = 0; i < 2000; ++i) blocks.push_back(bulk_memory.take(912));
    seen.insert(blocks.begin(), blocks.end());
    for (void* block : blocks) bulk_memory.give_back(block);
  };
  std::set<void*> first;
  std::set<void*> second;
  std::jthread([&] { take_and_give_back(first); }).join();
  std::jthread([&] { take_and_give_back(second); }).join();
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace strake::cli
