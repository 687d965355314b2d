#pragma once
// Changes of many members of an object in one pass, where Value::set and Value::remove would move
// all of them for each.
#include <span>

#include "base/arena.h"
#include "value/value.h"

namespace strake::value {

// As set for each of the members, which are sorted by key. Copies what is there once.
void set_members(Value& object, std::span<const Member> sorted, Arena& arena);

// As remove for each member that the test names. The test meets each where it stood.
template <typename Drops>  // bool(const Member&)
void remove_members(Value& object, Drops drops) {
  if (!object.is_object()) return;
  const std::span<Member> members = object.mutable_members();
  std::size_t kept = 0;
  for (const Member& m : members) {
    if (!drops(m)) members[kept++] = m;
  }
  object.truncate(kept);
}

}  // namespace strake::value
