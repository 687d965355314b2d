#pragma once
// What is known of the backups that were made, and when the next one is due. Pure.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "backup/schedule.h"
#include "base/time.h"

namespace strake::backup {

struct History {
  std::optional<WallTime> last_success;  // also that of an earlier process
  std::optional<WallTime> last_attempt;  // of this process
  std::size_t failures = 0;              // in a row, since the last success
};

// An interval counts from the last success; without one, a backup is due at once. What a cron
// expression named while no server ran is made up for. After a failure the next attempt comes after
// a minute, then two, up to an hour, but not later than the schedule says. `started` is when this
// process began. May be in the past: then it is due.
WallTime next_due(const Schedule& schedule, const History& history, WallTime started, WallTime now);

// What is kept in a file between two processes: the last success.
std::string to_text(WallTime last_success);
// Nothing when the text is anything else.
std::optional<WallTime> last_success_of(std::string_view text);

}  // namespace strake::backup
