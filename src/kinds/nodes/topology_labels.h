#pragma once
// Pods know the zone and the region of their node by labels (kube-apiserver's plugin
// PodTopologyLabels). Admission asks on a create of a pod that names its node, and on a binding,
// whose labels become those of the pod. A node that is not there leaves them as they are.
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// The node of a pod, or the one that a Binding binds to; empty when there is none.
std::string_view node_of_pod(const value::Value& pod);
std::string_view node_of_binding(const value::Value& binding);

// Gives the pod or the binding the labels of the node, whatever it had. In place.
void copy_topology_labels(value::Value& object, const value::Value& node, Arena& arena);

}  // namespace strake::kinds
