#pragma once
// What the program says to the shell that started it. The one table; docs/exit-codes.md and the man
// page show the same.
#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"

namespace strake::cli {

enum class ExitCode : std::uint8_t {
  kFine = 0,
  kFindings = 1,
  kInput = 2,
  kUnsupported = 3,
  kOutputFailed = 4,
  kRemoteFailed = 5,
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view name;
  std::string_view meaning;
};

// In the order of the numbers.
std::span<const ExitCodeRow> exit_code_table();

// The exit code for an error that ended a command. An error of writing output is known where it
// happens, not here.
ExitCode exit_code_for(Code code);

}  // namespace strake::cli
