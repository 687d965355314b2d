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

std::string_view text(const Value& object, std::string_view key) {
  const Value* found = member(object, key);
  return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

std::string_view text(const Value& object, std::initializer_list<std::string_view> keys) {
  const Value* found = member(object, keys);
  return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

bool flag(const Value& object, std::string_view key) {
  const Value* found = member(object, key);
  return found != nullptr && found->is_bool() && found->as_bool();
}

std::int64_t integer(const Value& object, std::string_view key) {
  const Value* found = member(object, key);
  return found != nullptr && found->type() == value::Type::kInt ? found->as_int() : 0;
}

std::span<const Value> items(const Value& object, std::string_view key) {
  const Value* found = member(object, key);
  return found != nullptr && found->is_array() ? found->items() : std::span<const Value>();
}

std::span<const Member> members(const Value& object, std::string_view key) {
  const Value* found = member(object, key);
  return found != nullptr && found->is_object() ? found->members() : std::span<const Member>();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
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

}  // namespace strake::kinds
