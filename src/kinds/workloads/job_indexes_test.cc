#include "kinds/workloads/job_indexes.h"

#include <gtest/gtest.h>

namespace strake::kinds {
namespace {

TEST(JobIndexes, AreCounted) {
  EXPECT_EQ(count_indexes("", 5).value(), 0);
  EXPECT_EQ(count_indexes("0", 5).value(), 1);
  EXPECT_EQ(count_indexes("0,2-4", 5).value(), 4);
}

TEST(JobIndexes, MustRiseAndBelongToTheJob) {
  struct Case {
    std::string_view text;
    std::string_view want;
  };
  const Case cases[] = {
      {"1-x", R"(cannot convert string to integer for index: "x")"},
      {"", ""},
      {",", R"(cannot convert string to integer for index: "")"},
      {"-1", R"(cannot convert string to integer for index: "")"},
      {"5", R"(too large index: "5")"},
      {"1-5", R"(too large index: "5")"},
      {"3-1", "non-increasing order, previous: 3, current: 1"},
      {"2,2", "non-increasing order, previous: 2, current: 2"},
      {"1-2-3",
       R"(the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-')"},
      {"99999999999999999999",
       R"(cannot convert string to integer for index: "99999999999999999999")"},
  };
  for (const Case& one : cases) {
    const auto count = count_indexes(one.text, 5);
    EXPECT_EQ(count ? std::string() : count.error().message(), one.want) << one.text;
  }
}

TEST(JobIndexes, AreEitherCompletedOrFailed) {
  EXPECT_TRUE(check_no_overlap("0,2-3", "1,4", 5));
  EXPECT_TRUE(check_no_overlap("", "1,4", 5));
  // What cannot be read is passed over.
  EXPECT_TRUE(check_no_overlap("x,0", "1,9", 5));
  const auto both = check_no_overlap("0,2-3", "1,3-4", 5);
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().message(), "failedIndexes and completedIndexes overlap at index: 3");
}

}  // namespace
}  // namespace strake::kinds
