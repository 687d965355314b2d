#pragma once
// `strake completion SHELL`: prints a script that lets the shell complete commands, flags and their
// values.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kCompletionCommand;

}  // namespace strake::cli
