#pragma once
// What depends on the operating system of a pod's nodes, or is shared with them.
#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// All take the path of the spec.

// Ports of the host in a pod that uses its network.
void check_host_network_ports(const PodScope& pod, const FieldPath& at, value::FieldErrors& errors);
// hostProcess of Windows containers: all or none.
void check_host_processes(const value::Value& spec, const FieldPath& at,
                          value::FieldErrors& errors);
// What a pod with user namespaces of its own may not share with the host.
void check_host_users(const PodScope& pod, const FieldPath& at, value::FieldErrors& errors);
// spec.os, and the fields that its system does not know.
void check_os(const value::Value& spec, const FieldPath& at, value::FieldErrors& errors);

}  // namespace strake::kinds
