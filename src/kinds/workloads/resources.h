#pragma once
// What makes pods: the groups apps and batch, autoscalers, disruption budgets.
#include <vector>

#include "kinds/resource.h"

namespace strake::kinds {

void add_controller_resources(std::vector<ResourcePtr>& out);

}  // namespace strake::kinds
