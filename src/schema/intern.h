#pragma once
// The process-wide table that makes equal nodes one. A node leaves the table when its last user
// lets go of it.
#include <memory>

#include "schema/node.h"

namespace strake::schema {

// The node equal to this one. Most candidates are there already and are left as they were, so that
// the caller can use their memory again; a new one is moved from. Children must be interned. Any
// thread.
NodePtr intern(Node& candidate);

}  // namespace strake::schema
