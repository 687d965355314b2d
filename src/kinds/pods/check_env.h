#pragma once
// Environment variables of containers, and the fields of the pod that they and downward API volumes
// refer to.
#include <span>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

void check_env(std::span<const value::Value> variables, const FieldPath& at,
               value::FieldErrors& errors);
void check_env_from(std::span<const value::Value> sources, const FieldPath& at,
                    value::FieldErrors& errors);

// Who refers to a field: each may name others.
enum class FieldUser { kEnv, kVolume };
// {apiVersion, fieldPath}
void check_field_ref(const value::Value& reference, FieldUser user, const FieldPath& at,
                     value::FieldErrors& errors);
// {containerName, resource, divisor}
void check_resource_field_ref(const value::Value& reference, FieldUser user, const FieldPath& at,
                              value::FieldErrors& errors);

// Files of variables lie in volumes of type emptyDir. `at` is the path of the spec.
void check_env_file_volumes(const value::Value& spec, const FieldPath& at,
                            value::FieldErrors& errors);

}  // namespace strake::kinds
