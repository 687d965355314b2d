#pragma once
// What is particular to nodes, and to the classes of priority and runtime.
#include "kinds/builtin_strategy.h"

namespace strake::kinds {

const BuiltinStrategy& node_strategy();
const BuiltinStrategy& component_status_strategy();
const BuiltinStrategy& priority_class_strategy();
const BuiltinStrategy& runtime_class_strategy();

}  // namespace strake::kinds
