#include "api/fairness/fair_queues.h"

#include <algorithm>

#include "base/assert.h"

namespace strake::api {
namespace {

// What a request is taken to last before it has ended; as in kube-apiserver 1.36.
constexpr std::chrono::milliseconds kGuess{3};
// The meter is set back when it gets here, so that it never overflows: with a thousand seats and
// one busy queue, after more than half a year.
constexpr SeatTime kHighR = SeatTime{1} << 61;
// Queues that are kept although nobody uses them, so that busy ones need no memory anew.
constexpr std::size_t kIdleQueues = 1024;

constexpr SeatTime work_of(int seats) { return seats * seat_time(1, kGuess); }

}  // namespace

double seat_seconds(SeatTime time) { return static_cast<double>(time) / 1e8; }

struct FairQueues::Queue {
  explicit Queue(int at) : index(at) {}
  int index;
  SeatTime next_r = 0;
  Request* oldest = nullptr;
  Request* newest = nullptr;
  std::size_t waiting = 0;
  std::size_t executing = 0;
  int seats_in_use = 0;
  int seats_waiting = 0;
  SeatTime work = 0;    // of those that wait
  bool placed = false;  // has a place in the order
  SeatTime place = 0;   // which
  bool idle() const { return waiting == 0 && executing == 0; }
};

int FairQueues::Request::queue() const { return queue_ != nullptr ? queue_->index : -1; }

FairQueues::FairQueues(Settings settings, int seats, SteadyTime now)
    : settings_(settings), limit_(seats), now_(now), demand_(now) {}

FairQueues::~FairQueues() = default;

void FairQueues::configure(const Settings& settings, SteadyTime now, Released& released) {
  advance(now);
  settings_ = settings;
  dispatch(now, released);
}

void FairQueues::set_seats(int seats, SteadyTime now, Released& released) {
  advance(now);
  limit_ = seats;
  dispatch(now, released);
}

// Each busy queue has its even share of the seats that can be used.
void FairQueues::advance(SteadyTime now) {
  if (now <= now_) return;
  if (active_ > 0) {
    const int used = std::min(seats_of_queues_ + seats_waiting_, limit_);
    r_ += seat_time(static_cast<double>(used) / static_cast<double>(active_), now - now_);
    if (r_ >= kHighR) advance_epoch();
  }
  now_ = now;
}

// Only differences matter.
void FairQueues::advance_epoch() {
  const SeatTime back = r_;
  r_ = 0;
  order_.clear();
  for (auto& [index, queue] : queues_) {
    queue.placed = false;
    if (queue.idle()) continue;
    queue.next_r -= back;
    for (Request* one = queue.oldest; one != nullptr; one = one->after_) one->arrival_r_ -= back;
    set_place(queue);
  }
}

FairQueues::Verdict FairQueues::start(Request& request, SteadyTime now, Released& released) {
  advance(now);
  request.arrived_ = now;
  request.arrival_r_ = r_;
  if (settings_.mode != Mode::kQueue) {
    if (!fits(request.seats_)) {
      request.state_ = Request::State::kDone;
      return Verdict::kNoSeats;
    }
    execute(request, nullptr, now);
    note_demand(now);
    return Verdict::kExecutes;
  }
  Queue& queue = choose(request.flow_);
  if (seats_in_use_ >= limit_ && queue.waiting >= static_cast<std::size_t>(settings_.length)) {
    request.state_ = Request::State::kDone;
    return Verdict::kQueueFull;
  }
  if (queue.idle()) {
    queue.next_r = r_;
    ++active_;
    --idle_queues_;
  }
  append(queue, request);
  if (waiting_ == 1 && seats_in_use_ < limit_ && fits(request.seats_)) {
    // Nobody else waits: it is next, and needs no place in the order.
    bound(queue);
    take_out(request);
    served_last_ = queue.index;
    execute(request, &queue, now);
    queue.next_r += work_of(request.seats_);
    note_demand(now);
    return Verdict::kExecutes;
  }
  bound(queue);
  set_place(queue);
  const std::size_t others = released.size();
  dispatch(now, released);
  note_demand(now);
  if (request.state_ == Request::State::kWaits) return Verdict::kWaits;
  released.erase(
      std::find(released.begin() + static_cast<std::ptrdiff_t>(others), released.end(), &request));
  return Verdict::kExecutes;
}

void FairQueues::finish(Request& request, SteadyTime now, Released& released) {
  STRAKE_ASSERT(request.state_ == Request::State::kExecutes);
  advance(now);
  request.state_ = Request::State::kDone;
  (request.before_ != nullptr ? request.before_->after_ : latest_) = request.after_;
  if (request.after_ != nullptr) request.after_->before_ = request.before_;
  --executing_;
  seats_in_use_ -= request.seats_;
  if (Queue* queue = request.queue_) {
    seats_of_queues_ -= request.seats_;
    queue->seats_in_use -= request.seats_;
    --queue->executing;
    queue->next_r += seat_time(request.seats_, now - request.started_ - kGuess);
    bound(*queue);
    set_place(*queue);
    drop_if_idle(*queue);
  }
  dispatch(now, released);
  note_demand(now);
}

bool FairQueues::withdraw(Request& request, SteadyTime now, Released& released) {
  if (request.state_ != Request::State::kWaits) return false;
  advance(now);
  Queue& queue = *request.queue_;
  take_out(request);
  request.state_ = Request::State::kDone;
  bound(queue);
  set_place(queue);
  drop_if_idle(queue);
  // A wide request may have been in the way of others.
  dispatch(now, released);
  note_demand(now);
  return true;
}

// Of its hand the queue with the least work waiting. Where the look begins moves on, so that flows
// whose hands overlap do not all begin with the same queue.
FairQueues::Queue& FairQueues::choose(std::uint64_t flow) {
  const auto size = static_cast<std::size_t>(settings_.dealer.hand());
  const std::size_t first = dealt_++ % size;
  int best = 0;
  if (waiting_ == 0) {
    best = settings_.dealer.card(flow, first);
  } else {
    Dealer::Hand cards;
    const std::span<const int> hand = settings_.dealer.deal(flow, cards);
    SeatTime least = INT64_MAX;
    for (std::size_t i = 0; i < size; ++i) {
      const int index = hand[(first + i) % size];
      const auto found = queues_.find(index);
      const SeatTime work = found == queues_.end() ? 0 : found->second.work;
      if (work < least) {
        least = work;
        best = index;
      }
    }
  }
  const auto [place, made] = queues_.try_emplace(best, best);
  if (made) ++idle_queues_;
  return place->second;
}

// A request that is wider than all seats together runs alone.
bool FairQueues::fits(int seats) const {
  if (settings_.mode == Mode::kExempt) return true;
  if (seats > limit_) return executing_ == 0;
  return seats_in_use_ + seats <= limit_;
}

void FairQueues::execute(Request& request, Queue* queue, SteadyTime now) {
  request.state_ = Request::State::kExecutes;
  request.started_ = now;
  request.queue_ = queue;
  request.before_ = nullptr;
  request.after_ = latest_;
  if (latest_ != nullptr) latest_->before_ = &request;
  latest_ = &request;
  ++executing_;
  seats_in_use_ += request.seats_;
  if (queue == nullptr) return;
  seats_of_queues_ += request.seats_;
  queue->seats_in_use += request.seats_;
  ++queue->executing;
}

void FairQueues::append(Queue& queue, Request& request) {
  request.state_ = Request::State::kWaits;
  request.queue_ = &queue;
  request.before_ = queue.newest;
  request.after_ = nullptr;
  (queue.newest != nullptr ? queue.newest->after_ : queue.oldest) = &request;
  queue.newest = &request;
  ++queue.waiting;
  queue.seats_waiting += request.seats_;
  queue.work += work_of(request.seats_);
  ++waiting_;
  seats_waiting_ += request.seats_;
}

void FairQueues::take_out(Request& request) {
  Queue& queue = *request.queue_;
  (request.before_ != nullptr ? request.before_->after_ : queue.oldest) = request.after_;
  (request.after_ != nullptr ? request.after_->before_ : queue.newest) = request.before_;
  --queue.waiting;
  queue.seats_waiting -= request.seats_;
  queue.work -= work_of(request.seats_);
  --waiting_;
  seats_waiting_ -= request.seats_;
}

// No credit for seats that were not used: the next request begins not before it came.
void FairQueues::bound(Queue& queue) {
  if (queue.oldest != nullptr) queue.next_r = std::max(queue.next_r, queue.oldest->arrival_r_);
}

void FairQueues::set_place(Queue& queue) {
  const bool placed = queue.oldest != nullptr;
  const SeatTime place = placed ? queue.next_r + work_of(queue.oldest->seats_) : 0;
  if (queue.placed && placed && queue.place == place) return;
  if (queue.placed) order_.erase({queue.place, queue.index});
  if (placed) order_.emplace(place, queue.index);
  queue.placed = placed;
  queue.place = place;
}

void FairQueues::drop_if_idle(Queue& queue) {
  if (!queue.idle()) return;
  --active_;
  if (++idle_queues_ <= kIdleQueues) return;
  --idle_queues_;
  queues_.erase(queue.index);
}

// Of those that end at the same time, the next one behind the last that was served.
FairQueues::Queue& FairQueues::next_queue() {
  const SeatTime first = order_.begin()->first;
  auto found = order_.upper_bound({first, served_last_});
  if (found == order_.end() || found->first != first) found = order_.begin();
  return queues_.at(found->second);
}

void FairQueues::dispatch(SteadyTime now, Released& released) {
  while (waiting_ > 0 && seats_in_use_ < limit_) {
    Queue& queue = next_queue();
    Request& request = *queue.oldest;
    // Whoever is next goes first: nobody narrow passes a wide request, which would never get its
    // seats otherwise.
    if (!fits(request.seats_)) break;
    take_out(request);
    served_last_ = queue.index;
    execute(request, &queue, now);
    queue.next_r += work_of(request.seats_);
    bound(queue);
    set_place(queue);
    released.push_back(&request);
  }
}

std::vector<const FairQueues::Request*> FairQueues::executing_requests() const {
  std::vector<const Request*> out;
  for (const Request* one = latest_; one != nullptr; one = one->after_) out.push_back(one);
  return out;
}

std::vector<FairQueues::QueueView> FairQueues::queues() const {
  std::vector<QueueView> out;
  for (const auto& [index, queue] : queues_) {
    if (queue.idle()) continue;
    QueueView& view = out.emplace_back(QueueView{.index = index,
                                                 .waiting = queue.waiting,
                                                 .executing = queue.executing,
                                                 .seats_in_use = queue.seats_in_use,
                                                 .next_r = queue.next_r,
                                                 .seats_waited_for = queue.seats_waiting,
                                                 .work = queue.work,
                                                 .requests = {}});
    for (const Request* one = queue.oldest; one != nullptr; one = one->after_)
      view.requests.push_back(one);
  }
  std::ranges::sort(out, {}, &QueueView::index);
  return out;
}

}  // namespace strake::api
