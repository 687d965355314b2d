#pragma once
// `strake schema explain` and `strake schema export`.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kSchemaExplainCommand;
extern const Command kSchemaExportCommand;

}  // namespace strake::cli
