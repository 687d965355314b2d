#pragma once
// The ten characters that generated ConfigMaps and Secrets bear in their names.
#include <string>

#include "base/result.h"
#include "kustomize/tree/node.h"

namespace strake::kustomize {

Result<std::string> content_hash(const Node& root);

}  // namespace strake::kustomize
