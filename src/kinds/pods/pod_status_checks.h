#pragma once
// What kube-apiserver 1.36 refuses in the status of a pod.
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

void check_pod_status(const value::Value& pod, const value::Value& old, value::FieldErrors& errors);

}  // namespace strake::kinds
