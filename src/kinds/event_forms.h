#pragma once
// The two forms of an event: v1 and events.k8s.io/v1 name the same fields differently. Events are
// stored, judged and printed in the form of v1.
#include <span>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// Both edit in place and leave the object in canonical form.
void event_to_core(value::Value& object, Arena& arena);
void event_from_core(value::Value& object, Arena& arena);

}  // namespace strake::kinds
