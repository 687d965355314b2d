#pragma once
// Commands in containers: started there (exec), or the one that runs already (attach).
#include <string>
#include <vector>

#include "kube/client.h"
#include "kube/pods/logs.h"
#include "kube/pods/streams.h"

namespace strake::kube {

struct ExecRequest {
  PodTarget in;
  std::vector<std::string> command;  // with its arguments; not of attach()
  bool tty = false;                  // on a terminal, whose output and errors are one
  // Those that are null are not connected. With a terminal there is no error stream.
  InputStream* input = nullptr;
  OutputStream* output = nullptr;
  OutputStream* error = nullptr;
  WindowSizes* sizes = nullptr;  // of the terminal
};

// Waits for the end of the command: its exit code, 0 to 255. What it has written is in the streams
// by then. Fails with kUsage when nothing is connected; with what the server said, kInternal when
// the command could not be run; with what a stream failed with; kServiceUnavailable when the
// connection breaks; kCancelled and kTimeout as the client, which leaves the command running.
Result<int> exec(const Client& cluster, const ExecRequest& request);
Result<int> attach(const Client& cluster, const ExecRequest& request);

}  // namespace strake::kube
