#include "kinds/fields.h"

namespace strake::kinds {

using value::Member;
using value::Value;

const Value* member(const Value& object, std::string_view key) {
  const Value* found = object.find(key);
  return found != nullptr && !found->is_null() ? found : nullptr;
}

const Value* member(const Value& object, std::initializer_list<std::string_view> keys) {
  const Value* at = &object;
  for (const std::string_view key : keys) {
    at = member(*at, key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::string_view text_of(const Value& object, std::initializer_list<std::string_view> keys) {
  const Value* found = member(object, keys);
  return found != nullptr ? value::text_of(*found) : std::string_view();
}

std::int64_t integer(const Value& object, std::string_view key) {
  const Value* found = member(object, key);
  return found != nullptr && found->type() == value::Type::kInt ? found->as_int() : 0;
}

std::span<const Value> items(const Value& object, std::string_view key) {
  return object.get(key).items();
}

std::span<const Member> members(const Value& object, std::string_view key) {
  return object.get(key).members();
}

bool same_member(const Value& a, const Value& b, std::string_view key) {
  const Value* in_a = member(a, key);
  const Value* in_b = member(b, key);
  if (in_a == nullptr || in_b == nullptr) return in_a == in_b;
  return value::identical(*in_a, *in_b);
}

void keep_member(Value& object, const Value& old, std::string_view key, Arena& arena) {
  if (const Value* kept = old.find(key)) {
    object.set(key, value::deep_copy(*kept, arena), arena);
  } else {
    object.remove(key);
  }
}

void add_missing_members(Value& object, std::span<const Member> more, Arena& arena) {
  Value together = Value::object({});
  auto next = more.begin();
  for (const Member& one : object.members()) {
    for (; next != more.end() && next->key < one.key; ++next)
      together.set(next->key, next->value, arena);
    if (next != more.end() && next->key == one.key) ++next;
    together.set(one.key, one.value, arena);
  }
  for (; next != more.end(); ++next) together.set(next->key, next->value, arena);
  object = together;
}

void keep_spec_and_metadata(Value& object, const Value& old, Arena& arena) {
  keep_member(object, old, "spec", arena);
  Value* metadata = object.find("metadata");
  const Value* before = old.find("metadata");
  if (metadata == nullptr || before == nullptr || !metadata->is_object()) return;
  for (const std::string_view key : {"deletionTimestamp", "generation", "selfLink", "labels",
                                     "annotations", "finalizers", "ownerReferences"}) {
    keep_member(*metadata, *before, key, arena);
  }
}

}  // namespace strake::kinds
