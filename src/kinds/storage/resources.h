#pragma once
// Volumes: claims, persistent volumes, classes, and what drivers register.
#include <vector>

#include "kinds/resource.h"

namespace strake::kinds {

void add_storage_resources(std::vector<ResourcePtr>& out);

}  // namespace strake::kinds
