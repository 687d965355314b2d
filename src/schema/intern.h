#pragma once
// The process-wide table that makes equal nodes one. A node leaves the table when its last user
// lets go of it.
#include <memory>

#include "schema/node.h"

namespace strake::schema {

// The values of a candidate that are not its own yet; null when there are none.
struct Borrowed {
  const value::Value* enumeration = nullptr;
  const value::Value* default_value = nullptr;
};

// The node equal to this one, with the values it borrows. Most candidates are there already and are
// left as they were, so that the caller can use their memory again; a new one is moved from, and
// gets copies of the values. Children must be interned. Any thread.
NodePtr intern(Node& candidate, const Borrowed& values);

}  // namespace strake::schema
