#pragma once
// What of its pod template a job may change: nothing, but while it is suspended and has no pods
// where they run and how much they may use.
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

void check_job_template_changes(const value::Value& job, const value::Value& old,
                                value::FieldErrors& errors);

}  // namespace strake::kinds
