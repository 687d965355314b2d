#pragma once
// What the subresource "scale" shows of an object that makes pods.
#include <string>

#include "value/value.h"

namespace strake::kinds {

// The selector of its pods: "app=a"; empty when it makes no sense.
std::string selector_shown_by_scale(const value::Value& object);

}  // namespace strake::kinds
