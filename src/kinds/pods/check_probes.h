#pragma once
// Probes and lifecycle hooks of containers.
#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// lifecycle, livenessProbe, readinessProbe and startupProbe of a container that may have them.
void check_probes_and_hooks(const value::Value& container, const PodScope& pod, const FieldPath& at,
                            value::FieldErrors& errors);

}  // namespace strake::kinds
