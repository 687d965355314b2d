#pragma once
// Whether a value has the type its schema asks for: the first check of every validation, in memory
// and in a stream.
#include <optional>

#include "schema/node.h"
#include "schema/path_trail.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::schema {

// The type error, or nothing. Of arrays and objects only the kind is looked at, not what they hold.
std::optional<value::FieldError> check_type(const value::Value& v, const Node& schema,
                                            const PathTrail& at);

// Whether the type is plainly as wanted. False leaves the answer to check_type.
bool has_type(const value::Value& v, const Node& schema);

// "string", "integer,string" and so on: what a message says is wanted.
std::string_view wanted_type(const Node& schema);

}  // namespace strake::schema
