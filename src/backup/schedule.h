#pragma once
// When backups are due: every so often, or by a cron expression. Everything is UTC, so no hour
// comes twice or never. Pure: asked for the next time after a given one.
#include <array>
#include <bitset>
#include <chrono>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "base/time.h"

namespace strake::backup {

class Schedule {
 public:
  // "6h", a duration of a minute to ten years; or five fields, minute, hour, day of month, month
  // and day of week, as in the schedule of a CronJob in Kubernetes 1.36: `*`, numbers, names
  // (JAN, MON), ranges, steps and lists; 7 is Sunday too; also @hourly, @daily, @midnight, @weekly,
  // @monthly, @yearly and @annually. When both days are restricted, either will do. kUsage, saying
  // which field, when it is none of these, or never comes.
  static Result<Schedule> parse(std::string_view text);

  // The first time after the given one.
  WallTime next(WallTime after) const;
  bool is_interval() const { return std::holds_alternative<std::chrono::nanoseconds>(when_); }
  const std::string& text() const { return text_; }

 private:
  struct Cron {
    std::bitset<60> minutes;
    std::bitset<24> hours;
    std::bitset<32> days;     // of the month, from 1
    std::bitset<13> months;   // from 1
    std::bitset<7> weekdays;  // from Sunday
    bool any_day = false;     // `*` without a step
    bool any_weekday = false;
  };
  static Result<Cron> parse_cron(std::string_view text);
  static bool is_day_of(const Cron& cron, std::int64_t days);
  // Nothing within the years in which every date of the calendar comes.
  static std::optional<WallTime> next_of(const Cron& cron, WallTime after);

  std::string text_;
  std::variant<std::chrono::nanoseconds, Cron> when_;
};

}  // namespace strake::backup
