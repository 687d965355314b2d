#pragma once
// How Go's encoding/json sees a document: messages of the API server and of kustomize name it so.
#include <algorithm>
#include <string_view>

#include "value/value.h"

namespace strake::value {

constexpr std::string_view go_type(Type type) {
  switch (type) {
    case Type::kNull: return "<nil>";
    case Type::kBool: return "bool";
    case Type::kInt: return "int64";
    case Type::kUint: return "uint64";
    case Type::kDouble:
    case Type::kLiteral: return "float64";
    case Type::kString: return "string";
    case Type::kArray: return "[]interface {}";
    case Type::kObject: return "map[string]interface {}";
  }
  return "";
}

inline std::string_view go_type(const Value& v) { return go_type(v.type()); }

// The word for a value that does not fit its Go type ("cannot unmarshal number into …").
inline std::string_view go_json_kind(const Value& v) {
  switch (v.type()) {
    case Type::kNull: return "null";
    case Type::kBool: return "bool";
    case Type::kString: return "string";
    case Type::kArray: return "array";
    case Type::kObject: return "object";
    default: return "number";
  }
}

// Whether a key stands for a field of that name: letters of ASCII alike, whatever their case.
inline bool go_json_key_matches(std::string_view key, std::string_view field) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return std::ranges::equal(key, field, [&](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace strake::value
