#pragma once
// How pods spread over the nodes, and the label keys by which they and affinity terms tell one
// revision of a workload from another.
#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// spec.topologySpreadConstraints; `at` is the path of the list.
void check_topology_spread(const value::Value& spec, const PodAllowances& allowed,
                           const FieldPath& at, value::FieldErrors& errors);

// matchLabelKeys and mismatchLabelKeys beside a labelSelector.
void check_label_keys(const value::Value& holder, const FieldPath& at, value::FieldErrors& errors);

// Of what was stored before.
bool has_invalid_spread_selector(const value::Value& spec);
bool has_invalid_spread_label_keys(const value::Value& spec);

}  // namespace strake::kinds
