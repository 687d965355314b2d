#pragma once
// When a job has failed, and when it has succeeded, before all of its pods have ended.
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// spec.podFailurePolicy
void check_failure_policy(const value::Value& spec, const FieldPath& at,
                          value::FieldErrors& errors);
// spec.successPolicy
void check_success_policy(const value::Value& spec, const FieldPath& at,
                          value::FieldErrors& errors);

}  // namespace strake::kinds
