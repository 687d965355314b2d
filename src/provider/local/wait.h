#pragma once
// Waiting for the system on behalf of a call: for a descriptor, or for a file, until there is
// something, the call is cancelled, or its time is over. Nothing is asked again and again.
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file_watch.h"
#include "base/owned_fd.h"
#include "provider/call.h"

namespace strake::provider::local {

// A descriptor that can be read once one of the others can, or the call is cancelled.
class Wakeup {
 public:
  // kInternal when the system has no more descriptors. Those in `others` stay their owners'.
  static Outcome<Wakeup> make(const Call& call, std::span<const int> others);
  int descriptor() const { return all_.get(); }

 private:
  struct Cancelled;
  OwnedFd all_;
  std::shared_ptr<Cancelled> cancelled_;
};

// Whether it became readable in time; fails as call.check().
Outcome<bool> wait_readable(const Call& call, int fd, std::chrono::nanoseconds most);

// What is left of the call's time, for those who know the system's clock alone.
Deadline system_deadline(const Call& call);

}  // namespace strake::provider::local
