#include "api/fairness/seat_demand.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace strake::api {
namespace {

// As in kube-apiserver 1.36: with a reading every ten seconds, half is forgotten in five minutes.
constexpr double kKept = 0.977;

}  // namespace

void DemandMeter::advance(SteadyTime now) {
  if (now <= last_) return;
  const double seconds = std::chrono::duration<double>(now - last_).count();
  sum_ += number_ * seconds;
  squares_ += number_ * number_ * seconds;
  last_ = now;
}

DemandReading DemandMeter::read(SteadyTime now) {
  advance(now);
  DemandReading out{.seconds = std::chrono::duration<double>(last_ - since_).count(),
                    .highest = highest_};
  if (out.seconds > 0) {
    out.average = sum_ / out.seconds;
    out.deviation = std::sqrt(std::max(0.0, squares_ / out.seconds - out.average * out.average));
  }
  since_ = last_;
  sum_ = squares_ = 0;
  highest_ = number_;
  return out;
}

void SmoothedDemand::add(const DemandReading& reading) {
  if (reading.seconds <= 0) {
    latest_.highest = reading.highest;
    return;
  }
  latest_ = reading;
  const double envelope = reading.average + reading.deviation;
  smoothed_ = std::max(envelope, kKept * smoothed_ + (1 - kKept) * envelope);
}

}  // namespace strake::api
