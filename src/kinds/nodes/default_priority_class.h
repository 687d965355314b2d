#pragma once
// Only one PriorityClass is that of pods that name none (a part of kube-apiserver's plugin
// Priority). Admission asks once a write of a class is about to be accepted, with the class that is
// the default now: of several, the one of the lowest value. A fault is the reason of a 403.
#include <optional>
#include <string>
#include <string_view>

#include "value/value.h"

namespace strake::kinds {

// `old` is null on a create; `current` is the name of the default, empty when there is none.
std::optional<std::string> second_default_fault(const value::Value& priority_class,
                                                const value::Value* old, std::string_view current);

}  // namespace strake::kinds
