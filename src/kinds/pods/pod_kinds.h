#pragma once
// The strategies of pods and of their templates. Each is made once and kept for good.
#include "kinds/builtin_strategy.h"

namespace strake::kinds {

const BuiltinStrategy& pod_strategy();
const BuiltinStrategy& pod_template_strategy();

}  // namespace strake::kinds
