#pragma once
// `strake version`, and the line that it and `strake --version` print.
#include <string>

#include "cli/command/command.h"

namespace strake::cli {

extern const Command kVersionCommand;

// "strake 0.1.0 (commit)", with a line break.
std::string version_line();

}  // namespace strake::cli
