#pragma once
// `strake fmt`: reads JSON and YAML documents and prints, checks or rewrites them in canonical
// form.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kFmtCommand;

}  // namespace strake::cli
