#pragma once
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kUserAddCommand;
extern const Command kUserListCommand;
extern const Command kUserRevokeCommand;

}  // namespace strake::cli
