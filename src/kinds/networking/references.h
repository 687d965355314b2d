#pragma once
// References from the objects of networking.k8s.io to other objects.
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// The group, where it is given.
void check_reference_group(const value::Value& reference, std::string_view key, const FieldPath& at,
                           value::FieldErrors& errors);
// A member that must be there, and that could stand in a path.
void check_reference_part(const value::Value& reference, std::string_view key, const FieldPath& at,
                          value::FieldErrors& errors);
// {apiGroup, kind, name} of an object in the same namespace.
void check_object_reference(const value::Value& reference, const FieldPath& at,
                            value::FieldErrors& errors);

}  // namespace strake::kinds
