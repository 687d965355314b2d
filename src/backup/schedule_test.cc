#include "backup/schedule.h"

#include <gtest/gtest.h>

#include "base/rfc3339.h"

namespace strake::backup {
namespace {

WallTime at(std::string_view text) {
  const auto read = parse_rfc3339(text);
  EXPECT_TRUE(read) << text;
  return read->to_wall();
}

std::string next(std::string_view schedule, std::string_view after) {
  const auto parsed = Schedule::parse(schedule);
  if (!parsed) return parsed.error().message();
  return format_rfc3339(Instant::from(parsed->next(at(after))));
}

struct Case {
  const char* schedule;
  const char* after;
  const char* next;
};

// 2024-01-01 was a Monday.
constexpr Case kCases[] = {
    // Intervals.
    {"6h", "2024-01-01T01:02:03Z", "2024-01-01T07:02:03Z"},
    {"1m", "2024-01-01T01:02:03Z", "2024-01-01T01:03:03Z"},
    {" 1h30m ", "2024-01-01T00:00:00Z", "2024-01-01T01:30:00Z"},
    // Every minute; the time itself does not count.
    {"* * * * *", "2024-01-01T00:00:00Z", "2024-01-01T00:01:00Z"},
    {"* * * * *", "2024-01-01T00:00:59Z", "2024-01-01T00:01:00Z"},
    {"30 2 * * *", "2024-01-01T02:29:59Z", "2024-01-01T02:30:00Z"},
    {"30 2 * * *", "2024-01-01T02:30:00Z", "2024-01-02T02:30:00Z"},
    {"30 2 * * *", "2024-12-31T03:00:00Z", "2025-01-01T02:30:00Z"},
    // Before 1970.
    {"30 2 * * *", "1969-12-30T03:00:00Z", "1969-12-31T02:30:00Z"},
    // Ranges, steps and lists.
    {"*/15 * * * *", "2024-01-01T00:14:00Z", "2024-01-01T00:15:00Z"},
    {"*/40 * * * *", "2024-01-01T00:40:00Z", "2024-01-01T01:00:00Z"},
    {"5/20 * * * *", "2024-01-01T00:26:00Z", "2024-01-01T00:45:00Z"},
    {"0 9-17/4 * * *", "2024-01-01T09:00:00Z", "2024-01-01T13:00:00Z"},
    {"0 9-17/4 * * *", "2024-01-01T17:00:00Z", "2024-01-02T09:00:00Z"},
    {"0,10,50-52 3 * * *", "2024-01-01T03:10:00Z", "2024-01-01T03:50:00Z"},
    {"0,10,50-52 3 * * *", "2024-01-01T03:52:00Z", "2024-01-02T03:00:00Z"},
    {"0 0 */10 * *", "2024-01-22T00:00:00Z", "2024-01-31T00:00:00Z"},
    // Names.
    {"0 0 1 feb *", "2024-01-01T00:00:00Z", "2024-02-01T00:00:00Z"},
    {"0 0 1 MAR-MAY/2 *", "2024-03-01T00:00:00Z", "2024-05-01T00:00:00Z"},
    {"0 0 * * Sun", "2024-01-01T00:00:00Z", "2024-01-07T00:00:00Z"},
    {"0 0 * * MON-FRI", "2024-01-05T00:00:00Z", "2024-01-08T00:00:00Z"},
    // Sunday has two numbers.
    {"0 0 * * 0", "2024-01-01T00:00:00Z", "2024-01-07T00:00:00Z"},
    {"0 0 * * 7", "2024-01-01T00:00:00Z", "2024-01-07T00:00:00Z"},
    {"0 0 * * 5-7", "2024-01-06T00:00:00Z", "2024-01-07T00:00:00Z"},
    // Either day, when both are restricted.
    {"0 0 13 * FRI", "2024-01-01T00:00:00Z", "2024-01-05T00:00:00Z"},
    {"0 0 13 * FRI", "2024-01-12T00:00:00Z", "2024-01-13T00:00:00Z"},
    // A star restricts nothing, so the other one alone decides; a question mark is a star.
    {"0 0 * * FRI", "2024-01-01T00:00:00Z", "2024-01-05T00:00:00Z"},
    {"0 0 13 * *", "2024-01-01T00:00:00Z", "2024-01-13T00:00:00Z"},
    {"0 0 ? * FRI", "2024-01-01T00:00:00Z", "2024-01-05T00:00:00Z"},
    // A star with a step does: every other day of the month, or any Friday.
    {"0 0 */2 * FRI", "2024-01-11T00:00:00Z", "2024-01-12T00:00:00Z"},
    {"0 0 */2 * FRI", "2024-01-12T00:00:00Z", "2024-01-13T00:00:00Z"},
    // Days that not every month or year has.
    {"0 0 31 * *", "2024-01-31T00:00:00Z", "2024-03-31T00:00:00Z"},
    {"0 0 29 2 *", "2024-02-29T00:00:00Z", "2028-02-29T00:00:00Z"},
    {"0 0 29 2 *", "2096-02-29T00:00:00Z", "2104-02-29T00:00:00Z"},
    {"59 23 31 12 *", "2024-12-31T23:59:00Z", "2025-12-31T23:59:00Z"},
    // No hour is left out or comes twice where clocks change.
    {"30 2 * * *", "2024-03-30T02:30:00Z", "2024-03-31T02:30:00Z"},
    {"30 1 * * *", "2024-10-27T01:30:00Z", "2024-10-28T01:30:00Z"},
    {"@hourly", "2024-01-01T00:00:00Z", "2024-01-01T01:00:00Z"},
    {"@daily", "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"},
    {"@weekly", "2024-01-01T00:00:00Z", "2024-01-07T00:00:00Z"},
    {"@monthly", "2024-01-01T00:00:00Z", "2024-02-01T00:00:00Z"},
    {"@yearly", "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"},
    {"\t0  0\t1 1 *", "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"},
};

TEST(BackupSchedule, SaysWhenTheNextOneIsDue) {
  for (const Case& one : kCases)
    EXPECT_EQ(next(one.schedule, one.after), one.next) << one.schedule << " after " << one.after;
}

TEST(BackupSchedule, RefusesWhatItCannotReadAndSaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "must be a duration such as 6h or five fields such as \"30 2 * * *\""},
      {"daily",
       "must be a duration such as 6h or five fields such as \"30 2 * * *\", got \"daily\""},
      {"59s", "must be a duration from 1m to 87840h, got \"59s\""},
      {"-6h", "must be a duration from 1m to 87840h, got \"-6h\""},
      {"100000h", "must be a duration from 1m to 87840h, got \"100000h\""},
      {"0 0 * *", "must have five fields (minute, hour, day of month, month, day of week), got 4"},
      {"0 0 * * * *",
       "must have five fields (minute, hour, day of month, month, day of week), got 6"},
      {"60 0 * * *", "minute: must be from 0 to 59, got \"60\""},
      {"0 24 * * *", "hour: must be from 0 to 23, got \"24\""},
      {"0 0 0 * *", "day of month: must be from 1 to 31, got \"0\""},
      {"0 0 * 13 *", "month: must be from 1 to 12 or a name, got \"13\""},
      {"0 0 * foo *", "month: must be from 1 to 12 or a name, got \"foo\""},
      {"0 0 * * 8", "day of week: must be from 0 to 7 or a name, got \"8\""},
      {"-1 0 * * *", "minute: must be from 0 to 59, got \"\""},
      {"1, 0 * * *", "minute: must be from 0 to 59, got \"\""},
      {"9-5 0 * * *", "minute: the range \"9-5\" ends before it begins"},
      {"1-2-3 0 * * *", "minute: two ranges in \"1-2-3\""},
      {"*/0 0 * * *", "minute: a step must be 1 or more, got \"0\""},
      {"*/x 0 * * *", "minute: a step must be 1 or more, got \"x\""},
      {"*/2/2 0 * * *", "minute: two steps in \"*/2/2\""},
      {"0 0 30 2 *", "never comes: no month has such a day, got \"0 0 30 2 *\""},
      {"0 0 31 4,6,9,11 *", "never comes: no month has such a day, got \"0 0 31 4,6,9,11 *\""},
      {"@reboot",
       "must be one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually, got "
       "\"@reboot\""},
  };
  for (const auto& [schedule, message] : cases) {
    const auto parsed = Schedule::parse(schedule);
    ASSERT_FALSE(parsed) << schedule;
    EXPECT_EQ(parsed.error().code(), Code::kUsage);
    EXPECT_EQ(parsed.error().message(), message) << schedule;
  }
  EXPECT_FALSE(Schedule::parse(std::string(5000, '*')));
  EXPECT_TRUE(Schedule::parse("*/4000000000 0 * * *"));
}

// The law of the function: what comes next matches, nothing between does.
TEST(BackupSchedule, LeavesNoMatchOutAndAddsNone) {
  const auto parsed = Schedule::parse("17 */7 1-7,15 2,8 TUE");
  ASSERT_TRUE(parsed);
  WallTime time = at("2023-12-31T00:00:00Z");
  const WallTime end = at("2026-01-01T00:00:00Z");
  std::size_t found = 0;
  std::size_t wanted = 0;
  for (WallTime next = parsed->next(time); next < end; next = parsed->next(next)) ++found;
  for (; time < end; time += std::chrono::minutes(1)) {
    const std::int64_t seconds = Instant::from(time).seconds;
    const CivilDate date = civil_from_days(seconds / 86'400);
    const bool tuesday = (seconds / 86'400 + 4) % 7 == 2;
    const bool day = date.day <= 7 || date.day == 15;
    const std::int64_t hour = seconds / 3600 % 24;
    wanted += (date.month == 2 || date.month == 8) && (tuesday || day) && hour % 7 == 0 &&
                      seconds / 60 % 60 == 17
                  ? 1
                  : 0;
  }
  EXPECT_EQ(found, wanted);
  EXPECT_GT(found, 100u);
}

}  // namespace
}  // namespace strake::backup
