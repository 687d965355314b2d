#pragma once
// The short way to the common answer: a value that is as its schema wants it. No messages, no
// paths, no counting.
#include "schema/node.h"
#include "value/value.h"

namespace strake::schema {

// True when validate() has nothing to say of the value. False when it may have: ask it.
bool fits(const value::Value& v, const Node& schema);

}  // namespace strake::schema
