#pragma once
// JSON Patch (RFC 6902) on nodes, so that what a patch leaves alone keeps its origin. The rules and
// words are those of the library that kustomize v5.5.0 uses, which is more lenient than the RFC: a
// missing member can be replaced, indices may count from the end, and a copy of nothing is null.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/tree/node.h"

namespace strake::kustomize {

struct PatchOperation {
  std::string op;  // "unknown" when there is none
  std::string path;
  std::string from;
  bool has_path = false;
  bool has_from = false;
  Node* value = nullptr;  // null when the operation has none
  OriginId origin = 0;
  std::uint32_t line = 0;  // in the text of the patch, 0 when not known
};

// A list of operations as JSON when the text starts with a bracket, else as YAML. Fails with kParse
// or kInvalid.
Result<std::vector<PatchOperation>> read_json_patch(std::string_view text, NodeArena& arena);

// Fails with kInvalid when an operation cannot be done; the tree may be half changed then.
Result<> apply_json_patch(Node*& root, const std::vector<PatchOperation>& operations,
                          NodeArena& arena);

}  // namespace strake::kustomize
