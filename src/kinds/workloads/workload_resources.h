#pragma once
// The kinds that run programs, as kube-apiserver 1.36 serves them, stored without controllers. Only
// servers that are told to serve them do; they take no memory before somebody asks for them.
#include <vector>

#include "kinds/resource.h"

namespace strake::kinds {

// In the order of group and plural.
const std::vector<ResourcePtr>& workload_resources();

// The one of the kind among these and those that every server has; null when there is none.
const Resource* find_resource(const meta::GroupVersionKind& gvk);

}  // namespace strake::kinds
