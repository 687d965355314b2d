#include "base/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace strake {
namespace {

TEST(Hash64, GivesTheSameForTheSameBytesAtAnyAddress) {
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string text(size, 'x');
    const std::string shifted = "y" + text;
    EXPECT_EQ(hash64(text), hash64(std::string_view(shifted).substr(1)));
  }
}

TEST(Hash64, TellsEveryLengthOfZerosApart) {
  std::unordered_set<std::uint64_t> seen;
  const std::string zeros(1000, '\0');
  for (std::size_t size = 0; size <= zeros.size(); ++size)
    seen.insert(hash64(std::string_view(zeros).substr(0, size)));
  EXPECT_EQ(seen.size(), zeros.size() + 1);
}

TEST(Hash64, ChangesWithEachBitOfTheInput) {
  for (const std::size_t size :
       {1u, 3u, 4u, 7u, 8u, 15u, 16u, 17u, 31u, 32u, 47u, 48u, 49u, 96u, 97u, 145u}) {
    std::string text(size, 'k');
    const std::uint64_t before = hash64(text);
    int flipped = 0;
    for (std::size_t bit = 0; bit < size * 8; ++bit) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
      const int changed = std::popcount(hash64(text) ^ before);
      EXPECT_GT(changed, 8) << size << " " << bit;
      flipped += changed;
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    }
    const double mean = flipped / static_cast<double>(size * 8);
    EXPECT_GT(mean, 28) << size;
    EXPECT_LT(mean, 36) << size;
  }
}

TEST(Hash64, ChangesWithTheSeed) {
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    seen.insert(hash64("", seed));
    seen.insert(hash64("spec.containers", seed));
  }
  EXPECT_EQ(seen.size(), 20000u);
}

TEST(Hash64, SpreadsNumberedNamesOverBuckets) {
  std::vector<int> low(1024), high(1024);
  for (int i = 0; i < 1024 * 64; ++i) {
    const std::uint64_t hash = hash64("widget-" + std::to_string(i));
    ++low[hash % 1024];
    ++high[hash >> 54];
  }
  for (const auto* buckets : {&low, &high}) {
    double chi_squared = 0;
    for (const int n : *buckets) chi_squared += (n - 64.0) * (n - 64.0) / 64.0;
    EXPECT_LT(chi_squared, 1250);  // 1023 degrees of freedom: five standard deviations
    EXPECT_GT(chi_squared, 800);
  }
}

TEST(HashMix, HasNoCollisionAmongSmallNumbers) {
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 100000; ++i) seen.insert(hash_mix(i));
  EXPECT_EQ(seen.size(), 100000u);
}

TEST(HashCombine, DependsOnTheOrder) {
  EXPECT_NE(hash_combine(1, 2), hash_combine(2, 1));
  EXPECT_NE(hash_combine(hash_combine(0, 1), 2), hash_combine(hash_combine(0, 2), 1));
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t a = 0; a < 300; ++a) {
    for (std::uint64_t b = 0; b < 300; ++b) seen.insert(hash_combine(a, b));
  }
  EXPECT_EQ(seen.size(), 90000u);
}

TEST(Fnv1a, GivesThePublishedValues) {
  EXPECT_EQ(fnv1a32(""), 0x811c9dc5u);
  EXPECT_EQ(fnv1a32("a"), 0xe40c292cu);
  EXPECT_EQ(fnv1a32("foobar"), 0xbf9cf968u);
  EXPECT_EQ(fnv1a64(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a64("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a64("foobar"), 0x85944171f73967e8u);
}

TEST(TextHash, LetsAMapBeAskedWithAView) {
  std::unordered_map<std::string, int, TextHash, std::equal_to<>> map{{"a", 1}};
  EXPECT_EQ(map.find(std::string_view("a"))->second, 1);
}

}  // namespace
}  // namespace strake
