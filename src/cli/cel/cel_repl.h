#pragma once
// Reads expressions one a line and answers each. On a terminal with prompts, an editor and a
// history; otherwise without, and then the exit code tells of lines that failed.
#include "cli/cel/cel_session.h"
#include "cli/io/exit_code.h"
#include "cli/io/io.h"

namespace strake::cli {

ExitCode run_cel_repl(CelSession& session, Io& io);

}  // namespace strake::cli
