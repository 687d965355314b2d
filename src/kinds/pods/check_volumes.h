#pragma once
// The volumes of a pod.
#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// spec.volumes; the good ones are added to the scope. `metadata` is null in a template. `at` is the
// path of the list.
void check_volumes(PodScope& pod, const value::Value* metadata, const FieldPath& at,
                   value::FieldErrors& errors);

}  // namespace strake::kinds
