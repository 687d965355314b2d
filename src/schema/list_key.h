#pragma once
// Elements of list-type map, compared by their key fields.
#include <string>
#include <vector>

#include "value/value.h"

namespace strake::schema {

// The element of the list with the same key fields, or null. An absent key is a value of its own.
const value::Value* find_by_keys(const value::Value& list, const value::Value& item,
                                 const std::vector<std::string>& keys);

}  // namespace strake::schema
