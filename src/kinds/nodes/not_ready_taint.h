#pragma once
// New nodes are not ready (kube-apiserver's plugin TaintNodesByCondition). Admission asks on a
// create of a node, once it has been decoded. No controller here takes the taint away again:
// whoever plays the kubelet does.
#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// Adds the taint unless the node has it. In place.
void add_not_ready_taint(value::Value& node, Arena& arena);

}  // namespace strake::kinds
