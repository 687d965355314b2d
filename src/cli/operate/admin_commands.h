#pragma once
// `kompoxops admin ...`: the objects that are loaded, as JSON. They are declared in files, so there
// is nothing to create, update or delete here.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kAdminListCommands[4];  // of workspaces, providers, clusters, apps
extern const Command kAdminGetCommands[4];
extern const Command kAdminWriteCommand;  // says so

}  // namespace strake::cli
