#pragma once
// Where time comes from, so that tests can hold it. Code that needs the time is handed a Clock;
// only the program's start makes a SystemClock. Clocks may be asked from any thread.
#include <atomic>
#include <chrono>
#include <compare>
#include <cstdint>

namespace strake {

using WallTime = std::chrono::system_clock::time_point;  // what a calendar shows; may jump
using SteadyTime =
    std::chrono::steady_clock::time_point;  // for durations and deadlines; never goes back

class Clock {
 public:
  virtual ~Clock() = default;
  virtual WallTime now() const = 0;
  virtual SteadyTime steady_now() const = 0;
};

class SystemClock final : public Clock {
 public:
  WallTime now() const override { return std::chrono::system_clock::now(); }
  SteadyTime steady_now() const override { return std::chrono::steady_clock::now(); }
};

// One SystemClock for the whole process, never destroyed.
const SystemClock& system_clock();

// Stands still until told otherwise. Starts at 2024-01-01T00:00:00Z unless told otherwise.
class FakeClock final : public Clock {
 public:
  FakeClock() = default;
  explicit FakeClock(WallTime start) : wall_(start.time_since_epoch().count()) {}

  WallTime now() const override { return WallTime(WallTime::duration(wall_.load())); }
  SteadyTime steady_now() const override {
    return SteadyTime(SteadyTime::duration(steady_.load()));
  }

  // Moves both kinds of time forward.
  void advance(std::chrono::nanoseconds by);
  // Sets the wall time alone, as an administrator does.
  void set_wall(WallTime to) { wall_.store(to.time_since_epoch().count()); }

 private:
  std::atomic<WallTime::rep> wall_{1704067200'000'000'000};
  std::atomic<SteadyTime::rep> steady_{1'000'000'000};
};

// A moment with the whole range of the calendar: a WallTime in nanoseconds ends in 2262, an API
// time in 9999.
struct Instant {
  std::int64_t seconds = 0;       // since 1970-01-01T00:00:00Z, negative before it
  std::uint32_t nanoseconds = 0;  // less than 1,000,000,000, always counted forward

  static Instant from(WallTime time);
  // The nearest WallTime there is.
  WallTime to_wall() const;

  friend auto operator<=>(const Instant&, const Instant&) = default;
};

}  // namespace strake
