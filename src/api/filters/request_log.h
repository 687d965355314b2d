#pragma once
// The log line of a request: who asked for what, from where, and how it ended. Never a query, a
// header that carries credentials, or a body. Refusals (401 and 403) are logged always, at warn,
// but only so many in a while: nobody can fill a disk with them, and strangers who try cannot hide
// the refusals of users who are known. May be called from any thread.
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "api/request/call.h"

namespace strake::api {

class RequestLog {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // A burst of so many refusals is logged, and one a second after that.
  static constexpr std::uint32_t kBurst = 100;

  // With `all`, every request is logged at info; otherwise at debug.
  explicit RequestLog(bool all) : all_(all) {}

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

  const bool all_;
  std::mutex mu_;
  Budget strangers_;  // guarded by mu_
  Budget known_;      // guarded by mu_
};

}  // namespace strake::api
