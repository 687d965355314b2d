#include "schema/defaults.h"

#include <algorithm>

#include "schema/property_cursor.h"

// Top down: a default that is an object is inserted first and then visited like any other, so its
// own missing members are filled in by the schema below. kube-apiserver 1.36 does the same, and
// also replaces a null that the schema does not admit; nulls without a default were dropped before
// (prune_nulls).

namespace strake::schema {
namespace {

using value::Member;
using value::Value;

bool replaces_null(const Value& v, const Node& schema) { return v.is_null() && !schema.nullable; }

// Containers are copied, since they are edited in place later; text may go on pointing into the
// schema.
Value default_of(const Node& schema, Arena& arena) {
  if (!schema.default_value) return Value();
  const Value& v = schema.default_value->root();
  return v.is_array() || v.is_object() ? value::deep_copy(v, arena) : v;
}

// Adds all missing members with a default in one merge of two sorted lists.
void add_missing(Value& v, const Node& schema, Arena& arena) {
  std::size_t missing = 0;
  std::span<Member> members = v.mutable_members();
  auto member = members.begin();
  for (const Property& p : schema.properties) {
    if (!p.node->default_value) continue;
    while (member != members.end() && member->key < p.name) ++member;
    if (member == members.end() || member->key != p.name) {
      ++missing;
    } else if (replaces_null(member->value, *p.node)) {
      member->value = default_of(*p.node, arena);
    }
  }
  if (missing == 0) return;

  auto* merged = arena.allocate_array<Member>(members.size() + missing);
  std::size_t count = 0;
  member = members.begin();
  for (const Property& p : schema.properties) {
    if (!p.node->default_value) continue;
    while (member != members.end() && member->key < p.name) merged[count++] = *member++;
    if (member == members.end() || member->key != p.name)
      merged[count++] = {p.name, default_of(*p.node, arena)};
  }
  while (member != members.end()) merged[count++] = *member++;
  v = Value::object({merged, count});
}

}  // namespace

void apply_defaults(Value& v, const Node& schema, Arena& arena) {
  if (!schema.has_defaults_below) return;
  if (v.is_object()) {
    add_missing(v, schema, arena);
    PropertyCursor properties(schema);
    for (Member& m : v.mutable_members()) {
      if (const Node* property = properties.find(m.key)) {
        apply_defaults(m.value, *property, arena);
      } else if (schema.additional_schema) {
        if (replaces_null(m.value, *schema.additional_schema))
          m.value = default_of(*schema.additional_schema, arena);
        apply_defaults(m.value, *schema.additional_schema, arena);
      }
    }
  } else if (v.is_array() && schema.items) {
    for (Value& item : v.mutable_items()) {
      if (replaces_null(item, *schema.items)) item = default_of(*schema.items, arena);
      apply_defaults(item, *schema.items, arena);
    }
  }
}

}  // namespace strake::schema
