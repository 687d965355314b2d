#pragma once
// Names in other resources' fields follow when a resource is renamed.
#include "base/result.h"
#include "kustomize/build_context.h"
#include "kustomize/resource_set.h"
#include "kustomize/transformer_config.h"

namespace strake::kustomize {

// Fails with kConflict when a name could be several resources' ("found multiple possible
// referrals: ...").
Result<> update_name_references(ResourceSet& set, const TransformerConfig& config,
                                BuildContext& context);

}  // namespace strake::kustomize
