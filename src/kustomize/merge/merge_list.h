#pragma once
// Lists that merge by keys. Follows kustomize v5.5.0 step by step, since its results where keys are
// missing or repeated come from those steps.
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/merge/schema_layer.h"
#include "kustomize/tree/node.h"

namespace strake::kustomize {

// What merges two items that belong together.
class ItemMerger {
 public:
  virtual ~ItemMerger() = default;
  virtual Result<Node*> merge_items(Node* base, Node* patch, const SchemaAt& at) = 0;
  virtual bool keep_order() const = 0;
  virtual bool replace_items() const = 0;
};

// `base` is not null; `patch` may be, or be the base itself. No keys: a list of scalars.
Result<Node*> merge_list(Node* base, Node* patch, const SchemaAt& items,
                         const std::vector<std::string_view>& keys, ItemMerger& merger,
                         NodeArena& arena);

using Keys = std::vector<std::string_view>;
using KeyValues = std::vector<std::string_view>;

// Puts the item in the place of every one whose fields have these values; an item that matches none
// is appended unless `arena` is null. A null item removes those that match. Null items and empty
// maps are dropped from the list on the way.
void set_item(Node& list, const Keys& keys, const KeyValues& values, Node* item,
              NodeArena* arena = nullptr);

}  // namespace strake::kustomize
