#include "value/members.h"

#include <algorithm>

#include "base/assert.h"

namespace strake::value {

void set_members(Value& object, std::span<const Member> sorted, Arena& arena) {
  STRAKE_ASSERT(object.is_object());
  if (sorted.empty()) return;
  const std::span<const Member> old = object.members();
  auto* merged = arena.allocate_array<Member>(old.size() + sorted.size());
  Member* end = merged;
  auto next = old.begin();
  for (const Member& m : sorted) {
    while (next != old.end() && compare_keys(next->key, m.key) < 0) *end++ = *next++;
    if (next != old.end() && next->key == m.key) ++next;
    *end++ = m;
  }
  end = std::copy(next, old.end(), end);
  object = Value::object({merged, static_cast<std::size_t>(end - merged)});
}

}  // namespace strake::value
