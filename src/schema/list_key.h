#pragma once
// When two elements of a list count as the same: whole elements in a set, key fields in a map.
#include <string>
#include <vector>

#include "value/value.h"

namespace strake::schema {

// The element of the list with the same key fields, or null. An absent key is a value of its own.
const value::Value* find_by_keys(const value::Value& list, const value::Value& item,
                                 const std::vector<std::string>& keys);

// A text that is the same for elements that count as equal in a set: scalars by Go type and value,
// so 1 and 1.0 differ; compounds by their JSON, where they agree.
std::string element_identity(const value::Value& item);
// The same for elements of a map; an absent key is a value of its own.
std::string element_identity(const value::Value& item, const std::vector<std::string>& keys);
// An object of the key fields that are there, made in the arena: what a message shows.
value::Value key_fields(const value::Value& item, const std::vector<std::string>& keys,
                        Arena& arena);

}  // namespace strake::schema
