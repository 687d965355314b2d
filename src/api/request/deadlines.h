#pragma once
// Requests that have a time by which they must be answered. Whoever is late is cancelled, and
// whatever the request waits for ends with that. One timer serves all of them: to have a deadline
// that is kept costs a request an entry in a map.
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "api/request/answer.h"
#include "async/task.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/time.h"
#include "http/message.h"

namespace strake::api {

class Deadlines {
 public:
  // The clock must outlive it.
  explicit Deadlines(const Clock& clock);
  ~Deadlines();
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;

  // A request that is under way. Must not outlive the deadlines, nor move.
  class Entry {
   public:
    Entry(Deadlines& deadlines, Deadline until, CancelSource& cancel);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    bool has_expired() const;

   private:
    friend class Deadlines;
    Deadlines& deadlines_;
    CancelSource& cancel_;
    bool expired_ = false;                               // guarded by mu_ of the deadlines
    std::multimap<SteadyTime, Entry*>::iterator place_;  // guarded by mu_; end when it is not there
  };

  // Uses a timer on the executor, which runs until stop().
  void start(const async::Executor& executor);
  void stop();  // from any thread
  // Cancels everyone whose time is up by the clock. Called by the timer; tests that hold the clock
  // call it.
  void expire();

 private:
  struct Timer;
  void arm(SteadyTime at);  // with mu_ held

  const Clock& clock_;
  std::mutex mu_;
  std::multimap<SteadyTime, Entry*> entries_;  // guarded by mu_
  std::shared_ptr<Timer> timer_;               // guarded by mu_
  SteadyTime armed_ = SteadyTime::max();       // guarded by mu_: when the timer wakes
};

// How long a request may take, by the server's limit and what the client asks for.
struct TimeLimit {
  std::chrono::nanoseconds time;
  bool of_write = false;  // what bounds it is that of writes
  // What the client is told when the time is up, as by kube-apiserver 1.36.
  meta::Status exceeded() const;
};
// The time of one request: cancelled is who is late. Does not move.
struct RequestTime {
  RequestTime(TimeLimit given, Deadlines& deadlines, Deadline until, const CancelToken& client)
      : limit(given), expiry(client), entry(std::in_place, deadlines, until, expiry) {}
  TimeLimit limit;
  CancelSource expiry;                    // also cancelled when the client is gone
  std::optional<Deadlines::Entry> entry;  // until there is a response
};

// `single_write` for a create, update, patch or delete of one object, which have less time. Refuses
// a `timeout` that is no duration.
Answer<TimeLimit> time_limit(const http::Query& query, std::chrono::nanoseconds most,
                             bool single_write);

}  // namespace strake::api
