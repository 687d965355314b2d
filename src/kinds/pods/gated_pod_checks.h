#pragma once
// Pods that wait at scheduling gates may be held to fewer nodes.
#include "base/arena.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// Checks how nodeSelector and nodeAffinity change, and makes them those of the old spec.
void check_gated_pod_changes(value::Value& spec, const value::Value& old_spec, Arena& arena,
                             value::FieldErrors& errors);

}  // namespace strake::kinds
