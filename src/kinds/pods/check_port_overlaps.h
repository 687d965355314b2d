#pragma once
// Ports of a pod that are defined twice or nearly so.
#include "base/field_path.h"
#include "kinds/warnings_list.h"
#include "value/value.h"

namespace strake::kinds {

// `at` is the path of the spec.
void warn_of_ports(const value::Value& spec, const FieldPath& at, WarningsList& warnings);

}  // namespace strake::kinds
