#pragma once
// Objects inside objects (x-kubernetes-embedded-resource): they need a kind, an apiVersion and sound metadata.
#include "schema/node.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::resource {

value::FieldErrors validate_embedded(const value::Value& object, const schema::Node& schema);

}  // namespace strake::resource
