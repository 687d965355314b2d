#include "base/edit_distance.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace strake {
namespace {

TEST(EditDistance, CountsTheFourKindsOfEdit) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
  EXPECT_EQ(edit_distance("spec", "spc"), 1u);
  EXPECT_EQ(edit_distance("spec", "speck"), 1u);
  EXPECT_EQ(edit_distance("spec", "spac"), 1u);
  EXPECT_EQ(edit_distance("spec", "psec"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);  // a swapped pair is not edited again
  EXPECT_EQ(edit_distance("a cat", "an abct"), 4u);
}

TEST(EditDistance, StopsAtTheLimit) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 0), 1u);
  EXPECT_EQ(edit_distance(std::string(100000, 'a'), "b", 5), 6u);
}

// The plain table, without rows thrown away or early ends.
std::size_t by_the_book(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

TEST(EditDistance, AgreesWithThePlainTable) {
  std::mt19937 random(4);
  for (int round = 0; round < 5000; ++round) {
    std::string a(random() % 9, '\0'), b(random() % 9, '\0');
    for (char& c : a) c = static_cast<char>('a' + random() % 3);
    for (char& c : b) c = static_cast<char>('a' + random() % 3);
    const std::size_t want = by_the_book(a, b);
    ASSERT_EQ(edit_distance(a, b), want) << a << " " << b;
    ASSERT_EQ(edit_distance(b, a), want);
    for (std::size_t limit = 0; limit < 6; ++limit)
      ASSERT_EQ(edit_distance(a, b, limit), std::min(want, limit + 1));
  }
}

TEST(Closest, FindsTheLikelyName) {
  const std::string_view names[] = {"replicas", "selector", "template", "strategy", "paused"};
  EXPECT_EQ(closest("replica", names), "replicas");
  EXPECT_EQ(closest("repilcas", names), "replicas");
  EXPECT_EQ(closest("Selector", names), "selector");
  EXPECT_EQ(closest("SELECTOR", names), "selector");
  EXPECT_EQ(closest("tmplate", names), "template");
  EXPECT_EQ(closest("paused", names), "paused");
}

TEST(Closest, KeepsQuietWhenNothingIsNear) {
  const std::string_view names[] = {"replicas", "selector"};
  EXPECT_EQ(closest("volume", names), std::nullopt);
  EXPECT_EQ(closest("", names), std::nullopt);
  EXPECT_EQ(closest("x", {}), std::nullopt);
  EXPECT_EQ(closest("z", std::vector<std::string_view>{"d"}), std::nullopt);
  EXPECT_EQ(closest("ab", std::vector<std::string_view>{"ac"}), std::nullopt);
  EXPECT_EQ(closest("Z", std::vector<std::string_view>{"z"}), "z");
  EXPECT_EQ(closest("ab", std::vector<std::string_view>{"xyz"}), std::nullopt);
}

TEST(Closest, TakesTheFirstOfEquals) {
  const std::string_view names[] = {"cat", "bat"};
  EXPECT_EQ(closest("hat", names), "cat");
  const std::string_view cases[] = {"PORT", "port"};
  EXPECT_EQ(closest("port", cases), "port");
}

}  // namespace
}  // namespace strake
