#pragma once
// `strake testserver assets`: a folder with the programs that test harnesses look for.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kTestServerAssetsCommand;

}  // namespace strake::cli
