#pragma once
// Unknown fields and nulls are dropped here, as the API server does before it looks at anything
// else.
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::schema {

struct PruneOptions {
  // The value is a whole resource: apiVersion, kind and metadata are never unknown.
  bool resource_root = true;
  // The value is an element of a list that preserves unknown fields: its own are kept, named ones
  // are pruned below.
  bool keep_unknown = false;
  // Where the value stands, in front of the paths of what was dropped.
  std::string_view at = {};
  // Gets the places of what was dropped, from the value on, in the order in which they were met.
  std::vector<FieldPath>* places = nullptr;
};

// Drops in place what no rule of the schema covers. Paths of what was dropped are appended to
// `unknown` when it is given, sorted by their text. Returns whether there is a null that
// prune_nulls may have to look at.
bool prune(value::Value& v, const Node& schema, const PruneOptions& options = {},
           std::vector<std::string>* unknown = nullptr);

// Drops members that are null where the schema neither admits null nor has a default.
void prune_nulls(value::Value& v, const Node& schema);

}  // namespace strake::schema
