#pragma once
// Fair use of the server: API priority and fairness, as kube-apiserver 1.36 has it. A request
// belongs to the first flow schema that matches it, and so to a priority level, which has a part of
// the server's seats. It takes seats there, waits for them, or is turned away.
//
// The configuration is that of the served objects as they stand: it is read again when they have
// changed, by the next request. One lock a level guards its queues for a few lines; a request that
// need not wait takes it twice.
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/flow_control/flow_informer.h"
#include "api/flow_control/flow_level.h"
#include "api/request/call.h"
#include "api/request/deadlines.h"
#include "api/request/registry.h"
#include "async/one_shot.h"

namespace strake::api {

// A flow schema with the level that its requests go to.
struct FlowEntry {
  std::shared_ptr<const FlowSchemaFacts> schema;
  FlowLevel* level = nullptr;  // the snapshot keeps it
  FlowCounts* counts = nullptr;
  std::string level_uid;
  std::uint64_t seed = 0;  // of the hashes of its flows
};

// The configuration as it stood. Immutable.
struct FlowSnapshot {
  std::uint64_t generation = 0;                    // no two of a process have the same
  Revision revision = 0;                           // of the newest change that it has
  std::vector<FlowEntry> entries;                  // in the order in which they are matched
  std::size_t otherwise = 0;                       // of what matches none of them
  std::vector<std::shared_ptr<FlowLevel>> levels;  // by name
};

class FlowControl {
 public:
  // For how long a request without a deadline waits is a quarter of `request_timeout`. The others
  // must outlive it and its calls.
  FlowControl(FlowInformer& informer, const Registry& registry, const Clock& clock,
              Deadlines& deadlines, int seats, std::chrono::seconds request_timeout);
  ~FlowControl();
  FlowControl(const FlowControl&) = delete;
  FlowControl& operator=(const FlowControl&) = delete;

  // Adjusts the seats of the levels every ten seconds, by a timer on the executor, until stop().
  void start(const async::Executor& executor);
  void stop();  // from any thread
  // Divides the seats anew by what the levels want. Called by the timer; tests that hold the clock
  // call it.
  void adjust();

  // The seats of one request. Released with it.
  class Ticket;
  enum class Entry : std::uint8_t { kGoesOn, kWaits, kRefused };
  // Puts a ticket into the call.
  Entry enter(Call& call);
  // Until a request that waits has its seats. False when it is turned away: it has waited too long,
  // or nobody waits for its answer any more.
  boost::asio::awaitable<bool> wait(Call& call);
  // Gives the seats back. The ticket stays.
  static void leave(Call& call);

  // What a response tells of its request.
  struct Told {
    std::string_view schema_uid;
    std::string_view level_uid;
  };
  static Told told(const Call& call);
  // When a request that is turned away should come again, in seconds.
  static std::int64_t retry_after(const Call& call);

  void write_metrics(std::string& out) const;
  // As text, one line each, as kube-apiserver 1.36 prints them for people.
  std::string dump_levels() const;
  std::string dump_queues() const;
  std::string dump_requests(bool with_details) const;

 private:
  struct Timer;
  struct Seen;
  const FlowEntry& classify(const Call& call);
  const std::shared_ptr<const FlowSnapshot>& current();
  int seats_of(const Call& call, const FlowEntry& entry) const;
  std::chrono::nanoseconds longest_wait(const Call& call) const;
  // With mu_ held:
  void rebuild();
  void set_levels(const std::map<std::string, PriorityLevelFacts>& wanted);
  void divide(SteadyTime now);
  static void arm(const std::shared_ptr<Timer>& timer);

  FlowInformer& informer_;
  const Registry& registry_;
  const Clock& clock_;
  Deadlines& deadlines_;
  const int seats_;
  const std::chrono::seconds request_timeout_;

  std::atomic<std::uint64_t> generation_{0};  // of the snapshot that is in force
  mutable std::mutex mu_;
  std::shared_ptr<const FlowSnapshot> snapshot_;                           // guarded by mu_
  std::map<std::string, std::shared_ptr<FlowLevel>, std::less<>> levels_;  // guarded by mu_
  double fair_fraction_ = 0;                                               // guarded by mu_
  std::shared_ptr<Timer> timer_;                                           // guarded by mu_
};

}  // namespace strake::api
