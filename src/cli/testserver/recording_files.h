#pragma once
// Recordings as commands name them, and `strake testserver diff`.
#include <string>

#include "cli/command/command.h"
#include "recording/recording.h"

namespace strake::cli {

// "-" is standard input. Fails as recording::Recording::read, and with kIo.
Result<recording::Recording> read_recording(const std::string& name, Io& io);

extern const Command kTestServerDiffCommand;

}  // namespace strake::cli
