#pragma once
// A clock for tests of programs that wait: it stands still or runs faster than the machine's, and
// can be moved forward. It never goes back. What is measured (deadlines of requests, patience with
// others) goes on at the pace of the machine.
#include <mutex>

#include "base/result.h"
#include "base/time.h"

namespace strake::server {

class TestClock final : public Clock {
 public:
  // `speed` seconds for each second of the machine; 0 stands still. `machine` must outlive it.
  TestClock(WallTime start, double speed, const Clock& machine = system_clock());

  WallTime now() const override;
  SteadyTime steady_now() const override { return machine_.steady_now(); }

  static constexpr double kMostSpeed = 1e6;
  double speed() const;
  // All fail with kInvalid, saying what is possible.
  Result<> set_speed(double speed);
  Result<> set(WallTime to);
  Result<> advance(std::chrono::nanoseconds by);

 private:
  WallTime now_locked() const;
  Result<> set_locked(WallTime to);

  const Clock& machine_;
  mutable std::mutex mu_;
  WallTime at_;       // when it was set last; guarded by mu_
  SteadyTime since_;  // the machine's time then; guarded by mu_
  double speed_;      // guarded by mu_
};

}  // namespace strake::server
