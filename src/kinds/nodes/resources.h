#pragma once
// Nodes, and the classes of priority and runtime that pods name.
#include <string>
#include <vector>

#include "kinds/resource.h"

namespace strake::kinds {

void add_node_resources(std::vector<ResourcePtr>& out);

// The classes that every server of priority classes has, as JSON.
std::vector<std::string> system_priority_classes();

}  // namespace strake::kinds
