#pragma once
// Labels of nodes that have a newer name, in selectors.
#include <string_view>

#include "base/field_path.h"
#include "kinds/warnings_list.h"
#include "value/value.h"

namespace strake::kinds {

// What is said of a deprecated label; empty for any other.
std::string_view deprecated_node_label(std::string_view label);

// {matchExpressions}. Of preferred terms values are checked too, since they are not refused.
void warn_of_node_selector_term(const value::Value& term, bool check_values, const FieldPath& at,
                                WarningsList& warnings);

}  // namespace strake::kinds
