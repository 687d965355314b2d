#pragma once
// How the seats of a server are divided among its priority levels.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace strake::api {

// What the configuration says of a level.
struct LevelShares {
  std::int64_t shares = 0;
  std::int64_t lendable_percent = 0;
  std::optional<std::int64_t> borrowing_percent = std::nullopt;  // no limit without it
};
// How many seats a level has: of its own, at least (the rest is lent), and at most (borrowed).
struct SeatRange {
  int nominal = 0;
  int lowest = 0;
  int highest = 0;
  friend bool operator==(const SeatRange&, const SeatRange&) = default;
};
// Divides the seats by the shares. Each level gets whole seats, rounded up.
std::vector<SeatRange> nominal_seats(int seats, std::span<const LevelShares> levels);

// The most seats that one request of a level with queues may take.
int most_seats_of_request(int nominal, int hand);

// What a level should get of a sum: in proportion to `target`, within bounds.
struct SeatClaim {
  double target = 0;  // not less than `low`
  double low = 0;
  double high = 0;
};
struct SeatDivision {
  std::vector<double> seats;
  double fraction = 0;  // of its target, what a level gets whose bounds do not matter
};
// Nothing when the bounds cannot give that sum. All get the same fraction of their targets, but
// for those whose bounds are in the way.
std::optional<SeatDivision> divide_seats(int sum, std::span<const SeatClaim> claims);

}  // namespace strake::api
