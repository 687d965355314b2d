#pragma once
// `strake box ...`: pods of an app for people; and `strake secret ...`: what is set by hand.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kBoxDeployCommand;
extern const Command kBoxDestroyCommand;
extern const Command kBoxStatusCommand;
extern const Command kBoxExecCommand;
extern const Command kSecretEnvCommand;
extern const Command kSecretPullCommand;

}  // namespace strake::cli
