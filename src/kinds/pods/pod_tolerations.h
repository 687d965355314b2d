#pragma once
// What the admission plugin DefaultTolerationSeconds of kube-apiserver 1.36 does: a pod stays on a
// node that does not answer for five minutes, unless it says otherwise. Called on every create and
// update of a pod, and of no subresource, after the defaults and before the strategy prepares it.
#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

void add_default_tolerations(value::Value& pod, Arena& arena);

}  // namespace strake::kinds
