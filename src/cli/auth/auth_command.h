#pragma once
// strake auth who-can and strake auth explain: who may do what in a cluster, and why.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kAuthWhoCanCommand;
extern const Command kAuthExplainCommand;

}  // namespace strake::cli
