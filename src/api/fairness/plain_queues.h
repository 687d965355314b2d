#pragma once
// Fair queuing a second time, as plainly as it can be said: every queue is there, every sum is
// counted anew, and every choice looks at all queues. For tests, against which FairQueues is held.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <vector>

#include "api/fairness/dealer.h"
#include "api/fairness/fair_queues.h"

namespace strake::api::testing {

class PlainQueues {
 public:
  PlainQueues(FairQueues::Settings settings, int limit, SteadyTime now)
      : settings_(settings), limit_(limit), now_(now) {
    queues_.resize(static_cast<std::size_t>(settings.dealer.deck()));
    robin_ = queues_.size() - 1;
  }

  struct Request {
    int id;
    int seats;
    SeatTime arrival = 0;
    SteadyTime started = {};
  };
  // The ids of those that begin, the request's own among them.
  FairQueues::Verdict start(int id, int seats, std::uint64_t flow, SteadyTime now,
                            std::vector<int>& begun) {
    advance(now);
    const std::size_t index = choose(flow);
    Queue& queue = queues_[index];
    if (in_use() >= limit_ && queue.waiting.size() >= static_cast<std::size_t>(settings_.length))
      return FairQueues::Verdict::kQueueFull;
    if (queue.waiting.empty() && queue.executing.empty()) queue.next = r_;
    queue.waiting.push_back({.id = id, .seats = seats, .arrival = r_});
    bound(queue);
    dispatch(begun);
    return std::ranges::find(begun, id) != begun.end() ? FairQueues::Verdict::kExecutes
                                                       : FairQueues::Verdict::kWaits;
  }
  void finish(int id, SteadyTime now, std::vector<int>& begun) {
    advance(now);
    for (Queue& queue : queues_) {
      const auto found = std::ranges::find(queue.executing, id, &Request::id);
      if (found == queue.executing.end()) continue;
      queue.next += seat_time(found->seats, now - found->started - std::chrono::milliseconds(3));
      queue.executing.erase(found);
      bound(queue);
      break;
    }
    dispatch(begun);
  }
  void withdraw(int id, SteadyTime now, std::vector<int>& begun) {
    advance(now);
    for (Queue& queue : queues_) {
      std::erase_if(queue.waiting, [&](const Request& one) { return one.id == id; });
      bound(queue);
    }
    dispatch(begun);
  }
  void set_limit(int limit, SteadyTime now, std::vector<int>& begun) {
    advance(now);
    limit_ = limit;
    dispatch(begun);
  }

  int in_use() const {
    int out = 0;
    for (const Queue& queue : queues_) out += sum(queue.executing);
    return out;
  }
  int waited_for() const {
    int out = 0;
    for (const Queue& queue : queues_) out += sum(queue.waiting);
    return out;
  }
  SeatTime r() const { return r_; }

 private:
  struct Queue {
    SeatTime next = 0;
    std::deque<Request> waiting;
    std::deque<Request> executing;
  };

  static int sum(const std::deque<Request>& requests) {
    int out = 0;
    for (const Request& one : requests) out += one.seats;
    return out;
  }
  static SeatTime work(int seats) { return seat_time(seats, std::chrono::milliseconds(3)); }

  void advance(SteadyTime now) {
    int active = 0;
    for (const Queue& queue : queues_)
      active += queue.waiting.empty() && queue.executing.empty() ? 0 : 1;
    const int used = std::min(in_use() + waited_for(), limit_);
    if (active > 0)
      r_ += seat_time(static_cast<double>(used) / static_cast<double>(active), now - now_);
    now_ = now;
  }
  std::size_t choose(std::uint64_t flow) {
    Dealer::Hand cards;
    const auto hand = settings_.dealer.deal(flow, cards);
    const std::size_t first = dealt_++ % hand.size();
    std::size_t best = 0;
    SeatTime least = INT64_MAX;
    for (std::size_t i = 0; i < hand.size(); ++i) {
      const auto index = static_cast<std::size_t>(hand[(first + i) % hand.size()]);
      SeatTime waits = 0;
      for (const Request& one : queues_[index].waiting) waits += work(one.seats);
      if (waits < least) {
        least = waits;
        best = index;
      }
    }
    return best;
  }
  void bound(Queue& queue) {
    if (!queue.waiting.empty()) queue.next = std::max(queue.next, queue.waiting.front().arrival);
  }
  void dispatch(std::vector<int>& begun) {
    while (waited_for() > 0 && in_use() < limit_) {
      std::size_t best = queues_.size();
      SeatTime least = INT64_MAX;
      std::size_t at = robin_;
      for (std::size_t i = 0; i < queues_.size(); ++i) {
        at = (at + 1) % queues_.size();
        const Queue& queue = queues_[at];
        if (queue.waiting.empty()) continue;
        const SeatTime ends = queue.next + work(queue.waiting.front().seats);
        if (ends < least) {
          least = ends;
          best = at;
        }
      }
      Queue& queue = queues_[best];
      const Request next = queue.waiting.front();
      const bool fits = next.seats > limit_ ? in_use() == 0 : in_use() + next.seats <= limit_;
      if (!fits) return;
      queue.waiting.pop_front();
      robin_ = best;
      queue.executing.push_back(next);
      queue.executing.back().started = now_;
      queue.next += work(next.seats);
      bound(queue);
      begun.push_back(next.id);
    }
  }

  FairQueues::Settings settings_;
  int limit_;
  SteadyTime now_;
  SeatTime r_ = 0;
  std::vector<Queue> queues_;
  std::size_t robin_ = 0;  // the queue that was served last
  std::size_t dealt_ = 0;
};

}  // namespace strake::api::testing
