#pragma once
// The log line of a request: who asked for what, from where, and how it ended. Never a query, a
// header that carries credentials, or a body. Refusals (401 and 403) are logged always, at warn,
// but only so many in a while: nobody can fill a disk with them, and strangers who try cannot hide
// the refusals of users who are known. May be called from any thread.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "api/request/call.h"

namespace strake::api {

// What is logged besides refusals. May change while requests are served.
struct RequestLogSettings {
  std::atomic<bool> all = false;  // every request at info; otherwise at debug
  // Requests that take longer are logged at warn; zero for none.
  std::atomic<std::chrono::nanoseconds> slow = std::chrono::nanoseconds(0);
};

class RequestLog {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // A burst of so many refusals is logged, and one a second after that.
  static constexpr std::uint32_t kBurst = 100;

  // The settings must outlive it.
  explicit RequestLog(const RequestLogSettings& settings) : settings_(settings) {}

  struct Outcome {
    int status = 0;
    std::chrono::nanoseconds time{};  // until the answer, or for a watch until its beginning
    std::string_view audit_id;
  };
  void note(const Call& call, const Outcome& outcome, Time now);

 private:
  struct Budget {
    std::uint32_t left = kBurst;
    std::uint64_t suppressed = 0;  // since the last line
    Time filled{};
  };
  // Whether a refusal may be logged, and how many were not since the last one.
  bool take(bool stranger, Time now, std::uint64_t& suppressed);

  const RequestLogSettings& settings_;
  std::mutex mu_;
  Budget strangers_;  // guarded by mu_
  Budget known_;      // guarded by mu_
};

}  // namespace strake::api
