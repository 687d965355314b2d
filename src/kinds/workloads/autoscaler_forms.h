#pragma once
// The two forms of a HorizontalPodAutoscaler. autoscaling/v1 knows one metric only, and notes the
// others, how it scales and its conditions as JSON in annotations. Autoscalers are stored, judged
// and printed in the form of v2.
#include "base/arena.h"
#include "meta/shape.h"
#include "value/value.h"

namespace strake::kinds {

// Both edit a decoded object in place and leave it in canonical form. Annotations that cannot be
// read are dropped.
void autoscaler_to_v2(value::Value& object, Arena& arena);
void autoscaler_from_v2(value::Value& object, Arena& arena);

// v2 has no use for the annotations.
void drop_autoscaler_notes(value::Value& object);

// As HorizontalPodAutoscalers of v2 are decoded: a list of scaling policies that is given and empty
// is told from one that is not given.
const meta::Shape& autoscaler_shape();
const meta::Shape& behavior_shape();  // of spec.behavior

}  // namespace strake::kinds
