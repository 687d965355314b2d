#pragma once
// `strake crd from-pulumi`, which is pulumi-component-to-crd too: a Pulumi component in, its CRD
// out.
#include <span>
#include <string>

#include "cli/command/command.h"

namespace strake::cli {

extern const Command kCrdFromPulumiCommand;

// The whole tool. The CRD goes to the output stream and nothing else does; everything told is a
// line of `error:`, `warn:` or `info:` on the error stream.
ExitCode run_pulumi_words(std::span<const std::string> args, Io& io);

}  // namespace strake::cli
