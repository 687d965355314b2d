#pragma once
// When a CronJob runs: "*/5 8-18 * * mon-fri", "@daily", "@every 1h30m".
#include <string_view>

#include "base/result.h"

namespace strake::kinds {

// Whether it can be read: five fields of minutes, hours, days of the month, months and days of the
// week, or a word for it, perhaps behind TZ= or CRON_TZ= with a time zone. Fails with kInvalid and
// the words of kube-apiserver 1.36. A schedule that never comes is a good one.
Result<> check_cron_schedule(std::string_view text);

}  // namespace strake::kinds
