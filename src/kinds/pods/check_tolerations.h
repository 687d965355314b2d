#pragma once
// Tolerations of pods and runtime classes.
#include <span>
#include <string_view>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// `allow_comparison` lets the operators Lt and Gt through, which are behind a feature gate that is
// off in kube-apiserver 1.36.
void check_tolerations(std::span<const value::Value> tolerations, bool allow_comparison,
                       const FieldPath& at, value::FieldErrors& errors);
// The effect of a taint or toleration.
void check_taint_effect(std::string_view effect, const FieldPath& at, value::FieldErrors& errors);

}  // namespace strake::kinds
