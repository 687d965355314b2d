#pragma once
// NodeSelectors: which nodes a pod may run on, or a volume may be used on.
#include <span>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// What was stored before the rule came may stay.
enum class LabelValues { kChecked, kAny };

// {nodeSelectorTerms}
void check_node_selector(const value::Value& selector, LabelValues values, const FieldPath& at,
                         value::FieldErrors& errors);
// {matchExpressions, matchFields}
void check_node_selector_term(const value::Value& term, LabelValues values, const FieldPath& at,
                              value::FieldErrors& errors);
bool has_invalid_node_label_value(const value::Value& selector);

}  // namespace strake::kinds
