#pragma once
// `strake app ...` and `strake dns ...`.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kAppValidateCommand;
extern const Command kAppDeployCommand;
extern const Command kAppDestroyCommand;
extern const Command kAppStatusCommand;
extern const Command kAppExecCommand;
extern const Command kAppLogsCommand;
extern const Command kAppTunnelCommand;
extern const Command kDnsDeployCommand;
extern const Command kDnsDestroyCommand;

}  // namespace strake::cli
