#include "cli/io/path_patterns.h"

#include <gtest/gtest.h>

namespace strake::cli {
namespace {

bool match(const std::string& pattern, const std::string& path) {
  const std::string patterns[] = {pattern};
  return PathPatterns(patterns, "/repo").match("/repo/" + path);
}

TEST(PathPatterns, MeanANameAnywhereWithoutASlash) {
  EXPECT_TRUE(match("secret.yaml", "a/b/secret.yaml"));
  EXPECT_TRUE(match("*.gen.yaml", "a/x.gen.yaml"));
  EXPECT_TRUE(match("vendor", "a/vendor/b/c.yaml"));
  EXPECT_TRUE(match("vendor/", "a/vendor/b/c.yaml"));
  EXPECT_FALSE(match("vendor", "a/vendors/c.yaml"));
}

TEST(PathPatterns, MeanAPathFromTheirFolderWithASlash) {
  EXPECT_TRUE(match("a/b", "a/b/c.yaml"));
  EXPECT_FALSE(match("a/b", "x/a/b/c.yaml"));
  EXPECT_TRUE(match("./a/*.yaml", "a/c.yaml"));
  EXPECT_FALSE(match("a/*.yaml", "a/b/c.yaml"));
}

TEST(PathPatterns, CrossFoldersWithTwoStars) {
  EXPECT_TRUE(match("**/test/*.yaml", "a/b/test/c.yaml"));
  EXPECT_TRUE(match("**/test/*.yaml", "test/c.yaml"));
  EXPECT_TRUE(match("a/**/c.yaml", "a/x/y/c.yaml"));
  EXPECT_TRUE(match("a/**", "a/x/y.yaml"));
  EXPECT_FALSE(match("a/**", "ab/x.yaml"));
}

TEST(PathPatterns, MatchNothingWhenThereAreNone) {
  EXPECT_FALSE(PathPatterns().match("a"));
  EXPECT_TRUE(PathPatterns().empty());
}

}  // namespace
}  // namespace strake::cli
