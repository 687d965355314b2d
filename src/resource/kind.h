#pragma once
// What a custom resource endpoint serves in one version: its names, its compiled schema and its
// subresources.
#include <optional>
#include <string>

#include "meta/gvk.h"
#include "schema/node.h"

namespace strake::resource {

// Simple JSON paths with a leading dot, as spec.versions[].subresources.scale has them; empty when
// not given.
struct ScalePaths {
  std::string spec_replicas;
  std::string status_replicas;
  std::string label_selector;
};

struct Kind {
  meta::GroupVersionKind gvk;
  bool namespaced = true;
  bool preserve_unknown = false;  // the legacy spec.preserveUnknownFields: nothing is pruned
  bool status_subresource = false;
  std::optional<ScalePaths> scale;
  schema::NodePtr schema;
};

}  // namespace strake::resource
