#pragma once
// Reading members of objects that may be absent or of another type: an empty answer for both.
// Value::get answers for lists and objects: v.get(key).items().
#include <string_view>

#include "value/value.h"

namespace strake::value {

// A number that was kept as its text is no text.
inline std::string_view text_of(const Value& v) {
  return v.is_string() ? v.as_string() : std::string_view();
}
inline std::string_view text_of(const Value& object, std::string_view key) {
  return text_of(object.get(key));
}
// Also for an object that may not be there.
inline std::string_view text_of(const Value* object, std::string_view key) {
  return object != nullptr ? text_of(*object, key) : std::string_view();
}

// False unless the member is true.
inline bool flag_of(const Value& object, std::string_view key) {
  const Value& v = object.get(key);
  return v.is_bool() && v.as_bool();
}

}  // namespace strake::value
