#pragma once
// The type of declared data at a place.
#include <string_view>

#include "cel/value/shape.h"
#include "cel/value/type.h"

namespace strake::cel {

// Objects are told apart by the way to them, as the API server names their types: `name` is that of
// the place, its fields are <name>.<field>, items <name>.@idx and map values <name>.@elem. So two
// fields of the same shape have different types.
const Type* type_at(const DocumentShape& shape, std::string_view name, TypeFactory& make);

}  // namespace strake::cel
