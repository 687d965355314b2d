#include "kinds/workloads/cron_schedule.h"

#include <gtest/gtest.h>

#include "kinds/workloads/time_zones.h"

namespace strake::kinds {
namespace {

std::string fault(std::string_view schedule) {
  const auto read = check_cron_schedule(schedule);
  return read ? std::string() : read.error().message();
}

TEST(CronSchedule, TakesNumbersRangesStepsAndNames) {
  for (const std::string_view schedule : {"* * * * *",
                                          "*/5 * * * *",
                                          "0 0 31 2 *",
                                          "? ? ? ? ?",
                                          "0-59/2 0,12 1-31 JAN-dec sun,sat",
                                          "5/10 * * * *",
                                          "+5 * * * *",
                                          ", * * * *",
                                          "  0\t0 * *  1 ",
                                          "0\u00a00 * * *",
                                          "@yearly",
                                          "@annually",
                                          "@monthly",
                                          "@weekly",
                                          "@daily",
                                          "@midnight",
                                          "@hourly",
                                          "@every 1h30m",
                                          "@every 0s",
                                          "TZ=UTC 0 0 * * *",
                                          "CRON_TZ=Europe/Paris @daily",
                                          "TZ= 0 0 * * *",
                                          "TZ=Local 0 0 * * *"}) {
    EXPECT_EQ(fault(schedule), "") << schedule;
  }
}

TEST(CronSchedule, IsRefusedInTheWordsOfTheServer) {
  struct Case {
    std::string_view schedule;
    std::string_view want;
  };
  const Case cases[] = {
      {"", "empty spec string"},
      {"every day", "expected exactly 5 fields, found 2: [every day]"},
      {"0 0 * * * *", "expected exactly 5 fields, found 6: [0 0 * * * *]"},
      {"61 0 * * *", "end of range (61) above maximum (59): 61"},
      {"0 0 0 * *", "beginning of range (0) below minimum (1): 0"},
      {"0 0 * * 7", "end of range (7) above maximum (6): 7"},
      {"5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"},
      {"*/0 * * * *", "step of range should be a positive number: */0"},
      {"*/-1 * * * *", "negative number (-1) not allowed: -1"},
      {"1-2-3 * * * *", "too many hyphens: 1-2-3"},
      {"1/2/3 * * * *", "too many slashes: 1/2/3"},
      {"-1 * * * *", R"(failed to parse int from : strconv.Atoi: parsing "": invalid syntax)"},
      {"x * * * *", R"(failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax)"},
      {"99999999999999999999 * * * *",
       R"(failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range)"},
      {"@reboot", "unrecognized descriptor: @reboot"},
      {"@every 3d",
       R"(failed to parse duration @every 3d: time: unknown unit "d" in duration "3d")"},
      {"TZ=Mars/Base 0 0 * * *", "provided bad location Mars/Base: unknown time zone Mars/Base"},
      {"TZ=../x 0 0 * * *", "provided bad location ../x: time: invalid location name"},
      {"TZ=0", "invalid schedule format: runtime error: slice bounds out of range [:-1]"},
  };
  for (const Case& one : cases) EXPECT_EQ(fault(one.schedule), one.want);
}

TEST(TimeZones, HaveTheNamesOfTheDatabase) {
  for (const std::string_view name :
       {"UTC", "Etc/UTC", "Europe/Paris", "Asia/Calcutta", "America/Argentina/Buenos_Aires",
        "GMT+0", "Etc/GMT-14", "US/East-Indiana", "Zulu", "Local", ""}) {
    EXPECT_TRUE(find_time_zone(name)) << name;
  }
  for (const std::string_view name : {"Mars/Base", "europe/paris", "Europe", "Paris", "posix/UTC"})
    EXPECT_FALSE(find_time_zone(name)) << name;
}

}  // namespace
}  // namespace strake::kinds
