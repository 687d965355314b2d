#pragma once
// `kustomize edit` and `kustomize create`: changes to the kustomization file of the current folder.
#include <span>
#include <string>

#include "base/result.h"
#include "cli/io.h"

namespace strake::cli {

// Fail with kUsage, or with what reading or writing the file fails with.
Result<> edit_kustomization(std::span<const std::string> args, Io& io);
Result<> create_kustomization(std::span<const std::string> args, Io& io);

// The parts of `edit`; `args` start after their names.
Result<> edit_set(std::span<const std::string> args, Io& io);
Result<> edit_add(std::span<const std::string> args, Io& io);
Result<> edit_remove(std::span<const std::string> args, Io& io);

}  // namespace strake::cli
