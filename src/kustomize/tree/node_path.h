#pragma once
// Paths into objects as replacements and variables write them: spec.containers.[name=web].image,
// spec.ports.0, metadata.annotations.[example.com/a], items.*.name.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/tree/node.h"

namespace strake::kustomize {

// Splits at dots; `\.` is a dot, and a part in brackets keeps its dots.
std::vector<std::string> split_dotted(std::string_view path);

// The one node that a path leads to, or null. Items are named by a number, `-` for the last, or
// [field=value] as it is. Fails with kInvalid when the path leads through something else.
Result<Node*> look_up(Node& root, const std::vector<std::string>& path);

// All nodes that a path leads to. Items are named by a number, `*` for all, or [field=expression].
// With `create`, what is missing is made, the last of that kind.
struct FindOptions {
  bool create = false;
  NodeKind kind = NodeKind::kScalar;
};
Result<std::vector<Node*>> find_all(Node& root, const std::vector<std::string>& path,
                                    const FindOptions& options, NodeArena& arena);

}  // namespace strake::kustomize
