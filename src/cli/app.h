#pragma once
// The whole program as a function: arguments and a world in, an exit code out.
#include <span>
#include <string>
#include <string_view>

#include "cli/io/exit_code.h"
#include "cli/io/io.h"

namespace strake::cli {

// `program` is argv[0]: under the name of another tool the program is that tool. Writes everything
// out before it returns; when that fails the answer is kOutputFailed.
ExitCode run(std::string_view program, std::span<const std::string> args, Io& io);

}  // namespace strake::cli
