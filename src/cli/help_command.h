#pragma once
// `strake help [COMMAND]`: the list of commands, or what one of them does.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kHelpCommand;

}  // namespace strake::cli
