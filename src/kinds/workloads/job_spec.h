#pragma once
// The spec of Jobs, wherever it stands: in jobs, and in the templates of CronJobs.
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

bool is_indexed_job(const value::Value& spec);

// What both fill in: what a rule about the conditions of pods asks.
void default_failure_policy(value::Value& spec, Arena& arena);

// All but the selector. `old_spec` is null for a new object.
void check_job_spec(const value::Value& spec, const value::Value* old_spec, const FieldPath& at,
                    value::FieldErrors& errors);

// `old_spec` may be null.
void add_job_spec_warnings(const value::Value& spec, const value::Value* old_spec,
                           const FieldPath& at, std::vector<std::string>& out);

}  // namespace strake::kinds
