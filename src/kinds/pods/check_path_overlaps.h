#pragma once
// Files of a volume that would lie at or below one another.
#include "kinds/warnings_list.h"
#include "value/value.h"

namespace strake::kinds {

// Of ConfigMaps, Secrets, fields of the pod, and projections of these.
void warn_of_overlapping_paths(const value::Value& spec, WarningsList& warnings);

}  // namespace strake::kinds
