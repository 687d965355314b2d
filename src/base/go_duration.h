#pragma once
// Durations as people write them in manifests and flags: Go's time.Duration.
#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake {

// time.ParseDuration: "1h15m30.918s", "-1.5h", "300ms", "0". Fails with kParse and Go's text, as in
// time: unknown unit "d" in duration "3d".
Result<std::chrono::nanoseconds> parse_go_duration(std::string_view text);

// Duration.String: "1h15m30.918s", "1.5ms", "2µs", "0s".
std::string format_go_duration(std::chrono::nanoseconds duration);

}  // namespace strake
