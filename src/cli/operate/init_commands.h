#pragma once
// `strake init` and `strake config`.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kInitCommand;
extern const Command kConfigCommand;

}  // namespace strake::cli
