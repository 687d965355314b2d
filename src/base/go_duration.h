#pragma once
// Durations as people write them in manifests and flags (Go's time.Duration), and ages as kubectl
// shows them.
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

// Two or three figures, as the AGE column of kubectl: 5s, 2m30s, 3h15m, 2d3h, 365d, 2y35d. Up to
// two seconds below zero is "0s", since clocks differ; less is "<invalid>".
std::string human_duration(std::chrono::nanoseconds duration);

// One unit only: 5s, 2m, 3h, 2d, 1y.
std::string short_human_duration(std::chrono::nanoseconds duration);

}  // namespace strake
