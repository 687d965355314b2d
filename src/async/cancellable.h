#pragma once
// Waiting for what another thread does, until nobody wants it any more.
#include "async/one_shot.h"
#include "base/cancel.h"

namespace strake::async {

// While the registration lives, cancelling the token ends the wait with kCancelled. The work itself
// goes on, and whoever does it may still set the value: nobody hears it.
//
//   const CancelRegistration registration = end_wait_when(write.cancel, done);
//   co_return co_await done.wait();
template <typename T>
CancelRegistration end_wait_when(const CancelToken& cancel, OneShot<T> done) {
  return cancel.on_cancel([done]() mutable {
    done.set(fail(Code::kCancelled, "nobody waits for the outcome any more"));
  });
}

}  // namespace strake::async
