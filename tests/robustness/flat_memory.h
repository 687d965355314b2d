#pragma once
// A large JSON array made piece by piece, and how much memory the process holds: for tests of
// streaming.
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

namespace strake::testing {

// Feeds "[{...},{...},...]" of about `bytes` in chunks of 64 KiB. Stops when the consumer returns
// false.
inline bool feed_large_array(std::uint64_t bytes,
                             const std::function<bool(std::string_view)>& consume) {
  constexpr std::size_t kChunk = 64 << 10;
  std::string buffer = "[";
  std::uint64_t fed = 0;
  for (std::uint64_t i = 0; fed + buffer.size() < bytes; ++i) {
    if (i != 0) buffer += ',';
    buffer +=
        R"({"name":"object-)" + std::to_string(i) + R"(","replicas":)" + std::to_string(i % 100) +
        R"(,"labels":{"app":"web","tier":"front"},"ports":[80,443],"ratio":0.25,"on":true,"note":"caf\u00e9"})";
    while (buffer.size() >= kChunk) {
      if (!consume(std::string_view(buffer).substr(0, kChunk))) return false;
      buffer.erase(0, kChunk);
      fed += kChunk;
    }
  }
  buffer += ']';
  return consume(buffer);
}

// The most memory this process ever held, in bytes; 0 when the system does not tell.
inline std::uint64_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == "VmHWM:") {
      std::uint64_t kib = 0;
      status >> kib;
      return kib << 10;
    }
  }
  return 0;
}

}  // namespace strake::testing
