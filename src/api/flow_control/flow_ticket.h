#pragma once
// The seats of one request in its priority level, or its place in a queue there.
#include <memory>
#include <optional>
#include <vector>

#include "api/flow_control/flow_control.h"

namespace strake::api {

class FlowControl::Ticket final : public Held {
 public:
  // The call and the clock must outlive it.
  Ticket(std::shared_ptr<const FlowSnapshot> snapshot, const FlowEntry& entry, const Call& call,
         int seats, std::uint64_t flow, const Clock& clock)
      : snapshot_(std::move(snapshot)),
        entry_(entry),
        call_(call),
        clock_(clock),
        is_watch_(call.info.verb == "watch"),
        request_(seats, flow, this) {}
  ~Ticket() override { release(); }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  static Ticket& of(const Call& call) { return static_cast<Ticket&>(*call.seat); }
  static const Ticket& of(const FairQueues::Request& request) {
    return *static_cast<const Ticket*>(request.owner());
  }
  const FlowEntry& entry() const { return entry_; }
  FlowLevel& level() const { return *entry_.level; }
  const Call& call() const { return call_; }

  FairQueues::Verdict start();
  // Of one that waits: set when it has its seats.
  async::OneShot<>& has_seats() { return *has_seats_; }
  // Takes a request that still waits out of its queue. False when it has its seats by now.
  bool give_up(FlowRefusal why);
  void release();  // whatever it has

  // Those that have left their queues begin: counted with the level's mutex held, told without it.
  static std::vector<async::OneShot<>> begin(const FairQueues::Released& released);
  static void tell(std::vector<async::OneShot<>> waiting);

 private:
  // With the level's mutex held:
  bool take_out(FlowRefusal why, SteadyTime now, FairQueues::Released& others);
  void count_begin();
  void refuse(FlowRefusal why, SteadyTime now);

  const std::shared_ptr<const FlowSnapshot> snapshot_;
  const FlowEntry& entry_;
  const Call& call_;
  const Clock& clock_;
  const bool is_watch_;
  bool done_ = false;                          // the call's own
  FairQueues::Request request_;                // guarded by the level's mutex
  std::optional<async::OneShot<>> has_seats_;  // written with that held
};

}  // namespace strake::api
