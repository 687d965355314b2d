#pragma once
// `strake schema explain`.
#include "cli/command.h"

namespace strake::cli {

extern const Command kSchemaExplainCommand;

}  // namespace strake::cli
