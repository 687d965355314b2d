#pragma once
// Servers that outlive the program that started them. A server holds a lock on a file of its folder
// for as long as it lives: it inherits the lock, and the system takes it away when the process
// ends, however it ends. Who holds the lock is the server, whatever numbers processes have; so no
// process id is ever kept, and none of another process is mistaken for it.
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/owned_fd.h"
#include "provider/call.h"

namespace strake::provider::local {

struct ServerProgram {
  std::vector<std::string> arguments;    // the program first: a path
  std::vector<std::string> environment;  // "NAME=value": all that it gets
  std::string folder;                    // where it runs
  std::string log;                       // what it prints is added here
  std::string alive;                     // the lock
  std::string ready;                     // made anew; open in the server for writing
};
inline constexpr int kReadyDescriptor = 3;  // of `ready`, in the server

// In a session of its own, with no other descriptor of ours. Fails with kConflict when the lock is
// held, that is, when the server runs; kInternal when it cannot be started.
Outcome<> start_server(const ServerProgram& program);

class RunningServer {
 public:
  // Nothing when nobody has the lock. Fails with kInternal when its holder cannot be seen, as that
  // of another container.
  static Outcome<std::optional<RunningServer>> find(const std::string& alive);

  pid_t pid() const { return pid_; }
  int ended() const { return handle_.get(); }  // can be read once it has ended
  // Asks it to end, and makes it when it has not after so long. Fails as call.check(), and the
  // server may then be on its way.
  Outcome<> stop(const Call& call, std::chrono::nanoseconds patience) const;

 private:
  RunningServer(pid_t pid, OwnedFd handle) : pid_(pid), handle_(std::move(handle)) {}
  pid_t pid_ = 0;
  OwnedFd handle_;
};

// The last lines that it printed, without control characters and without what looks like a secret.
std::string last_lines(const std::string& log);

}  // namespace strake::provider::local
