#pragma once
// A priority level at work: its queues, and what is counted of its requests.
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/fairness/fair_queues.h"
#include "api/fairness/retry_after.h"
#include "api/fairness/seat_demand.h"
#include "api/fairness/seat_shares.h"
#include "api/metrics/metrics.h"

namespace strake::api {

// Bounds of kube-apiserver 1.36.
inline constexpr std::array<Bound, 13> kFlowBounds = {{{0, "0"},
                                                       {0.005, "0.005"},
                                                       {0.02, "0.02"},
                                                       {0.05, "0.05"},
                                                       {0.1, "0.1"},
                                                       {0.2, "0.2"},
                                                       {0.5, "0.5"},
                                                       {1, "1"},
                                                       {2, "2"},
                                                       {5, "5"},
                                                       {10, "10"},
                                                       {15, "15"},
                                                       {30, "30"}}};

// Why a request was turned away.
enum class FlowRefusal : std::uint8_t { kQueueFull, kNoSeats, kTimeOut, kCancelled };
inline constexpr std::array<std::string_view, 4> kFlowRefusals = {"queue-full", "concurrency-limit",
                                                                  "time-out", "cancelled"};

// Of one flow schema in one level. Guarded by the level's mutex.
struct FlowCounts {
  std::uint64_t dispatched = 0;
  std::array<std::uint64_t, kFlowRefusals.size()> refused{};
  std::size_t waiting = 0;
  int seats_waiting = 0;
  std::size_t executing = 0;
  int seats_executing = 0;
  Histogram<kFlowBounds> waited;          // of those that were dispatched
  Histogram<kFlowBounds> waited_in_vain;  // of those that were turned away
  Histogram<kFlowBounds> lasted;
  Histogram<kFlowBounds> watch_lasted;  // the initial part
};

struct FlowLevel {
  FlowLevel(std::string of, const FairQueues::Settings& settings, int seats, SteadyTime now)
      : name(std::move(of)), queues(settings, seats, now) {}

  const std::string name;
  std::atomic<int> most_seats{0};  // of one list; 0 for no bound of the level's own

  std::mutex mu;
  FairQueues queues;                                                       // guarded by mu
  RetryAfter retry_after;                                                  // guarded by mu
  std::map<std::string, std::unique_ptr<FlowCounts>, std::less<>> counts;  // guarded by mu; grows

  // Guarded by the mutex of the FlowControl.
  LevelShares shares;
  SeatRange range;
  int seats = 0;  // at present
  double target = 0;
  SmoothedDemand demand;
  FairQueues::Settings settings;
  bool quiescing = false;  // it is configured no more, and goes when its last request has

  FlowCounts& counts_of(std::string_view schema);  // with mu held
};

}  // namespace strake::api
