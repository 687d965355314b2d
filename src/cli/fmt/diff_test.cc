#include "cli/fmt/diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace strake::cli {
namespace {

TEST(UnifiedDiff, IsEmptyForEqualTexts) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n", "x"), "");
  EXPECT_EQ(unified_diff("", "", "x"), "");
}

TEST(UnifiedDiff, ShowsAChangedLineWithItsSurroundings) {
  EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n", "f"),
            "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, SaysWhenTheLastLineHasNoEnd) {
  EXPECT_EQ(unified_diff("a", "a\n", "f"),
            "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

TEST(UnifiedDiff, NamesTheLineBeforeAnEmptyRange) {
  EXPECT_EQ(unified_diff("", "a\n", "f"), "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(unified_diff("a\n", "", "f"), "--- f\n+++ f\n@@ -1 +0,0 @@\n-a\n");
}

TEST(UnifiedDiff, DividesDistantChanges) {
  std::string a;
  for (int i = 0; i < 30; ++i) a += std::to_string(i) + "\n";
  std::string b = "start\n" + a + "end\n";
  EXPECT_EQ(unified_diff(a, b, "f"),
            "--- f\n+++ f\n@@ -1,3 +1,4 @@\n+start\n 0\n 1\n 2\n@@ -28,3 +29,4 @@\n 27\n 28\n "
            "29\n+end\n");
}

// What patch does with a diff, for texts whose every line ends.
std::string patched(const std::string& before, const std::string& diff) {
  std::vector<std::string> lines;
  const auto split = [](const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at) + 1;
      out.push_back(text.substr(at, end - at));
      at = end;
    }
    return out;
  };
  const auto source = split(before);
  std::string out;
  std::size_t at = 0;
  for (const std::string& line : split(diff)) {
    if (line.starts_with("---") || line.starts_with("+++")) continue;
    if (line.starts_with("@@")) {
      const std::size_t start = std::stoul(line.substr(4));
      const bool empty = line.substr(0, line.find('+')).find(",0 ") != std::string::npos;
      for (const std::size_t until = empty ? start : start - 1; at < until; ++at)
        out += source.at(at);
    } else if (line.front() == '+') {
      out += line.substr(1);
    } else {
      EXPECT_EQ(source.at(at), line.substr(1));
      if (line.front() == ' ') out += source.at(at);
      ++at;
    }
  }
  for (; at < source.size(); ++at) out += source[at];
  return out;
}

TEST(UnifiedDiff, TurnsTheFirstTextIntoTheSecondWhateverTheyAre) {
  std::mt19937 random(20240607);
  for (int round = 0; round < 500; ++round) {
    const auto text = [&] {
      std::string out;
      for (std::uint32_t i = random() % 40; i > 0; --i)
        out += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
      return out;
    };
    const std::string before = text();
    const std::string after = text();
    const std::string diff = unified_diff(before, after, "f");
    ASSERT_EQ(patched(before, diff), after) << "round " << round << "\n"
                                            << before << "--\n"
                                            << diff;
  }
}

TEST(UnifiedDiff, ShowsThousandsOfChangesEachByItself) {
  std::mt19937 random(7);
  std::string before;
  std::string after;
  std::size_t changes = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\nsame\n";
    before += line;
    if (random() % 5 != 0) {
      after += line;
    } else {
      after += "new " + std::to_string(i) + "\nsame\n";
      ++changes;
    }
  }
  const std::string diff = unified_diff(before, after, "f");
  EXPECT_EQ(patched(before, diff), after);
  EXPECT_EQ(std::size_t(std::ranges::count(diff, '+')) - 3,
            changes + std::size_t(std::ranges::count(diff, '@')) / 4);
}

TEST(UnifiedDiff, TurnsLongTextsIntoEachOther) {
  std::mt19937 random(11);
  for (int round = 0; round < 5; ++round) {
    const auto text = [&] {
      std::string out;
      for (std::uint32_t i = 0; i < 2000; ++i) out += std::to_string(random() % 3000) + "\n";
      return out;
    };
    const std::string before = text();
    const std::string after = text();
    ASSERT_EQ(patched(before, unified_diff(before, after, "f")), after) << "round " << round;
  }
}

TEST(UnifiedDiff, ReplacesTheWholeWhenNearlyEverythingDiffers) {
  std::string before;
  std::string after;
  for (int i = 0; i < 5000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  const std::string diff = unified_diff(before, after, "f");
  EXPECT_EQ(patched(before, diff), after);
  EXPECT_NE(diff.find("@@ -1,5000 +1,5000 @@"), std::string::npos);
}

}  // namespace
}  // namespace strake::cli
