#pragma once
// `strake serve`.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kServeCommand;

}  // namespace strake::cli
