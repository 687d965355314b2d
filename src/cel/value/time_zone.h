#pragma once
// Named time zones, read from the machine's time zone database (TZif files) on first use and kept
// for the life of the process. The one place in this module that touches files: CEL cannot name a
// zone without the database.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::cel {

class TimeZone {
 public:
  // Reads version 1 or 2+ TZif data. Fails with kParse.
  static Result<TimeZone> parse(std::string_view tzif);

  std::int64_t offset_at(std::int64_t seconds) const;  // seconds east of UTC

 private:
  struct Transition {
    std::int64_t at;
    std::int32_t offset;
  };
  // The rule for times after the last transition, from the POSIX text at the end of the file.
  struct YearlyRule {
    int month = 0, week = 0, weekday = 0;
    std::int32_t time = 7200;
    std::int64_t seconds_in(std::int64_t year) const;
  };
  void parse_footer(std::string_view posix);

  std::vector<Transition> transitions_;
  std::int32_t first_offset_ = 0;
  bool has_rules_ = false;
  std::int32_t standard_ = 0;
  std::int32_t summer_ = 0;
  YearlyRule to_summer_;
  YearlyRule to_standard_;
};

// Null when there is no such zone. Safe from many threads.
const TimeZone* find_time_zone(std::string_view name);

}  // namespace strake::cel
