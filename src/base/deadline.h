#pragma once
// When to give up. A Deadline is a moment of steady time or never; it is passed down by value, so
// that a call that makes others shares out what is left instead of starting anew.
#include <algorithm>
#include <chrono>
#include <compare>

#include "base/time.h"

namespace strake {

class Deadline {
 public:
  Deadline() = default;  // never
  static Deadline never() { return {}; }
  static Deadline at(SteadyTime time) { return Deadline(time); }
  // Never, when that far ahead cannot be said.
  static Deadline after(std::chrono::nanoseconds wait, const Clock& clock = system_clock());

  bool is_never() const { return at_ == SteadyTime::max(); }
  SteadyTime time() const { return at_; }  // the end of time for never

  bool expired(const Clock& clock = system_clock()) const {
    return !is_never() && clock.steady_now() >= at_;
  }
  // Not below zero; the longest duration there is for never.
  std::chrono::nanoseconds remaining(const Clock& clock = system_clock()) const;

  // The earlier of both.
  Deadline or_earlier(Deadline other) const { return Deadline(std::min(at_, other.at_)); }

  friend auto operator<=>(const Deadline&, const Deadline&) = default;

 private:
  explicit Deadline(SteadyTime at) : at_(at) {}
  SteadyTime at_ = SteadyTime::max();
};

}  // namespace strake
