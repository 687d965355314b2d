#pragma once
// How long to wait before another try (signal.h has what waits).
#include <chrono>
#include <cstddef>

namespace strake::async {

// How long to wait before something that failed is tried again: longer each time.
struct Backoff {
  std::chrono::nanoseconds first = std::chrono::milliseconds(500);
  std::chrono::nanoseconds most = std::chrono::seconds(30);
  double factor = 2;
  double jitter = 0.2;  // up to so much of it more, so that not all come at once
};
// Before the try that follows so many failures in a row.
std::chrono::nanoseconds pause_after(std::size_t failures, const Backoff& backoff);

}  // namespace strake::async
