#include "api/fairness/seat_shares.h"

#include <algorithm>
#include <cmath>

namespace strake::api {
namespace {

constexpr double kLeastTarget = 0.001;  // so that nobody is divided by zero
constexpr double kNearly = 1e-7;
constexpr double kMostOfLevel = 0.15;

double target_of(const SeatClaim& claim) { return std::max(claim.target, kLeastTarget); }

double seats_at(double fraction, const SeatClaim& claim) {
  return std::clamp(fraction * target_of(claim), claim.low, claim.high);
}

double sum_at(double fraction, std::span<const SeatClaim> claims) {
  double out = 0;
  for (const SeatClaim& one : claims) out += seats_at(fraction, one);
  return out;
}

}  // namespace

std::vector<SeatRange> nominal_seats(int seats, std::span<const LevelShares> levels) {
  double all = 0;
  for (const LevelShares& one : levels) all += static_cast<double>(one.shares);
  std::vector<SeatRange> out;
  const auto percent_of = [](int of, std::int64_t percent) {
    return static_cast<int>(
        std::min(std::round(of * static_cast<double>(percent) / 100), double{1 << 30}));
  };
  for (const LevelShares& one : levels) {
    SeatRange& range = out.emplace_back();
    if (all > 0)
      range.nominal = static_cast<int>(std::ceil(seats * static_cast<double>(one.shares) / all));
    range.lowest = range.nominal - percent_of(range.nominal, one.lendable_percent);
    range.highest =
        range.nominal +
        (one.borrowing_percent ? percent_of(range.nominal, *one.borrowing_percent) : seats);
  }
  return out;
}

// As kube-apiserver 1.36 bounds them: wide requests leave room for others, in a level and in a hand
// of queues.
int most_seats_of_request(int nominal, int hand) {
  const int part = static_cast<int>(std::ceil(nominal * kMostOfLevel));
  return std::max(1, std::min(part, nominal / std::max(1, hand)));
}

// The sum of what all get grows with the fraction, in straight lines between the fractions at which
// somebody reaches a bound. The line that crosses the wanted sum is found, and on it the fraction.
std::optional<SeatDivision> divide_seats(int sum, std::span<const SeatClaim> claims) {
  const double wanted = sum;
  double lowest = 0;
  double highest = 0;
  std::vector<double> bends = {0};
  for (const SeatClaim& one : claims) {
    if (one.low < 0 || one.high < one.low || one.target < one.low) return std::nullopt;
    lowest += one.low;
    highest += one.high;
    bends.push_back(one.low / target_of(one));
    bends.push_back(one.high / target_of(one));
  }
  if (lowest > wanted + kNearly || highest < wanted - kNearly) return std::nullopt;
  std::ranges::sort(bends);
  std::size_t low = 0;
  std::size_t high = bends.size() - 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (sum_at(bends[middle], claims) <= wanted ? low : high) = middle;
  }
  SeatDivision out{.seats = {}, .fraction = bends[low]};
  const double from = sum_at(bends[low], claims);
  const double to = sum_at(bends[high], claims);
  if (from < wanted && to > from) {
    const double way = std::min(1.0, (wanted - from) / (to - from));
    out.fraction += way * (bends[high] - bends[low]);
  }
  for (const SeatClaim& one : claims) out.seats.push_back(seats_at(out.fraction, one));
  return out;
}

}  // namespace strake::api
