#pragma once
// How tables show the metrics of a HorizontalPodAutoscaler.
#include <string>

#include "value/value.h"

namespace strake::kinds {

// "cpu: 42%/80%, <unknown>/1k + 3 more...": what each metric is and what it should be, of an
// object in the form of v2.
std::string autoscaler_targets(const value::Value& object);

}  // namespace strake::kinds
