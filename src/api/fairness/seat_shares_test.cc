#include "api/fairness/seat_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "api/fairness/list_seats.h"
#include "api/fairness/retry_after.h"
#include "api/fairness/seat_demand.h"

namespace strake::api {
namespace {

TEST(SeatShares, DivideTheSeatsOfADefaultServer) {
  // exempt, catch-all, global-default, leader-election, node-high, system, workload-high and -low,
  // as kube-apiserver 1.36 has them by default with 600 seats.
  const std::vector<LevelShares> levels = {{0, 0},   {5, 0},   {20, 50}, {10, 0},
                                           {40, 25}, {30, 33}, {40, 50}, {100, 90}};
  const std::vector<SeatRange> want = {{0, 0, 600},   {13, 13, 613}, {49, 24, 649}, {25, 25, 625},
                                       {98, 73, 698}, {74, 50, 674}, {98, 49, 698}, {245, 24, 845}};
  const std::vector<SeatRange> got = nominal_seats(600, levels);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(got[i].nominal, want[i].nominal) << i;
    EXPECT_EQ(got[i].lowest, want[i].lowest) << i;
    EXPECT_EQ(got[i].highest, want[i].highest) << i;
  }
}

TEST(SeatShares, BoundBorrowingAndSurviveNoShares) {
  const std::vector<LevelShares> levels = {{.shares = 1, .borrowing_percent = 50},
                                           {.shares = 3, .borrowing_percent = 0}};
  EXPECT_EQ(nominal_seats(8, levels), (std::vector<SeatRange>{{2, 2, 3}, {6, 6, 6}}));
  EXPECT_EQ(nominal_seats(8, std::vector<LevelShares>{{.shares = 0}}),
            (std::vector<SeatRange>{{0, 0, 8}}));
}

TEST(SeatShares, BoundWhatOneRequestTakes) {
  EXPECT_EQ(most_seats_of_request(245, 6), 37);
  EXPECT_EQ(most_seats_of_request(49, 6), 8);
  EXPECT_EQ(most_seats_of_request(10, 8), 1);
  EXPECT_EQ(most_seats_of_request(0, 8), 1);
}

TEST(SeatDivision, FollowsTargetsWithinBounds) {
  const auto divided =
      divide_seats(100, std::vector<SeatClaim>{{10, 0, 100}, {30, 0, 100}, {10, 10, 100}});
  ASSERT_TRUE(divided);
  EXPECT_DOUBLE_EQ(divided->fraction, 2);
  EXPECT_EQ(divided->seats, (std::vector<double>{20, 60, 20}));
  const auto bounded =
      divide_seats(100, std::vector<SeatClaim>{{10, 0, 15}, {30, 0, 100}, {10, 0, 100}});
  ASSERT_TRUE(bounded);
  EXPECT_NEAR(bounded->seats[0], 15, 1e-9);
  EXPECT_NEAR(bounded->seats[1], 85 * 0.75, 1e-9);
  EXPECT_FALSE(divide_seats(100, std::vector<SeatClaim>{{10, 0, 15}}));
  EXPECT_FALSE(divide_seats(1, std::vector<SeatClaim>{{10, 2, 15}}));
  EXPECT_TRUE(divide_seats(0, {}));
}

TEST(SeatDivision, KeepsItsLawsForRandomClaims) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::minstd_rand random(seed);
    const auto part = [&](double most) {
      return most * static_cast<double>(random() % 1001) / 1000;
    };
    std::vector<SeatClaim> claims;
    double low = 0;
    double high = 0;
    for (unsigned i = 0; i < 1 + seed % 9; ++i) {
      SeatClaim& one = claims.emplace_back();
      one.low = part(20);
      one.high = one.low + part(40);
      one.target = one.low + part(60);
      low += one.low;
      high += one.high;
    }
    const int sum = static_cast<int>(std::ceil(low) + part(std::max(0.0, high - std::ceil(low))));
    const auto divided = divide_seats(sum, claims);
    if (sum > high) {
      EXPECT_FALSE(divided);
      continue;
    }
    ASSERT_TRUE(divided) << seed;
    EXPECT_NEAR(std::accumulate(divided->seats.begin(), divided->seats.end(), 0.0), sum, 1e-6)
        << seed;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const double fair = divided->fraction * std::max(0.001, claims[i].target);
      EXPECT_NEAR(divided->seats[i], std::clamp(fair, claims[i].low, claims[i].high), 1e-6) << seed;
    }
  }
}

TEST(SmoothedDemand, RisesAtOnceAndFallsSlowly) {
  SmoothedDemand demand;
  demand.add({.seconds = 10, .average = 10, .deviation = 2, .highest = 15});
  EXPECT_DOUBLE_EQ(demand.smoothed(), 12);
  for (int i = 0; i < 30; ++i) demand.add({.seconds = 10});
  EXPECT_NEAR(demand.smoothed(), 6, 0.2) << "half of it after five minutes";
}

TEST(RetryAfter, GrowsWhileMoreAreTurnedAway) {
  RetryAfter retry;
  std::int64_t now = 1'000;
  EXPECT_EQ(retry.seconds(), 1);
  std::vector<std::int64_t> seen;
  for (int i = 0; i < 100; ++i, ++now) {
    for (int j = 0; j < 10; ++j) retry.note(now);
    if (seen.empty() || seen.back() != retry.seconds()) seen.push_back(retry.seconds());
  }
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32}));
  for (int i = 0; i < 5; ++i) retry.note(now += 60);
  EXPECT_EQ(retry.seconds(), 27);
  retry.note(now - 5);  // time went back
  EXPECT_EQ(retry.seconds(), 27);
}

TEST(ListSeats, FollowWhatIsLoaded) {
  EXPECT_EQ(list_seats({.objects = 0}, 0), 1);
  EXPECT_EQ(list_seats({.objects = 100, .bytes = 100'000}, 0), 1);
  EXPECT_EQ(list_seats({.objects = 100, .bytes = 100'100}, 0), 2);
  EXPECT_EQ(list_seats({.objects = 100'000, .bytes = 1'000'000'000}, 0), 10) << "in parts";
  EXPECT_EQ(list_seats({.objects = 100'000, .bytes = 1'000'000'000}, 4), 4);
  EXPECT_EQ(list_seats({.single = true, .objects = 100'000, .bytes = 1'000'000'000}, 0), 1);
  EXPECT_EQ(list_seats({.limit = 500, .objects = 100'000, .bytes = 100'000'000}, 0), 5);
  EXPECT_EQ(
      list_seats({.from_cache = false, .limit = 500, .objects = 100'000, .bytes = 100'000'000}, 0),
      5);
  EXPECT_EQ(list_seats({.from_cache = false,
                        .selective = true,
                        .limit = 500,
                        .objects = 100'000,
                        .bytes = 100'000'000},
                       0),
            100);
}

}  // namespace
}  // namespace strake::api
