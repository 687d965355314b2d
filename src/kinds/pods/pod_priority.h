#pragma once
// What the admission plugin Priority of kube-apiserver 1.36 does for pods: their priority is that
// of the class that they name. Called where pod_tolerations.h is.
#include <functional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// The PriorityClasses there are.
struct PriorityClasses {
  // The class of that name, or null.
  std::function<const value::Value*(std::string_view name)> find;
  // Of those that are the global default the one of the lowest value, or null.
  std::function<const value::Value*()> global_default;
};

// A new pod. Empty, or why it is forbidden (403 with this as the reason: `pods "a" is forbidden:
// ...`).
std::string set_pod_priority(value::Value& pod, const PriorityClasses& classes, Arena& arena);
// An update: what the client left out stays.
void keep_pod_priority(value::Value& pod, const value::Value& old, Arena& arena);

}  // namespace strake::kinds
