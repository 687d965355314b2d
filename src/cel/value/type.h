#pragma once
// The types of CEL: dyn, scalars, lists, maps, objects with declared fields, opaque types,
// wrappers, type parameters. A Type is immutable and points at its parts; scalars are constants,
// the rest live in an Arena that must outlive them.
//
//   TypeFactory make(arena);
//   const Type* t = make.map(&types::string, make.list(&types::integer));
//   to_string(*t)   map(string, list(int))
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"

namespace strake::cel {

struct DocumentShape;

enum class TypeKind : std::uint8_t {
  kError,  // of an expression that was refused; fits everything, so that one fault is reported once
  kDyn,
  kAny,
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kTimestamp,
  kDuration,
  kList,    // one parameter
  kMap,     // two
  kType,    // none or one
  kObject,  // fields by name, from its shape or from a TypeProvider
  kOpaque,  // a name and parameters: optional_type(T), net.IP
  kParam,   // a type parameter of an overload, or a type that is not yet inferred
};

struct Type {
  TypeKind kind = TypeKind::kDyn;
  bool wrapper = false;  // a scalar that may also be null
  std::string_view name;
  std::span<const Type* const> params{};
  const DocumentShape* shape = nullptr;  // for kObject types whose values are document nodes

  bool is_dyn() const { return kind == TypeKind::kDyn || kind == TypeKind::kAny; }
  bool is_dyn_or_error() const { return is_dyn() || kind == TypeKind::kError; }
  bool is_optional() const;
};

namespace types {
inline constexpr Type error{TypeKind::kError, false, "!error!"};
inline constexpr Type dyn{TypeKind::kDyn, false, "dyn"};
inline constexpr Type any{TypeKind::kAny, false, "google.protobuf.Any"};
inline constexpr Type null{TypeKind::kNull, false, "null_type"};
inline constexpr Type boolean{TypeKind::kBool, false, "bool"};
inline constexpr Type integer{TypeKind::kInt, false, "int"};
inline constexpr Type uinteger{TypeKind::kUint, false, "uint"};
inline constexpr Type number{TypeKind::kDouble, false, "double"};
inline constexpr Type string{TypeKind::kString, false, "string"};
inline constexpr Type bytes{TypeKind::kBytes, false, "bytes"};
inline constexpr Type timestamp{TypeKind::kTimestamp, false, "google.protobuf.Timestamp"};
inline constexpr Type duration{TypeKind::kDuration, false, "google.protobuf.Duration"};
inline constexpr Type type{TypeKind::kType, false, "type"};
inline constexpr Type wrapped_bool{TypeKind::kBool, true, "bool"};
inline constexpr Type wrapped_int{TypeKind::kInt, true, "int"};
inline constexpr Type wrapped_uint{TypeKind::kUint, true, "uint"};
inline constexpr Type wrapped_double{TypeKind::kDouble, true, "double"};
inline constexpr Type wrapped_string{TypeKind::kString, true, "string"};
inline constexpr Type wrapped_bytes{TypeKind::kBytes, true, "bytes"};

namespace detail {
inline constexpr const Type* dyn_params[] = {&dyn, &dyn};
inline constexpr const Type* json_params[] = {&string, &dyn};
}  // namespace detail
inline constexpr Type list_of_dyn{TypeKind::kList, false, "list", {detail::dyn_params, 1}};
inline constexpr Type map_of_dyn{TypeKind::kMap, false, "map", {detail::dyn_params, 2}};
inline constexpr Type map_of_json{TypeKind::kMap, false, "map", {detail::json_params, 2}};
inline constexpr Type optional_of_dyn{
    TypeKind::kOpaque, false, "optional_type", {detail::dyn_params, 1}};
}  // namespace types

inline bool Type::is_optional() const {
  return kind == TypeKind::kOpaque && params.size() == 1 && name == "optional_type";
}

// Makes the types that have parts. Names are copied into the arena.
class TypeFactory {
 public:
  explicit TypeFactory(Arena& arena) : arena_(arena) {}
  const Type* list(const Type* element);
  const Type* map(const Type* key, const Type* value);
  const Type* optional(const Type* held);
  const Type* type_of(const Type* described);
  const Type* object(std::string_view name, const DocumentShape* shape = nullptr);
  const Type* opaque(std::string_view name, std::initializer_list<const Type*> params = {});
  const Type* opaque(std::string_view name, std::span<const Type* const> params);
  const Type* param(std::string_view name);

 private:
  const Type* make(Type type, std::span<const Type* const> params);
  Arena& arena_;
};

// The same type, parameters included; wrappers differ from what they wrap.
bool same_type(const Type& a, const Type& b);
// As messages print it: int, list(string), map(string, dyn), wrapper(int), optional_type(int).
std::string to_string(const Type& type);

}  // namespace strake::cel
