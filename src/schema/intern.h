#pragma once
// The process-wide table that makes equal nodes one. A node leaves the table when its last user lets go of it.
#include <memory>

#include "schema/node.h"

namespace strake::schema {

// The node equal to this one, which is thrown away when there is one already. Children must be interned. Any thread.
NodePtr intern(std::unique_ptr<Node> candidate);

}  // namespace strake::schema
