#pragma once
// What provider drivers get of this process, the same in every command that has drivers: whoever
// provisions by one of them finds it again by another. The drivers that the program has are named
// in the source.
#include <map>
#include <string>

#include "provider/registry.h"

namespace strake::cli {

// This program, and $XDG_DATA_HOME/strake-operate or ~/.local/share/strake-operate for what drivers
// of this machine keep; empty where neither variable is an absolute path.
provider::DriverEnvironment driver_environment(
    std::map<std::string, std::string, std::less<>> variables);

}  // namespace strake::cli
