#pragma once
// Texts of a kustomization as values: read, and written unless they are empty.
#include <string>
#include <string_view>
#include <vector>

#include "value/fields.h"
#include "value/value.h"

namespace strake::kustomize {

inline void put(value::Value& object, std::string_view key, const std::string& text, Arena& arena) {
  if (!text.empty()) object.set(key, value::Value::string(arena.copy(text)), arena);
}

inline void put(value::Value& object, std::string_view key, const std::vector<std::string>& texts,
                Arena& arena) {
  if (texts.empty()) return;
  value::Value list = value::Value::array({});
  for (const std::string& text : texts) list.append(value::Value::string(arena.copy(text)), arena);
  object.set(key, list, arena);
}

inline std::string_view name_of(const value::Value& object) { return text_of(object, "name"); }

}  // namespace strake::kustomize
