#pragma once
// `strake testserver`: an API server for the time of a test suite.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kTestServerCommand;

}  // namespace strake::cli
