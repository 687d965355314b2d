#pragma once
// Defaults of the volumes of a pod.
#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

void apply_volume_defaults(value::Value& volume, Arena& arena);

// {fieldPath, apiVersion}, of volumes and of environment variables.
void apply_field_ref_defaults(value::Value& holder, Arena& arena);

}  // namespace strake::kinds
