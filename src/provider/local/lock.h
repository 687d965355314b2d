#pragma once
// One call at a time works on a thing: it holds the lock of its name, between threads and between
// processes. The system lets the lock go when its holder ends, however that ends. The file goes
// with the lock, so nothing is left behind; one that a killed process left is used again.
#include <string>

#include "base/owned_fd.h"
#include "provider/external.h"

namespace strake::provider::local {

class NamedLock {
 public:
  // Waits for whoever holds it, as long as the call may. Makes the folder when it is not there.
  static Outcome<NamedLock> take(ExternalCalls& calls, const Call& call, std::string folder,
                                 std::string_view name);
  NamedLock() = default;  // of nothing: for dry runs
  NamedLock(NamedLock&&) noexcept = default;
  NamedLock& operator=(NamedLock&&) = delete;
  ~NamedLock();

 private:
  std::string path_;
  OwnedFd fd_;
};

}  // namespace strake::provider::local
