#pragma once
// Two objects merged, and items taken out of one, along their schema. The objects must have passed
// check_typed().
#include "base/arena.h"
#include "patch/field_set.h"
#include "patch/field_type.h"
#include "value/value.h"

namespace strake::patch {

// What stands in `live` with what `config` says set in it. Lists that are owned item by item keep
// the order of `live`, unless `config` has the items they share in another.
value::Value merge_typed(const value::Value& live, const value::Value& config,
                         const FieldType& type, Arena& arena);

// The object without those fields and items. A map or list of which nothing is left is null.
value::Value remove_fields(const value::Value& v, const FieldSet& fields, const FieldType& type,
                           Arena& arena);

}  // namespace strake::patch
