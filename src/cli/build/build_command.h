#pragma once
// `strake build`: resources from a kustomization, and where each field of them comes from.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kBuildCommand;

}  // namespace strake::cli
