#pragma once
// Strategic merge of a patch into a resource, driven by schemas, as kustomize's kyaml does it:
// the whole of the base is walked, also where the patch has nothing to say, so that lists which
// merge fold their duplicates and blank values vanish. kube-apiserver merges by other rules:
// docs/adr/0007.
#include "base/result.h"
#include "kustomize/merge/schema_layer.h"
#include "kustomize/tree/node.h"

namespace strake::kustomize {

// Ways that differ from kustomize v5.5.0, for those who ask for them.
struct MergeOptions {
  bool keep_order = false;     // items of the base stay in their places, new ones come last
  bool replace_items = false;  // `$patch: replace` works on items of lists
};

// Changes `base`, and takes nodes of `patch` over into it: neither may be used elsewhere. The
// result is the base, or null when the patch removes it. Fails with kInvalid and kustomize's
// words.
Result<Node*> strategic_merge(Node* base, Node* patch, MergeSchemas schemas,
                              const MergeOptions& options, NodeArena& arena);

}  // namespace strake::kustomize
