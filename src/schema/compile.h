#pragma once
// From an OpenAPI v3 schema as CRDs carry it to the compiled graph.
#include "base/result.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::schema {

// Compiles a structural schema. What the server would refuse is not judged here (see crd/check.h):
// keywords that have no meaning for values are passed over, and a keyword of the wrong JSON type is
// an error of kInvalid that names the place.
Result<NodePtr> compile(const value::Value& schema);

}  // namespace strake::schema
