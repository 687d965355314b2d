#pragma once
// Which fields the transformers write to: the built-in tables, what `configurations` and `crds`
// add, and what comes up from bases.
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/tree/field_spec.h"

namespace strake::kustomize {

// Fields that hold the name of something of this kind.
struct NameReference {
  std::string group;
  std::string version;
  std::string kind;
  FieldSpecs referrers;
};

struct TransformerConfig {
  FieldSpecs name_prefix;
  FieldSpecs name_suffix;
  FieldSpecs namespace_specs;
  FieldSpecs common_labels;
  FieldSpecs labels;
  FieldSpecs template_labels;
  FieldSpecs common_annotations;
  FieldSpecs var_reference;
  FieldSpecs images;
  FieldSpecs replicas;
  std::vector<NameReference> name_references;

  // Fails with kInvalid: "failed to merge CommonLabels fieldSpec: conflicting fieldspecs".
  Result<> merge(const TransformerConfig& more);
  void sort();
};
using TransformerConfigPtr = std::shared_ptr<const TransformerConfig>;

const TransformerConfigPtr& builtin_transformer_config();

// The second merged into the first; either may be null. Costs nothing when both are the built-in
// one.
Result<TransformerConfigPtr> merged_config(const TransformerConfigPtr& a,
                                           const TransformerConfigPtr& b);

// A file of `configurations`. Fails with kInvalid for fields that are not known.
Result<TransformerConfig> read_transformer_config(std::string_view text);
// A file of `crds`: OpenAPI definitions with marks on the fields that matter.
Result<TransformerConfig> read_crd_config(std::string_view text);

// By rank of kind, then by text: the order in which kustomize v5.5.0 keeps specs.
bool spec_gvk_less(const Gvk& a, const Gvk& b);

}  // namespace strake::kustomize
