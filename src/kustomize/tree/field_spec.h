#pragma once
// Where transformers write: a kind and a path through its maps and lists.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/tree/ids.h"
#include "kustomize/tree/node.h"

namespace strake::kustomize {

struct FieldSpec {
  std::string group;  // empty fits all, as do the next two
  std::string version;
  std::string kind;
  std::string path;  // a/b/c; `\/` is a slash within a name; `a[]` is never made
  bool create = false;

  Gvk gvk() const { return {group, version, kind}; }
  friend bool operator==(const FieldSpec&, const FieldSpec&) = default;
};

using FieldSpecs = std::vector<FieldSpec>;

// Adds those that are not there yet. Fails with kInvalid ("conflicting fieldspecs") when one is
// there that says otherwise about making the field.
Result<> merge_specs(FieldSpecs& into, const FieldSpecs& more);
Result<> merge_spec(FieldSpecs& into, const FieldSpec& one);

// Splits at slashes (or another sign), which a backslash before them escapes.
std::vector<std::string> split_path(std::string_view path, char separator);

// A spec ready to be applied many times.
class FieldWriter {
 public:
  using Set = std::function<Result<>(Node&)>;
  // What the last field is made as where it is missing, or null: nothing is made without it.
  struct Make {
    NodeKind kind = NodeKind::kScalar;
    Tag tag = Tag::kNone;
  };

  explicit FieldWriter(const FieldSpec& spec);
  // Calls `set` on every node that the path leads to. Errors say which field of which object.
  Result<> apply(Node& root, const Make* make, const Set& set, NodeArena& arena) const;

 private:
  struct Step {
    std::string name;
    bool list_hint = false;
  };
  Result<> walk(Node& node, std::size_t step, const Make* make, const Set& set,
                NodeArena& arena) const;

  std::string path_;
  bool create_;
  std::vector<Step> steps_;
};

// Several specs, those for a kind found without trying all.
class FieldWriters {
 public:
  explicit FieldWriters(const FieldSpecs& specs);
  Result<> apply(Node& root, const FieldWriter::Make* make, const FieldWriter::Set& set,
                 NodeArena& arena);

 private:
  const std::vector<const FieldWriter*>& for_object(const Node& root);

  std::vector<std::pair<FieldSpec, FieldWriter>> all_;
  std::vector<std::pair<std::string, std::vector<const FieldWriter*>>> known_;  // by kind, recent
};

// The id of an object for messages, without knowledge of scopes.
std::string object_name(const Node& root);

}  // namespace strake::kustomize
