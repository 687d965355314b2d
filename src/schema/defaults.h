#pragma once
// Defaults are filled in here, top down and only where the parent object exists.
#include "base/arena.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::schema {

// The root's own default is not used. Values taken from the schema are not copied deeply where
// nothing below them can change: the schema must outlive the value.
void apply_defaults(value::Value& v, const Node& schema, Arena& arena);

}  // namespace strake::schema
