#pragma once
// Names in other resources' fields follow when a resource is renamed.
#include "base/result.h"
#include "kustomize/transform/build_context.h"
#include "kustomize/transform/transformer_config.h"
#include "kustomize/tree/resource_set.h"

namespace strake::kustomize {

// Fails with kConflict when a name could be several resources' ("found multiple possible
// referrals: ...").
Result<> update_name_references(ResourceSet& set, const TransformerConfig& config,
                                BuildContext& context);

}  // namespace strake::kustomize
