#pragma once
// `strake cel`: evaluates CEL expressions over documents as rules of a CRD would be, and explains
// them. Without an expression it is a loop that reads them.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kCelCommand;

}  // namespace strake::cli
