#pragma once
// `strake disk ...` and `strake snapshot ...`: the volumes of an app.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kDiskListCommand;
extern const Command kDiskCreateCommand;
extern const Command kDiskAssignCommand;
extern const Command kDiskDeleteCommand;
extern const Command kSnapshotListCommand;
extern const Command kSnapshotCreateCommand;
extern const Command kSnapshotDeleteCommand;

}  // namespace strake::cli
