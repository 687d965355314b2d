#pragma once
// What kube-apiserver 1.36 asks of a HorizontalPodAutoscaler in the form of v2.
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// `old` is null for a new object.
value::FieldErrors check_autoscaler(const value::Value& object, const value::Value* old);

}  // namespace strake::kinds
