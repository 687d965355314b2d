#include "async/pause.h"

#include <algorithm>
#include <random>

namespace strake::async {

std::chrono::nanoseconds pause_after(std::size_t failures, const Backoff& backoff) {
  static thread_local std::minstd_rand random(std::random_device{}());
  auto pause = std::chrono::duration<double, std::nano>(backoff.first);
  for (std::size_t i = 1; i < failures && pause < backoff.most; ++i) pause *= backoff.factor;
  pause = std::min(pause, std::chrono::duration<double, std::nano>(backoff.most));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      pause * (1 + std::uniform_real_distribution<>(0, backoff.jitter)(random)));
}

}  // namespace strake::async
