#pragma once
// The status of a Job: other controllers than Kubernetes' own may write it, so it is held to many
// rules. Most of them are only asked when what they are about changes.
#include <string_view>

#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// Whether a condition of the type is True.
bool job_has_condition(const value::Value& job, std::string_view type);

// The status of `job`, whose spec is that of `old`.
value::FieldErrors check_job_status(const value::Value& job, const value::Value& old);

}  // namespace strake::kinds
