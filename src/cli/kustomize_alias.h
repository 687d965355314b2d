#pragma once
// The program under the name `kustomize`: that tool's commands, messages and exit codes.
#include <span>
#include <string>

#include "cli/io/exit_code.h"
#include "cli/io/io.h"

namespace strake::cli {

// "Error: ..." on the error stream and 1 when something is wrong.
ExitCode run_kustomize(std::span<const std::string> args, Io& io);

}  // namespace strake::cli
