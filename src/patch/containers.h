#pragma once
// New arrays and objects, laid out in an arena.
#include <algorithm>
#include <span>

#include "base/arena.h"
#include "value/value.h"

namespace strake::patch {

inline value::Value array_of(std::span<const value::Value> items, Arena& arena) {
  auto* laid = arena.allocate_array<value::Value>(items.size());
  std::copy(items.begin(), items.end(), laid);
  return value::Value::array({laid, items.size()});
}

// The members must be sorted.
inline value::Value object_of(std::span<const value::Member> members, Arena& arena) {
  auto* laid = arena.allocate_array<value::Member>(members.size());
  std::copy(members.begin(), members.end(), laid);
  return value::Value::object({laid, members.size()});
}

}  // namespace strake::patch
