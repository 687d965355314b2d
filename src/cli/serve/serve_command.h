#pragma once
// `strake serve`.
#include <string>

#include "cli/command/command.h"

namespace strake::cli {

extern const Command kServeCommand;

// Where the server keeps its data when it is not told.
std::string default_data_dir(const Io& io);

}  // namespace strake::cli
