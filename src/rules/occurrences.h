#pragma once
// How often a part of an object can occur, for what its rules may cost together.
#include <cstdint>
#include <optional>

#include "schema/node.h"

namespace strake::rules {

// How often the children of a node can occur for each time it does; nothing when there is no bound.
std::optional<std::uint64_t> max_children(const schema::Node& node);

}  // namespace strake::rules
