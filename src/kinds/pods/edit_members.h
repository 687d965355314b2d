#pragma once
// Editing the members of decoded objects in place: what is not there is left alone, and what was
// said is kept.
#include <span>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// The member when it is an object, else null.
value::Value* object_member(value::Value& holder, std::string_view key);

// Calls `edit` with each object of the list.
template <typename Edit>
void edit_each(value::Value& holder, std::string_view key, Edit edit) {
  value::Value* list = holder.find(key);
  if (list == nullptr || !list->is_array()) return;
  for (value::Value& one : list->mutable_items()) {
    if (one.is_object()) edit(one);
  }
}

// Calls `edit` with each container of a pod spec: those, init containers and ephemeral ones.
template <typename Edit>
void edit_each_container(value::Value& spec, Edit edit) {
  for (const std::string_view key : {"containers", "initContainers", "ephemeralContainers"})
    edit_each(spec, key, edit);
}

// The key must live as long as the arena.
void set_if_absent(value::Value& object, std::string_view key, value::Value v, Arena& arena);
void set_if_empty(value::Value& object, std::string_view key, std::string_view text, Arena& arena);
void set_if_zero(value::Value& object, std::string_view key, std::int64_t number, Arena& arena);

// Adds to the object under `key` those members that it has not; they are sorted. An object is made
// when there is something to add. Linear, wherever the members belong.
void add_missing(value::Value& holder, std::string_view key, std::span<const value::Member> more,
                 Arena& arena);
// The same, but members that are there get the new value. What is added is copied.
void override_members(value::Value& holder, std::string_view key,
                      std::span<const value::Member> more, Arena& arena);

}  // namespace strake::kinds
