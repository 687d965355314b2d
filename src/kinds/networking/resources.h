#pragma once
// Ingresses, network policies, and ranges of addresses.
#include <vector>

#include "kinds/resource.h"

namespace strake::kinds {

void add_networking_resources(std::vector<ResourcePtr>& out);

}  // namespace strake::kinds
