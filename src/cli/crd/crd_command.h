#pragma once
// `strake crd lint` and `strake crd diff`.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kCrdLintCommand;
extern const Command kCrdDiffCommand;

}  // namespace strake::cli
