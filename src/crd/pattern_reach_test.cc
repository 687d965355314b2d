#include "crd/pattern_reach.h"

#include <gtest/gtest.h>

namespace strake::crd {
namespace {

PatternReach reach(std::string_view pattern) {
  const auto out = pattern_reach(pattern);
  EXPECT_TRUE(out) << pattern;
  return out.value_or(PatternReach{});
}

TEST(PatternReach, CountsCharactersGroupsAndRepeats) {
  EXPECT_EQ(reach("abc").shortest, 3u);
  EXPECT_EQ(reach("^[a-z]{3,5}(-x)+$").shortest, 5u);
  EXPECT_EQ(reach("^[a-z]{3,5}(-x){1,2}$").longest, 9u);
  EXPECT_EQ(reach("a|bcd").shortest, 1u);
  EXPECT_EQ(reach("a|bcd").longest, 3u);
  EXPECT_EQ(reach("a*").longest, std::nullopt);
  EXPECT_EQ(reach("[]a]").longest, 1u);
  EXPECT_EQ(reach("[^[:alpha:]\\]]x").shortest, 2u);
  EXPECT_EQ(reach("\\x{10ffff}\\p{Greek}\\d\\.").shortest, 4u);
  EXPECT_EQ(reach("é{2}").shortest, 2u);
  EXPECT_EQ(reach("a{,2}").shortest, 5u);  // not a repeat for Go
  EXPECT_EQ(reach("(?i)(?:ab)(?P<n>c)").shortest, 3u);
}

TEST(PatternReach, KnowsAnchors) {
  EXPECT_TRUE(reach("^a$").at_begin);
  EXPECT_TRUE(reach("^a$").at_end);
  EXPECT_TRUE(reach("(^a|^b)c").at_begin);
  EXPECT_FALSE(reach("(^a|b)c").at_begin);
  EXPECT_FALSE(reach("^?a").at_begin);
  EXPECT_FALSE(reach("(?m)^a$").at_begin);
  EXPECT_TRUE(reach("\\Aa\\z").at_end);
  EXPECT_FALSE(reach("[a-z]+").has_anchor);
  EXPECT_TRUE(reach("^a|b$").split_anchors);
  EXPECT_FALSE(reach("^(a|b)$").split_anchors);
  EXPECT_FALSE(reach("^$|^a+$").split_anchors);
}

TEST(PatternReach, FindsWhatNoTextMatches) {
  EXPECT_TRUE(reach("a^b").never);
  EXPECT_TRUE(reach("a$b").never);
  EXPECT_FALSE(reach("a^b|c").never);
  EXPECT_FALSE(reach("a?^b").never);
  EXPECT_FALSE(reach("(a^)?b").never);
  EXPECT_FALSE(reach("(?m)a$\\n^b").never);
}

TEST(PatternReach, FindsClassesWithoutACharacter) {
  EXPECT_TRUE(reach("[^\\x00-\\x{10FFFF}]").never);
  EXPECT_TRUE(reach("^a[^\\s\\S]+$").never);
  EXPECT_TRUE(reach("[^\\w\\W]").never);
  EXPECT_TRUE(reach("[^\\x00-ac-\\x{10FFFF}b]").never);
  EXPECT_FALSE(reach("[^\\x00-ac-\\x{10FFFF}]").never);
  EXPECT_FALSE(reach("[\\s\\S]").never);
  EXPECT_FALSE(reach("a[^\\d\\D]?").never);
  EXPECT_FALSE(reach("[^\\pL\\PL]").never) << "not understood, so nothing is said";
  EXPECT_FALSE(reach("[^]-a\\]]").never);
}

TEST(PatternReach, FindsPlacesThatAreAndAreNotAtTheEdgeOfAWord) {
  EXPECT_TRUE(reach("^(a|b)\\b\\B$").never);
  EXPECT_TRUE(reach("\\B$\\b").never);
  EXPECT_FALSE(reach("\\ba\\B").never);
  EXPECT_FALSE(reach("\\ba?\\B").never);
  EXPECT_FALSE(reach("\\b?\\B").never);
}

TEST(PatternReach, GivesUpOnDeepNesting) {
  EXPECT_FALSE(pattern_reach(std::string(5000, '(') + std::string(5000, ')')));
}

}  // namespace
}  // namespace strake::crd
