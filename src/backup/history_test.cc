#include "backup/history.h"

#include <gtest/gtest.h>

#include "base/rfc3339.h"

namespace strake::backup {
namespace {

WallTime at(std::string_view clock) {
  return parse_rfc3339("2024-01-01T" + std::string(clock) + "Z")->to_wall();
}

std::string due(std::string_view schedule, const History& history, std::string_view started,
                std::string_view now) {
  const auto parsed = Schedule::parse(schedule);
  EXPECT_TRUE(parsed) << schedule;
  return format_rfc3339(Instant::from(next_due(*parsed, history, at(started), at(now))))
      .substr(11, 8);
}

TEST(NextBackup, OfAnIntervalCountsFromTheLastSuccess) {
  EXPECT_EQ(due("6h", {}, "01:00:00", "01:30:00"), "01:00:00") << "at once";
  EXPECT_EQ(due("6h", {.last_success = at("02:00:00")}, "01:00:00", "03:00:00"), "08:00:00");
  EXPECT_EQ(due("1h", {.last_success = at("00:00:00")}, "09:00:00", "09:00:00"), "01:00:00")
      << "it is overdue";
}

TEST(NextBackup, OfACronExpressionMakesUpForWhatWasMissed) {
  EXPECT_EQ(due("0 */6 * * *", {}, "01:00:00", "01:00:00"), "06:00:00");
  EXPECT_EQ(due("0 */6 * * *", {.last_success = at("06:00:10")}, "01:00:00", "07:00:00"),
            "12:00:00");
  EXPECT_EQ(due("0 */6 * * *", {.last_success = at("00:30:00")}, "09:00:00", "09:00:00"),
            "06:00:00");
}

TEST(NextBackup, IsTriedAgainAfterAFailureLessAndLessOften) {
  const std::pair<std::size_t, const char*> cases[] = {
      {1, "06:01:00"}, {2, "06:02:00"}, {3, "06:04:00"},      {6, "06:32:00"},
      {7, "07:00:00"}, {8, "07:00:00"}, {100'000, "07:00:00"}};
  for (const auto& [failures, wanted] : cases) {
    const History failed{
        .last_success = at("00:00:00"), .last_attempt = at("06:00:00"), .failures = failures};
    EXPECT_EQ(due("6h", failed, "00:00:00", "06:00:00"), wanted) << failures;
    EXPECT_EQ(due("0 */6 * * *", failed, "00:00:00", "06:00:00"), wanted) << failures;
  }
  // The schedule may come first.
  const History failed{
      .last_success = at("05:30:00"), .last_attempt = at("05:58:00"), .failures = 7};
  EXPECT_EQ(due("0 * * * *", failed, "00:00:00", "05:59:00"), "06:00:00");
}

TEST(NextBackup, DoesNotTrustATimeThatIsYetToCome) {
  EXPECT_EQ(due("6h", {.last_success = at("20:00:00")}, "01:00:00", "02:00:00"), "01:00:00");
  EXPECT_EQ(due("0 */6 * * *", {.last_success = at("20:00:00")}, "01:00:00", "02:00:00"),
            "06:00:00");
  // The clock was set back while the server ran.
  const History failed{.last_attempt = at("20:00:00"), .failures = 1};
  EXPECT_EQ(due("6h", failed, "19:00:00", "02:00:00"), "02:01:00");
}

TEST(LastSuccess, IsReadAsItWasWritten) {
  EXPECT_EQ(last_success_of(to_text(at("02:03:04"))), at("02:03:04"));
  EXPECT_FALSE(last_success_of(""));
  EXPECT_FALSE(last_success_of("yesterday\n"));
}

}  // namespace
}  // namespace strake::backup
