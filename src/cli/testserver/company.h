#pragma once
// Who a test server runs for: a command that it starts, or the program that started it.
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/owned_fd.h"
#include "base/result.h"

namespace strake::cli {

// Runs the program (looked for in PATH) with these variables besides those of this process, on the
// same standard streams, to its end: its exit code, 128 and more when a signal ended it. When
// `stop` is cancelled, the program is sent SIGTERM, and waited for all the same. Signals that this
// process blocks or ignores are as they were for the program. Code::kNotFound when there is none.
Result<int> run_in_company(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment, const CancelToken& stop);

// The process that started this one. Made early: one that has ended by then is not known any more.
class Parent {
 public:
  Parent();

  // Until `stop` is cancelled, the parent has ended, or standard input has: where that is a pipe, a
  // socket or a terminal. What comes from standard input is read and dropped.
  Result<> wait_while_in_company(const CancelToken& stop) const;

 private:
  OwnedFd process_;  // readable when it has ended; none when it had before
};

}  // namespace strake::cli
