#include "api/flow_control/flow_ticket.h"

#include <cstddef>

namespace strake::api {
namespace {

using State = FairQueues::Request::State;
using Verdict = FairQueues::Verdict;

double seconds(SteadyTime::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

FairQueues::Verdict FlowControl::Ticket::start() {
  const SteadyTime now = clock_.steady_now();
  FairQueues::Released others;
  std::vector<async::OneShot<>> waiting;
  Verdict verdict = Verdict::kExecutes;
  {
    const std::lock_guard lock(level().mu);
    verdict = level().queues.start(request_, now, others);
    if (verdict == Verdict::kExecutes) {
      count_begin();
    } else if (verdict == Verdict::kWaits) {
      has_seats_.emplace();
      ++entry_.counts->waiting;
      entry_.counts->seats_waiting += request_.seats();
    } else {
      refuse(verdict == Verdict::kQueueFull ? FlowRefusal::kQueueFull : FlowRefusal::kNoSeats, now);
    }
    if (!others.empty()) waiting = begin(others);
  }
  tell(std::move(waiting));
  return verdict;
}

bool FlowControl::Ticket::give_up(FlowRefusal why) {
  const SteadyTime now = clock_.steady_now();
  FairQueues::Released others;
  std::vector<async::OneShot<>> waiting;
  {
    const std::lock_guard lock(level().mu);
    if (!take_out(why, now, others)) return false;
    waiting = begin(others);
  }
  tell(std::move(waiting));
  return true;
}

void FlowControl::Ticket::release() {
  if (std::exchange(done_, true)) return;
  const SteadyTime now = clock_.steady_now();
  FairQueues::Released others;
  std::vector<async::OneShot<>> waiting;
  {
    const std::lock_guard lock(level().mu);
    if (request_.state() == State::kExecutes) {
      level().queues.finish(request_, now, others);
      FlowCounts& counts = *entry_.counts;
      --counts.executing;
      counts.seats_executing -= request_.seats();
      (is_watch_ ? counts.watch_lasted : counts.lasted).observe(seconds(now - request_.started()));
    } else {
      static_cast<void>(take_out(FlowRefusal::kCancelled, now, others));
    }
    if (!others.empty()) waiting = begin(others);
  }
  tell(std::move(waiting));
}

bool FlowControl::Ticket::take_out(FlowRefusal why, SteadyTime now, FairQueues::Released& others) {
  if (!level().queues.withdraw(request_, now, others)) return false;
  --entry_.counts->waiting;
  entry_.counts->seats_waiting -= request_.seats();
  refuse(why, now);
  return true;
}

void FlowControl::Ticket::count_begin() {
  FlowCounts& counts = *entry_.counts;
  ++counts.executing;
  counts.seats_executing += request_.seats();
  ++counts.dispatched;
  counts.waited.observe(seconds(request_.started() - request_.arrived()));
}

void FlowControl::Ticket::refuse(FlowRefusal why, SteadyTime now) {
  ++entry_.counts->refused[static_cast<std::size_t>(why)];
  entry_.counts->waited_in_vain.observe(seconds(now - request_.arrived()));
  level().retry_after.note(
      std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count());
}

std::vector<async::OneShot<>> FlowControl::Ticket::begin(const FairQueues::Released& released) {
  std::vector<async::OneShot<>> out;
  out.reserve(released.size());
  for (const FairQueues::Request* request : released) {
    // The queues only show whose it is.
    Ticket& ticket = const_cast<Ticket&>(of(*request));
    --ticket.entry_.counts->waiting;
    ticket.entry_.counts->seats_waiting -= request->seats();
    ticket.count_begin();
    out.push_back(*ticket.has_seats_);
  }
  return out;
}

void FlowControl::Ticket::tell(std::vector<async::OneShot<>> waiting) {
  for (async::OneShot<>& one : waiting) one.set({});
}

}  // namespace strake::api
