#pragma once
// A step that changes the resources gathered so far.
#include <memory>
#include <string>

#include "base/result.h"
#include "kustomize/merge/merge.h"
#include "kustomize/transform/build_context.h"
#include "kustomize/tree/resource_set.h"

namespace strake::kustomize {

// What steps need beyond the resources.
struct TransformContext {
  BuildContext& build;
  const SchemaLayer* layer = nullptr;  // schemas that kustomizations add; may be null
  MergeOptions merge;

  NodeArena& arena() const { return build.arena; }
  MergeSchemas merge_schemas() const { return {build.schemas, layer}; }
};

class Transformer {
 public:
  virtual ~Transformer() = default;
  virtual Result<> transform(ResourceSet& set, const TransformContext& context) = 0;
};

// With what is told about it.
struct Step {
  std::unique_ptr<Transformer> transformer;
  std::string name;                     // the field of the kustomization, or the kind of a plugin
  std::string file;                     // that configures it
  std::string entry;                    // a text by which it is found in its field
  const BuildOrigin* origin = nullptr;  // null when nobody asked
};

}  // namespace strake::kustomize
