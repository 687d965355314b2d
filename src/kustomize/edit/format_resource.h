#pragma once
// The order of fields that `kustomize cfg fmt` gives to resources: well-known fields in the order
// people expect, the others after them by name, and a few lists sorted.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "yaml_edit/layout.h"

namespace strake::kustomize {

// Only what has a kind and an apiVersion; the annotation config.kubernetes.io/formatting: none
// leaves a resource alone, and any value but "standard" and "none" is an error (kInvalid).
Result<> format_resource(yaml_edit::LayoutNode& root);

// Sets metadata.annotations[key], in single quotes as kustomize v5.5.0 does.
void set_annotation(yaml_edit::LayoutNode& root, std::string_view key, std::string_view value);

// A member of metadata; empty when there is none.
std::string metadata_text(const yaml_edit::LayoutNode& root, std::string_view field);

}  // namespace strake::kustomize
