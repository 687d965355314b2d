#pragma once
// Values as text: for messages, and for people.
#include <string>

#include "base/arena.h"
#include "cel/value/value.h"

namespace strake::cel {

// Scalars bare, as messages show keys and indexes: 3, x, true. Containers as literals.
std::string to_text(const Value& v, Arena& arena);
// As an expression would spell it: "x", 3u, [1, 2], {"a": 1}, timestamp("..."). Long containers are
// cut.
std::string to_literal(const Value& v, Arena& arena);

}  // namespace strake::cel
