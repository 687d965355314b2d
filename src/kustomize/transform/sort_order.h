#pragma once
// The order in which a build prints its resources.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/tree/ids.h"
#include "kustomize/tree/resource_set.h"

namespace strake::kustomize {

// Below zero for kinds that come first, above for those that come last.
int default_kind_rank(std::string_view kind);
std::string gvk_sort_text(const Gvk& gvk);  // "apps_v1_Deployment", "~G_v1_Pod"

// Nothing given: the legacy order. Fails with kInvalid for options that make no sense, and with
// kConflict when two resources have one id by now.
Result<> sort_resources(ResourceSet& set, const std::optional<SortOptions>& options);

}  // namespace strake::kustomize
