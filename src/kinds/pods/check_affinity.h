#pragma once
// Which nodes a pod may go to, and which pods it goes with. Node selectors also stand in persistent
// volumes.
#include <string_view>

#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// What must hold and what is better, in affinity of any sort.
inline constexpr std::string_view kRequiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";
inline constexpr std::string_view kPreferredTerms =
    "preferredDuringSchedulingIgnoredDuringExecution";

// {nodeAffinity, podAffinity, podAntiAffinity}
void check_affinity_of_pod(const value::Value& affinity, const PodAllowances& allowed,
                           const FieldPath& at, value::FieldErrors& errors);

// {nodeSelectorTerms}
void check_node_selector(const value::Value& selector, bool allow_invalid_values,
                         const FieldPath& at, value::FieldErrors& errors);
// {matchExpressions, matchFields}
void check_node_selector_term(const value::Value& term, bool allow_invalid_values,
                              const FieldPath& at, value::FieldErrors& errors);
bool has_invalid_node_selector_value(const value::Value& selector);

// Of what was stored before.
bool has_invalid_affinity_selector(const value::Value& affinity);
bool has_invalid_node_affinity_value(const value::Value& affinity);

}  // namespace strake::kinds
