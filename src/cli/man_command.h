#pragma once
// `strake internal man`: prints the man page; the build calls it.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kManCommand;

}  // namespace strake::cli
