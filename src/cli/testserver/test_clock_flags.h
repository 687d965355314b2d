#pragma once
// --clock and --clock-start: the time that a test server shows.
#include <memory>

#include "cli/command/args.h"
#include "server/test_clock.h"

namespace strake::cli {

inline constexpr FlagSpec kClockFlags[] = {
    {.name = "clock",
     .kind = FlagKind::kText,
     .value_name = "PACE",
     .fallback = "real",
     .summary = "real; frozen; or a factor such as 60x. Unless it is real, tests move the clock "
                "with PUT /testserver/clock"},
    {.name = "clock-start",
     .kind = FlagKind::kText,
     .value_name = "TIME",
     .summary = "what the clock shows at the start, such as 2026-01-01T00:00:00Z (default now)"},
};

// Null for the machine's clock as it is. Code::kUsage.
Result<std::unique_ptr<server::TestClock>> read_test_clock(const Arguments& args);

}  // namespace strake::cli
