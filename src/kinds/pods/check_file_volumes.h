#pragma once
// Volumes that show texts as files: ConfigMaps, Secrets, fields of the pod, and all of these
// together.
#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

void check_config_map_volume(const value::Value& source, const FieldPath& at,
                             value::FieldErrors& errors);
void check_secret_volume(const value::Value& source, const FieldPath& at,
                         value::FieldErrors& errors);
void check_downward_volume(const value::Value& source, const FieldPath& at,
                           value::FieldErrors& errors);
void check_projected_volume(const value::Value& source, const PodAllowances& allowed,
                            const FieldPath& at, value::FieldErrors& errors);

}  // namespace strake::kinds
