#pragma once
// `strake nodepool ...`.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kNodePoolListCommand;
extern const Command kNodePoolCreateCommand;
extern const Command kNodePoolUpdateCommand;
extern const Command kNodePoolDeleteCommand;

}  // namespace strake::cli
