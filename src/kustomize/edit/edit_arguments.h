#pragma once
// What the words after `edit set` and `edit add` say. All fail with kUsage.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/config/kustomization.h"

namespace strake::kustomize {

// "<image>=<new image>:<tag>@<digest>" and its shorter forms.
Result<Image> parse_image_argument(std::string_view text);
// "name=count".
Result<Replica> parse_replica_argument(std::string_view text);
// "key:value", several.
Result<TextMap> parse_pairs(const std::vector<std::string>& texts, std::string_view what);

// [prefix/]name, as `edit set annotation` wants it.
bool is_annotation_key(std::string_view key);

}  // namespace strake::kustomize
