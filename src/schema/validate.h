#pragma once
// Values against structural schemas, with the API server's own words.
#include "base/field_path.h"
#include "schema/node.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::schema {

struct ValidateOptions {
  // The stored value that an update replaces: faults in parts that are unchanged are forgiven
  // (ratcheting).
  const value::Value* old = nullptr;
};

// All keywords of OpenAPI; members in sorted order. `at` is where the value stands (empty for a
// whole resource).
value::FieldErrors validate(const value::Value& v, const Node& schema, const FieldPath& at = {},
                            const ValidateOptions& options = {});

// x-kubernetes-list-type set and map: no element twice.
value::FieldErrors validate_list_types(const value::Value& v, const Node& schema,
                                       const FieldPath& at = {});

}  // namespace strake::schema
