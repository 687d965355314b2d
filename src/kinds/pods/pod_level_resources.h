#pragma once
// What a pod asks for as a whole, and the class of service that follows from what it asks for.
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// Whether a pod as a whole may ask for it: CPU, memory and huge pages.
bool is_pod_level_resource(std::string_view name);
// Fills in what a pod that sets resources for itself leaves to its containers.
void apply_pod_level_defaults(value::Value& spec, Arena& arena);

// "Guaranteed", "Burstable" or "BestEffort".
std::string_view qos_class_of(const value::Value& spec);

}  // namespace strake::kinds
