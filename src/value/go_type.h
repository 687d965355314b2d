#pragma once
// The type that Go gives to decoded JSON: the API's messages name it.
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

}  // namespace strake::value
