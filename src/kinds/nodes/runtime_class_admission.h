#pragma once
// What pods get of the RuntimeClass that they name (kube-apiserver's plugin RuntimeClass).
// Admission asks on a create of a pod, with the class of spec.runtimeClassName or null when the pod
// names none, both decoded: once to change the pod, behind the plugin that gives it default
// tolerations, and once to judge it when all has changed it. A fault is the reason of a 403.
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// The class that the pod names; nothing when it names none.
std::optional<std::string_view> runtime_class_of(const value::Value& pod);
// The fault of a pod that names a class which is not there.
std::string no_runtime_class(std::string_view name);

// Gives the pod the overhead, the node selector and the tolerations of the class. In place.
[[nodiscard]] std::optional<std::string> apply_runtime_class(value::Value& pod,
                                                             const value::Value* runtime_class,
                                                             Arena& arena);
// That its overhead is that of its class.
std::optional<std::string> runtime_class_fault(const value::Value& pod,
                                               const value::Value* runtime_class);

}  // namespace strake::kinds
