#pragma once
// Which services of a Compose document run in which pod.
#include <string>
#include <string_view>
#include <vector>

#include "ops/compose/plan.h"

namespace strake::ops::compose {

// The name of a box's component: its own unless it says so.
std::string_view component_of(const provider::Box& box);

// For each service of the project, in its order. Fails with kValidation when a box names no
// service, one that shares the network of another, or one that another box has; or when a box that
// stands alone has the name of a service.
provider::Outcome<std::vector<std::string>> assign_components(const Project& project,
                                                              std::span<const provider::Box> boxes);

}  // namespace strake::ops::compose
