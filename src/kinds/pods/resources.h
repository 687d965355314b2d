#pragma once
// Pods and their templates.
#include <vector>

#include "kinds/resource.h"

namespace strake::kinds {

void add_pod_resources(std::vector<ResourcePtr>& out);

}  // namespace strake::kinds
