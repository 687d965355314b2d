#pragma once
// The statuses of containers in the status of a pod. Names that the spec does not have, and names
// twice, are taken: kube-apiserver 1.36 never refused them.
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// What has ended, and is not to be started again, stays ended.
void check_restarts(const value::Value& status, const value::Value& old_status,
                    const value::Value& old_spec, const FieldPath& at, value::FieldErrors& errors);
// Users and devices of the containers.
void check_container_statuses(const value::Value& status, const value::Value& spec,
                              const FieldPath& at, value::FieldErrors& errors);

}  // namespace strake::kinds
