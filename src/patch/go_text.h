#pragma once
// Documents as Go's fmt prints them, since they stand in messages that are repeated word for word.
#include <string>
#include <string_view>

#include "value/value.h"

namespace strake::patch {

// %v: map[a:[1 x <nil>]]. Past a great depth "..." stands for the rest.
std::string go_text(const value::Value& v);
// %#v: map[string]interface {}{"a":[]interface {}{1, "x", interface {}(nil)}}.
std::string go_syntax(const value::Value& v);

}  // namespace strake::patch
