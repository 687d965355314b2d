#pragma once
// `kustomize edit` and `kustomize create`: the kustomization file of the current folder changed or
// made.
#include <span>
#include <string>

#include "base/result.h"
#include "cli/io.h"

namespace strake::cli {

Result<> edit_kustomization(std::span<const std::string> args, Io& io);
Result<> create_kustomization(std::span<const std::string> args, Io& io);

}  // namespace strake::cli
