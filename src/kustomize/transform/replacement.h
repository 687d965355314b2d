#pragma once
// The field `replacements`: values copied from one resource into others.
#include <memory>
#include <vector>

#include "base/result.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/file/loader.h"
#include "kustomize/transform/transformer.h"

namespace strake::kustomize {

// Reads the files that entries name. Fails with kustomize's words.
Result<std::unique_ptr<Transformer>> make_replacements(const std::vector<Replacement>& entries,
                                                       const Loader& loader);

}  // namespace strake::kustomize
