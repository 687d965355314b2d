#pragma once
// Security contexts of pods and containers.
#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// `host_users` is false in a pod that has user namespaces of its own.
void check_container_security_context(const value::Value& context, bool host_users,
                                      const FieldPath& at, value::FieldErrors& errors);
// spec.securityContext, with what it says about other fields of the spec; `at` is its path.
void check_pod_security_context(const PodScope& pod, const FieldPath& at,
                                value::FieldErrors& errors);

// Windows users and credentials.
void check_windows_options(const value::Value& options, const FieldPath& at,
                           value::FieldErrors& errors);

// Whether the spec sets a sysctl of a namespace that it shares with the host.
bool has_host_sysctl(const value::Value& spec);

}  // namespace strake::kinds
