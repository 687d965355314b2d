#pragma once
// YAML text into nodes, as kustomize v5.5.0 reads resources and patches: documents are divided by
// lines that start with `---`, of each part only the first document counts, anchors, aliases and
// merge keys are expanded, and what a scalar is follows YAML 1.2 more than 1.1 (`yes` is a string).
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/tree/node.h"

namespace strake::kustomize {

// Documents without content are left out. A text that is one document of kind List (or
// ResourceList) gives its items. The text must live as long as the arena. Fails with kParse
// ("MalformedYAMLError: yaml: line 4: ..."), or kLimit past the limits of depth, nodes and aliases.
Result<std::vector<Node*>> read_nodes(std::string_view text, NodeArena& arena);

inline constexpr std::size_t kMaxDepth = 500;  // the trees are walked by recursion

// What YAML takes a plain scalar for.
Tag plain_tag(std::string_view text);
// Whether a key is a string without quotes; an empty one is never written without.
bool reads_as_text(std::string_view key);

}  // namespace strake::kustomize
