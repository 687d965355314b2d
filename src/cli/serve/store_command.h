#pragma once
// `strake store`: what an administrator does to the file of an API server.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kStoreCommand;

}  // namespace strake::cli
