#pragma once
// When two elements of a list count as the same: whole elements in a set, key fields in a map.
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "value/value.h"

namespace strake::schema {

// The elements of a list by their key fields. An absent key is a value of its own. The list and the
// keys must outlive it.
class ItemsByKey {
 public:
  // Finds nothing when the list is null, or no list.
  ItemsByKey(const value::Value* list, const std::vector<std::string>& keys);
  // The first element with the key fields of this one, or null.
  const value::Value* find(const value::Value& item) const;

 private:
  std::uint64_t hash_of(const value::Value& item) const;

  const std::vector<std::string>& keys_;
  std::unordered_map<std::uint64_t, std::vector<const value::Value*>> items_;
};

// A text that is the same for elements that count as equal in a set: scalars by Go type and value,
// so 1 and 1.0 differ; compounds by their JSON, where they agree.
std::string element_identity(const value::Value& item);
// The same for elements of a map; an absent key is a value of its own.
std::string element_identity(const value::Value& item, const std::vector<std::string>& keys);
// An object of the key fields that are there, made in the arena: what a message shows.
value::Value key_fields(const value::Value& item, const std::vector<std::string>& keys,
                        Arena& arena);

}  // namespace strake::schema
