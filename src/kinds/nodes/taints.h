#pragma once
// Taints of nodes, and what pods and runtime classes say they tolerate.
#include <span>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// The taint that a new node has until it is ready.
inline constexpr std::string_view kNotReadyTaint = "node.kubernetes.io/not-ready";

void check_taints(std::span<const value::Value> taints, const FieldPath& at,
                  value::FieldErrors& errors);

// Each by itself: two may be the same.
void check_tolerations(std::span<const value::Value> tolerations, const FieldPath& at,
                       value::FieldErrors& errors);

// Both lists as one, without those that others of them cover. In linear time, whatever they hold.
std::vector<value::Value> merge_tolerations(std::span<const value::Value> first,
                                            std::span<const value::Value> second);

}  // namespace strake::kinds
