#pragma once
// `strake cluster ...`: made, given its ingress controller, looked at, and taken away again.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kClusterProvisionCommand;
extern const Command kClusterDeprovisionCommand;
extern const Command kClusterInstallCommand;
extern const Command kClusterUninstallCommand;
extern const Command kClusterStatusCommand;
extern const Command kClusterKubeconfigCommand;
extern const Command kClusterLogsCommand;

}  // namespace strake::cli
