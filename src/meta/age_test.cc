#include "meta/age.h"

#include <gtest/gtest.h>

#include "base/rfc3339.h"

namespace strake::meta {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(HumanAge, KeepsTwoOrThreeFigures) {
  struct Case {
    std::int64_t seconds;
    const char* text;
  };
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 3600;
  constexpr std::int64_t kDay = 86400;
  for (const Case& c :
       {Case{0, "0s"}, Case{119, "119s"}, Case{120, "2m"}, Case{123, "2m3s"},
        Case{10 * kMinute - 1, "9m59s"}, Case{10 * kMinute, "10m"}, Case{3 * kHour - 1, "179m"},
        Case{3 * kHour, "3h"}, Case{3 * kHour + 5 * kMinute, "3h5m"}, Case{8 * kHour, "8h"},
        Case{48 * kHour - 1, "47h"}, Case{48 * kHour, "2d"}, Case{51 * kHour, "2d3h"},
        Case{8 * kDay, "8d"}, Case{730 * kDay - 1, "729d"}, Case{730 * kDay, "2y"},
        Case{731 * kDay, "2y1d"}, Case{8 * 365 * kDay, "8y"},
        Case{9 * 365 * kDay + 40 * kDay, "9y"}}) {
    EXPECT_EQ(human_age(seconds(c.seconds)), c.text) << c.seconds;
  }
}

TEST(HumanAge, ForgivesLessThanTwoSecondsAhead) {
  EXPECT_EQ(human_age(milliseconds(-1)), "0s");
  EXPECT_EQ(human_age(milliseconds(-1999)), "0s");
  EXPECT_EQ(human_age(milliseconds(-2000)), "<invalid>");
}

TEST(HumanAgeSince, CountsFromTheWrittenTime) {
  const WallTime now = parse_rfc3339("2024-01-02T03:04:05.5Z")->to_wall();
  EXPECT_EQ(human_age_since("2024-01-02T03:04:05Z", now), "0s");
  EXPECT_EQ(human_age_since("2024-01-02T03:04:00Z", now), "5s");
  EXPECT_EQ(human_age_since("2024-01-02T03:04:07Z", now), "0s");
  EXPECT_EQ(human_age_since("2024-01-02T03:04:08Z", now), "<invalid>");
  EXPECT_EQ(human_age_since("", now), "<unknown>");
  EXPECT_EQ(human_age_since("yesterday", now), "<invalid>");
  EXPECT_EQ(human_age_since("0001-01-02T00:00:00Z", now), "292y");
}

}  // namespace
}  // namespace strake::meta
