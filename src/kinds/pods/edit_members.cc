#include "kinds/pods/edit_members.h"

#include "kinds/fields.h"

namespace strake::kinds {
namespace {

// Both are sorted. Of members that both have, those of `first` stay.
std::span<value::Member> merged(std::span<const value::Member> first,
                                std::span<const value::Member> second, Arena& arena) {
  auto* all = arena.allocate_array<value::Member>(first.size() + second.size());
  std::size_t count = 0;
  auto left = first.begin();
  auto right = second.begin();
  while (left != first.end() || right != second.end()) {
    if (right == second.end() || (left != first.end() && left->key <= right->key)) {
      if (right != second.end() && left->key == right->key) ++right;
      all[count++] = *left++;
    } else {
      all[count++] = *right++;
    }
  }
  return {all, count};
}

}  // namespace

using value::Member;
using value::Value;

Value* object_member(Value& holder, std::string_view key) {
  Value* found = holder.find(key);
  return found != nullptr && found->is_object() ? found : nullptr;
}

void set_if_absent(Value& object, std::string_view key, Value v, Arena& arena) {
  if (member(object, key) == nullptr) object.set(key, v, arena);
}

void set_if_empty(Value& object, std::string_view key, std::string_view text, Arena& arena) {
  if (value::text_of(object, key).empty()) object.set(key, Value::string(text), arena);
}

void set_if_zero(Value& object, std::string_view key, std::int64_t number, Arena& arena) {
  if (integer(object, key) == 0) object.set(key, Value::integer(number), arena);
}

void add_missing(Value& holder, std::string_view key, std::span<const Member> more, Arena& arena) {
  if (!more.empty())
    holder.set(key, Value::object(merged(members(holder, key), more, arena)), arena);
}

void override_members(Value& holder, std::string_view key, std::span<const Member> more,
                      Arena& arena) {
  if (more.empty()) return;
  Member* copies = arena.allocate_array<Member>(more.size());
  for (std::size_t i = 0; i < more.size(); ++i)
    copies[i] = {arena.copy(more[i].key), value::deep_copy(more[i].value, arena)};
  const std::span<const Member> copied{copies, more.size()};
  holder.set(key, Value::object(merged(copied, members(holder, key), arena)), arena);
}

}  // namespace strake::kinds
