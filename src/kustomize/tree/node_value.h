#pragma once
// Between nodes and values: what a node means as JSON, in kustomize's way, and back.
#include <cstdint>
#include <string>

#include "base/result.h"
#include "kustomize/tree/node.h"
#include "value/value.h"

namespace strake::kustomize {

// kustomize v5.5.0 mostly writes YAML and reads it again on the way, and what a node is read as
// depends on where it stood: in blocks, or in braces or brackets. Some things it takes from the
// tree as it is.
enum class Spelling : std::uint8_t { kBlock, kFlow, kTree };

// Fails with kInvalid for what has no JSON form: duplicate keys, keys that are no strings, a text
// that is not what its tag says, infinities. Text is shared with the node.
Result<value::Value> to_value(const Node& node, Arena& arena, Spelling spelling = Spelling::kBlock);
Result<value::Value> scalar_value(const Node& node, Arena& arena,
                                  Spelling spelling = Spelling::kBlock);

// What is left of a value at the very end, where kustomize v5.5.0 reads its own JSON as YAML: fails
// with kInvalid for control characters, and U+0085 becomes a space.
Result<> make_printable(value::Value& value, Arena& arena);

// Where the first thing stands that has no JSON form, once it is known that there is one.
struct Unprintable {
  OriginId origin = 0;
  std::uint32_t line = 0;
};
Unprintable find_unprintable(const Node& root);

// Numbers become doubles and are written as such ("1e+06"), as when kustomize v5.5.0 takes a
// document through JSON and back.
Node* from_json_value(const value::Value& value, NodeArena& arena);

// The same for a tree in place: only scalars whose text or tag changes are written to.
Result<> take_through_json(Node& node, NodeArena& arena, Spelling spelling = Spelling::kBlock);

// A message for people: the node as YAML.
std::string to_text(const Node& node);

}  // namespace strake::kustomize
