#pragma once
// Nulls, where defaults are not filled in.
#include "schema/node.h"
#include "value/value.h"

namespace strake::schema {

// Drops members that are null where the schema does not admit null, also where it has a default
// that would take their place.
void drop_nulls(value::Value& v, const Node& schema);

}  // namespace strake::schema
