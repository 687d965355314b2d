#pragma once
// What a container has of the pod's volumes: file systems and block devices.
#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// volumeMounts, then volumeDevices.
void check_mounts(const value::Value& container, const PodScope& pod, const FieldPath& at,
                  value::FieldErrors& errors);

}  // namespace strake::kinds
