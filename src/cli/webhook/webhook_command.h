#pragma once
// `strake webhook`: schemas and policies as a validating admission webhook for other clusters.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kWebhookCommand;

}  // namespace strake::cli
