#pragma once
// The program that a backup is given to: it reads it from standard input, and its exit code says
// whether it has it.
#include <chrono>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"

namespace strake::backup {

struct Command {
  // The program first, which is looked for in PATH. `{name}` in an argument is the name of the
  // backup.
  std::vector<std::string> arguments;
  std::chrono::seconds timeout{3600};
};

struct CommandInput {
  std::string file;  // its standard input
  std::string name;  // strake-20240101T060000Z.db
  // Beside the environment of this process: STRAKE_BACKUP_NAME, and these.
  std::vector<std::string> environment = {};
};

// Runs it to its end, in a process group of its own. Its output is dropped; its error stream is
// ours. Fails with kNotFound when there is no such program, kIo when its exit code is not 0, and
// with kTimeout or kCancelled when it took too long or the token was cancelled: then the group is
// asked to end, and made to when it does not. Errors name the program alone: arguments may be
// secret.
Result<> run(const Command& command, const CommandInput& input, const CancelToken& cancel);

}  // namespace strake::backup
