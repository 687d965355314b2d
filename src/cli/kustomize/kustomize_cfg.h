#pragma once
// `kustomize cfg fmt`: resource files with their fields in the usual order and their comments kept.
#include <span>
#include <string>

#include "base/result.h"
#include "cli/io/io.h"

namespace strake::cli {

// `args` start after the word cfg. Fails with kUsage, kUnsupported, or what files fail with.
Result<> run_kustomize_cfg(std::span<const std::string> args, Io& io);

}  // namespace strake::cli
