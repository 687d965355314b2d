#pragma once
// How long one side of an exchange waits: until it is told to look again, its deadline passes, or
// the caller gives up (by its token or by cancelling its coroutine). Of one loop. Internal to http.
#include <memory>

#include "async/signal.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "http/failure.h"

namespace strake::http {

class ClientWait {
 public:
  ClientWait(const async::Executor& executor, Deadline deadline, const CancelToken& cancel);

  void set_deadline(Deadline deadline) { deadline_ = deadline; }
  Deadline deadline() const { return deadline_; }

  // Many are one; what comes while nobody waits is kept.
  void notify() { state_->signal.notify(); }
  // One at a time. Fails with kTimeout or kCancelled.
  Exchange<> wait();

 private:
  struct State {
    explicit State(const async::Executor& executor) : signal(executor) {}
    async::Signal signal;
    bool cancelled = false;
  };
  std::shared_ptr<State> state_;  // shared with what another thread posts
  Deadline deadline_;
  CancelRegistration registration_;
};

}  // namespace strake::http
