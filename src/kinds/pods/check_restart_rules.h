#pragma once
// restartPolicy, restartPolicyRules and resizePolicy of containers.
#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

void check_restart_rules(const value::Value& container, const FieldPath& at,
                         value::FieldErrors& errors);
void check_init_restart_rules(const value::Value& container, const FieldPath& at,
                              value::FieldErrors& errors);
// `at` is the path of the list.
void check_resize_policy(const value::Value& container, const PodScope& pod, const FieldPath& at,
                         value::FieldErrors& errors);

}  // namespace strake::kinds
