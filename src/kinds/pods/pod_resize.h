#pragma once
// The subresource "resize" of pods: what their containers, or the pod as a whole, may use of CPU
// and memory while they run.
#include "base/arena.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// Everything but the resources and resize policies becomes as it was.
void prepare_resize(value::Value& pod, const value::Value& old, Arena& arena);

// The rules of a resize. What makes any pod good (pod_spec.h) is for the caller to check before;
// when `stops` is true afterwards, these errors are the whole answer.
struct ResizeVerdict {
  value::FieldErrors errors;
  bool stops = false;
};
ResizeVerdict check_resize(const value::Value& pod, const value::Value& old);

}  // namespace strake::kinds
