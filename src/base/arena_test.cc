#include "base/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace strake {
namespace {

bool is_aligned(const void* at) { return reinterpret_cast<std::uintptr_t>(at) % 16 == 0; }

TEST(Arena, CostsNothingUntilUsed) { EXPECT_EQ(Arena().bytes_reserved(), 0u); }

TEST(Arena, ThrowsAtItsLimitAndStaysUsable) {
  Arena::limit_each(100'000);
  Arena arena;
  const std::string_view kept = arena.copy("kept");
  EXPECT_THROW(arena.allocate(100'000), ArenaFull);
  EXPECT_THROW(
      {
        while (true) arena.allocate(100);
      },
      ArenaFull);
  EXPECT_LE(arena.bytes_reserved(), 100'000u);
  EXPECT_EQ(kept, "kept");
  Arena::limit_each(SIZE_MAX);
  EXPECT_NE(arena.allocate(100'000), nullptr);
}

TEST(Arena, AlignsObjectsEvenBetweenTexts) {
  Arena arena(64);
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_TRUE(is_aligned(arena.allocate(i)));
    arena.copy("odd");
  }
}

TEST(Arena, KeepsWhatWasWrittenWhileItGrows) {
  std::mt19937 random(3);
  Arena arena(100);
  std::vector<std::pair<std::string_view, std::string>> texts;
  std::vector<std::pair<std::uint32_t*, std::uint32_t>> arrays;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    std::string text(random() % (i % 100 == 0 ? 5000 : 50), static_cast<char>('a' + i % 26));
    texts.emplace_back(arena.copy(text), text);
    const std::uint32_t size = 1 + random() % 20;
    auto* array = arena.allocate_array<std::uint32_t>(size);
    ASSERT_TRUE(is_aligned(array));
    for (std::uint32_t j = 0; j < size; ++j) array[j] = i;
    arrays.emplace_back(array, size);
  }
  for (const auto& [kept, want] : texts) ASSERT_EQ(kept, want);
  for (std::uint32_t i = 0; i < arrays.size(); ++i) {
    for (std::uint32_t j = 0; j < arrays[i].second; ++j) ASSERT_EQ(arrays[i].first[j], i);
  }
}

TEST(Arena, MakesRoomForOnePieceLargerThanABlock) {
  Arena arena(64);
  char* text = arena.allocate_text(5 << 20);
  text[0] = 'a';
  text[(5 << 20) - 1] = 'z';
  EXPECT_GE(arena.bytes_reserved(), std::size_t{5 << 20});
  EXPECT_EQ(arena.copy("next"), "next");
  EXPECT_EQ(text[0], 'a');
}

TEST(Arena, KeepsOneBlockAfterReset) {
  Arena arena(64);
  for (int i = 0; i < 1000; ++i) arena.allocate(100);
  const std::size_t before = arena.bytes_reserved();
  arena.reset();
  const std::size_t after = arena.bytes_reserved();
  EXPECT_LT(after, before);
  EXPECT_GT(after, 0u);
  arena.allocate(100);
  EXPECT_EQ(arena.bytes_reserved(), after);
  Arena unused;
  unused.reset();
  EXPECT_EQ(unused.bytes_reserved(), 0u);
}

TEST(Arena, MovesWithItsContents) {
  Arena first;
  const std::string_view text = first.copy("kept");
  Arena second = std::move(first);
  EXPECT_EQ(text, "kept");
  EXPECT_EQ(second.copy("more"), "more");
  Arena third;
  third.copy("dropped");
  third = std::move(second);
  EXPECT_EQ(text, "kept");
  EXPECT_GT(third.bytes_reserved(), 0u);
  // Empty and usable by contract.
  EXPECT_EQ(second.bytes_reserved(), 0u);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(second.copy("again"), "again");
}

TEST(Arena, GivesEmptyTextWithoutMemory) {
  Arena arena;
  EXPECT_EQ(arena.copy(""), "");
  EXPECT_EQ(arena.bytes_reserved(), 0u);
}

}  // namespace
}  // namespace strake
