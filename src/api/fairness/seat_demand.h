#pragma once
// How many seats a priority level wants: what its requests hold and wait for, over time.
#include "base/time.h"

namespace strake::api {

// Of a period.
struct DemandReading {
  double seconds = 0;  // that it lasted; without any there is no average
  double average = 0;
  double deviation = 0;
  double highest = 0;
};

// Sums up a number that changes. One thread at a time.
class DemandMeter {
 public:
  explicit DemandMeter(SteadyTime now) : since_(now), last_(now) {}
  // The number from now on.
  void set(double number, SteadyTime now) {
    advance(now);
    number_ = number;
    if (number > highest_) highest_ = number;
  }
  // What there was since the last reading.
  DemandReading read(SteadyTime now);

 private:
  void advance(SteadyTime now);

  SteadyTime since_;  // when the period began
  SteadyTime last_;   // up to where it is summed up
  double number_ = 0;
  double highest_ = 0;
  double sum_ = 0;      // of number x seconds
  double squares_ = 0;  // of number² x seconds
};

// What a level is taken to want: it rises at once with a demand, and falls slowly behind it.
class SmoothedDemand {
 public:
  void add(const DemandReading& reading);
  double smoothed() const { return smoothed_; }
  const DemandReading& latest() const { return latest_; }

 private:
  DemandReading latest_;
  double smoothed_ = 0;
};

}  // namespace strake::api
