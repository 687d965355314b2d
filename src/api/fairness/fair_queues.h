#pragma once
// Fair queuing of the requests of one priority level. Requests take seats, of which there are only
// so many; who finds none waits in a queue, and the queues are served so that each gets the same
// share of the seats over time, however many requests it holds and however long they take.
//
// It is the fair queuing of packets (Demers, Keshav and Shenker), with requests for packets, seats
// for bandwidth and seats x time for bytes. A meter R says how many seat-seconds each busy queue
// would have had so far if the seats were divided evenly at every moment. A queue knows the R at
// which its next request would begin in that ideal world; from the queues that wait, the one whose
// next request would end first there is served. How long a request takes is not known before: it
// is guessed, and made good when it ends. A queue that does not use its share gets no credit for
// it: its next request begins not before it came.
//
// Pure: no clock, no threads, no coroutines. Each call is told the time, which does not go back,
// and gives the requests that may go on. One thread at a time.
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/fairness/dealer.h"
#include "api/fairness/seat_demand.h"
#include "base/time.h"

namespace strake::api {

// Seats x time, in units of ten nanoseconds of one seat.
using SeatTime = std::int64_t;
constexpr SeatTime seat_time(double seats, std::chrono::nanoseconds time) {
  const double exact = seats * static_cast<double>(time.count()) / 10;
  return static_cast<SeatTime>(exact + (exact < 0 ? -0.5 : 0.5));
}
double seat_seconds(SeatTime time);

class FairQueues {
  struct Queue;

 public:
  enum class Mode : std::uint8_t {
    kExempt,  // nobody is refused and nobody waits
    kReject,  // who finds no seats is refused
    kQueue,   // and here waits
  };
  struct Settings {
    Mode mode = Mode::kReject;
    Dealer dealer;   // of queues
    int length = 0;  // how many requests wait in one queue
    friend bool operator==(const Settings& a, const Settings& b) {
      return a.mode == b.mode && a.length == b.length && a.dealer.deck() == b.dealer.deck() &&
             a.dealer.hand() == b.dealer.hand();
    }
  };

  // Owned by whoever makes it. It must not move, nor go, while it waits or executes.
  class Request {
   public:
    // `owner` is whoever it belongs to; the queues do not touch it.
    Request(int seats, std::uint64_t flow, const void* owner = nullptr)
        : seats_(seats), flow_(flow), owner_(owner) {}
    enum class State : std::uint8_t { kNew, kWaits, kExecutes, kDone };
    State state() const { return state_; }
    int seats() const { return seats_; }
    const void* owner() const { return owner_; }
    SteadyTime arrived() const { return arrived_; }
    SteadyTime started() const { return started_; }
    int queue() const;  // its index; -1 without queues

   private:
    friend class FairQueues;
    const int seats_;
    const std::uint64_t flow_;  // a hash of whom it belongs with
    const void* const owner_;
    State state_ = State::kNew;
    SteadyTime arrived_;
    SteadyTime started_;
    SeatTime arrival_r_ = 0;
    Queue* queue_ = nullptr;     // null without queues
    Request* before_ = nullptr;  // of its queue while it waits, then of all that execute
    Request* after_ = nullptr;
  };
  enum class Verdict : std::uint8_t { kExecutes, kWaits, kQueueFull, kNoSeats };
  // Requests that waited and now execute, in this order.
  using Released = std::vector<Request*>;

  FairQueues(Settings settings, int seats, SteadyTime now);
  ~FairQueues();
  FairQueues(const FairQueues&) = delete;
  FairQueues& operator=(const FairQueues&) = delete;

  // Requests that wait in queues that are no longer dealt are served as before.
  void configure(const Settings& settings, SteadyTime now, Released& released);
  void set_seats(int seats, SteadyTime now, Released& released);

  // A request that is refused is done. Others may go on because of it, but never itself.
  Verdict start(Request& request, SteadyTime now, Released& released);
  void finish(Request& request, SteadyTime now, Released& released);  // one that executes
  // Takes a request out of its queue. False when it does not wait (any more).
  bool withdraw(Request& request, SteadyTime now, Released& released);

  int seats() const { return limit_; }
  int seats_in_use() const { return seats_in_use_; }
  int seats_waited_for() const { return seats_waiting_; }
  std::size_t executing() const { return executing_; }
  std::size_t waiting() const { return waiting_; }
  bool idle() const { return executing_ == 0 && waiting_ == 0; }
  const Settings& settings() const { return settings_; }
  SeatTime current_r() const { return r_; }
  // Of the seats that requests hold and wait for, since the last reading.
  DemandReading read_demand(SteadyTime now) { return demand_.read(now); }

  struct QueueView {
    int index;
    std::size_t waiting;
    std::size_t executing;
    int seats_in_use;
    SeatTime next_r;
    int seats_waited_for;
    SeatTime work;
    std::vector<const Request*> requests;  // that wait, oldest first
  };
  // The queues that have requests, by index.
  std::vector<QueueView> queues() const;
  // Requests that execute, latest first.
  std::vector<const Request*> executing_requests() const;

 private:
  void advance(SteadyTime now);
  void advance_epoch();
  Queue& choose(std::uint64_t flow);
  bool fits(int seats) const;
  void execute(Request& request, Queue* queue, SteadyTime now);
  void append(Queue& queue, Request& request);
  void take_out(Request& request);
  void bound(Queue& queue);
  void set_place(Queue& queue);
  void drop_if_idle(Queue& queue);
  void dispatch(SteadyTime now, Released& released);
  Queue& next_queue();
  void note_demand(SteadyTime now) { demand_.set(seats_in_use_ + seats_waiting_, now); }

  using Place = std::pair<SeatTime, int>;  // when the next request ends, and the queue

  Settings settings_;
  int limit_;
  SteadyTime now_;
  SeatTime r_ = 0;
  std::unordered_map<int, Queue> queues_;  // those that were used; others are as if idle
  std::set<Place> order_;                  // of the queues in which somebody waits
  std::size_t idle_queues_ = 0;            // of queues_
  std::size_t active_ = 0;                 // queues with requests
  int served_last_ = -1;                   // the queue
  std::size_t dealt_ = 0;
  std::size_t executing_ = 0;
  Request* latest_ = nullptr;  // of those that execute
  std::size_t waiting_ = 0;
  int seats_in_use_ = 0;
  int seats_of_queues_ = 0;  // of them, by requests of queues
  int seats_waiting_ = 0;
  DemandMeter demand_;
};

}  // namespace strake::api
