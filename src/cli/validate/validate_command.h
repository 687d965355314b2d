#pragma once
// `strake validate`: manifests checked against their schemas, as the API server would.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kValidateCommand;

}  // namespace strake::cli
