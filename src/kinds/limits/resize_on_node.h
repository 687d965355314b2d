#pragma once
// Whether the node of a pod can carry what the pod is resized to (kube-apiserver's plugin
// PodResizeValidator). Admission asks on a resize that changes a pod which is bound to a node.
#include <string>
#include <string_view>

#include "value/value.h"

namespace strake::kinds {

// What the node lacks, as the reason of a 403; empty when it has enough. Both are decoded.
std::string lacks_on_node(const value::Value& pod, const value::Value& node);
// The reason of the only cause of such a refusal.
inline constexpr std::string_view kNodeCapacity = "NodeCapacity";

}  // namespace strake::kinds
