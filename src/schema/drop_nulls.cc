#include "schema/drop_nulls.h"

namespace strake::schema {

using value::Member;
using value::Value;

// A schema is nested no deeper than its reader allows, and the value is followed only along it.
void drop_nulls(Value& v, const Node& schema) {
  if (v.is_array() && schema.items) {
    for (Value& item : v.mutable_items()) drop_nulls(item, *schema.items);
  }
  if (!v.is_object()) return;
  const std::span<Member> members = v.mutable_members();
  std::size_t kept = 0;
  for (Member& m : members) {
    if (const Node* member = schema.member(m.key)) {
      if (m.value.is_null() && !member->nullable) continue;
      drop_nulls(m.value, *member);
    }
    if (&members[kept] != &m) members[kept] = m;
    ++kept;
  }
  v.truncate(kept);
}

}  // namespace strake::schema
