#pragma once
// A value while an expression runs: 24 bytes, copied freely. Scalars are held directly; text, items
// and entries live in the evaluation's Arena, in the program's constants, or in the document, which
// is read in place through a DocumentShape. A failed computation is a value of Kind::kError,
// because `||` and its kin go on after errors.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/time.h"
#include "cel/value/shape.h"
#include "cel/value/type.h"
#include "value/value.h"

namespace strake::cel {

enum class Kind : std::uint8_t {
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kTimestamp,
  kDuration,
  kList,
  kMap,
  kType,
  kOptional,
  kObject,  // a document node with declared fields, a message, or an opaque value
  kError,
};

class Value;
class Object;
struct ListStorage;
struct ConcatList;
struct MapStorage;

struct EvalError {
  std::string_view message;
};

class Value {
 public:
  constexpr Value() = default;
  static Value null() { return {}; }
  static Value boolean(bool b) { return {Kind::kBool, Rep::kPlain, 0, {.integer = b ? 1 : 0}}; }
  static Value integer(std::int64_t i) { return {Kind::kInt, Rep::kPlain, 0, {.integer = i}}; }
  static Value uinteger(std::uint64_t u) {
    return {Kind::kUint, Rep::kPlain, 0, {.integer = static_cast<std::int64_t>(u)}};
  }
  static Value number(double d) { return {Kind::kDouble, Rep::kPlain, 0, {.real = d}}; }
  static Value string(std::string_view s) {
    return {Kind::kString, Rep::kPlain, s.size(), {.text = s.data()}};
  }
  static Value bytes(std::string_view s) {
    return {Kind::kBytes, Rep::kPlain, s.size(), {.text = s.data()}};
  }
  static Value timestamp(Instant t) {
    return {Kind::kTimestamp, Rep::kPlain, t.nanoseconds, {.integer = t.seconds}};
  }
  static Value duration(std::int64_t nanoseconds) {
    return {Kind::kDuration, Rep::kPlain, 0, {.integer = nanoseconds}};
  }
  static Value type(const Type* t) { return {Kind::kType, Rep::kPlain, 0, {.type = t}}; }
  static Value none() { return {Kind::kOptional, Rep::kPlain, 0, {.held = nullptr}}; }
  static Value some(const Value& v, Arena& arena);
  static Value object(const Object* o) { return {Kind::kObject, Rep::kObject, 0, {.object = o}}; }
  static Value error(const EvalError* e) { return {Kind::kError, Rep::kPlain, 0, {.error = e}}; }
  // The message is copied.
  static Value error(std::string_view message, Arena& arena);
  static Value list(const ListStorage* storage, std::size_t count) {
    return {Kind::kList, Rep::kList, count, {.list = storage}};
  }
  static Value list(const ConcatList* list) {
    return {Kind::kList, Rep::kConcat, 0, {.concat = list}};
  }
  static Value list(std::span<const Value> items, Arena& arena);  // copies the items
  static Value map(const MapStorage* storage, std::size_t count) {
    return {Kind::kMap, Rep::kMap, count, {.map = storage}};
  }
  // What the node is through that shape (null: whatever it is). Decoded text (bytes) goes to the
  // arena.
  static Value from_node(const value::Value& node, const DocumentShape* shape, Arena& arena);

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  bool is_error() const { return kind_ == Kind::kError; }
  bool is_numeric() const {
    return kind_ == Kind::kInt || kind_ == Kind::kUint || kind_ == Kind::kDouble;
  }
  bool is_true() const { return kind_ == Kind::kBool && payload_.integer != 0; }
  bool is_false() const { return kind_ == Kind::kBool && payload_.integer == 0; }

  // Each must be called on its own kind.
  bool as_bool() const { return payload_.integer != 0; }
  std::int64_t as_int() const { return payload_.integer; }
  std::uint64_t as_uint() const { return static_cast<std::uint64_t>(payload_.integer); }
  double as_double() const { return payload_.real; }
  std::string_view as_text() const { return {payload_.text, aux_}; }  // kString and kBytes
  Instant as_timestamp() const { return {payload_.integer, aux_}; }
  std::int64_t as_duration() const { return payload_.integer; }
  const Type* as_type() const { return payload_.type; }
  const Value* held() const { return payload_.held; }  // of an optional, null for none
  const EvalError& as_error() const { return *payload_.error; }

  // Lists, maps and objects that stand in a document; null for those that were computed.
  const value::Value* node() const { return rep_ == Rep::kNode ? payload_.node : nullptr; }
  const DocumentShape* shape() const { return rep_ == Rep::kNode ? shape_ : nullptr; }
  // Messages and opaque values; null for document objects.
  const Object* as_object() const { return rep_ == Rep::kObject ? payload_.object : nullptr; }
  const ListStorage* list_storage() const { return rep_ == Rep::kList ? payload_.list : nullptr; }
  const ConcatList* concat_list() const { return rep_ == Rep::kConcat ? payload_.concat : nullptr; }
  const MapStorage* map_storage() const { return rep_ == Rep::kMap ? payload_.map : nullptr; }
  std::uint32_t storage_count() const { return aux_; }

 private:
  enum class Rep : std::uint8_t { kPlain, kNode, kList, kConcat, kMap, kObject };
  union Payload {
    std::int64_t integer;
    double real;
    const char* text;
    const Type* type;
    const Value* held;
    const EvalError* error;
    const value::Value* node;
    const ListStorage* list;
    const ConcatList* concat;
    const MapStorage* map;
    const Object* object;
  };
  constexpr Value(Kind kind, Rep rep, std::size_t aux, Payload payload,
                  const DocumentShape* shape = nullptr)
      : kind_(kind),
        rep_(rep),
        aux_(static_cast<std::uint32_t>(aux)),
        payload_(payload),
        shape_(shape) {}

  Kind kind_ = Kind::kNull;
  Rep rep_ = Rep::kPlain;
  std::uint32_t aux_ = 0;  // bytes of text, items or entries in use, nanoseconds
  Payload payload_{.integer = 0};
  const DocumentShape* shape_ = nullptr;
};
static_assert(sizeof(Value) == 24);

// A message or an opaque value (an IP address, a quantity). Lives in an arena: no destructor runs.
class Object {
 public:
  virtual const Type* type() const = 0;
  // Only called for an object of the same type.
  virtual bool equal(const Object& other, Arena& arena) const = 0;
  // The field's value, its default when unset; an error value when there is no such field.
  virtual Value get_field(std::string_view name, Arena& arena) const;
  // A bool, or an error value when there is no such field.
  virtual Value has_field(std::string_view name, Arena& arena) const;
  virtual bool is_zero() const { return false; }
  // What string() and format() print, where the type has a text.
  virtual std::optional<std::string_view> text(Arena& arena) const;

 protected:
  ~Object() = default;
};

// The type an expression sees: type(v). Lists, maps and optionals give their dyn forms.
const Type* type_of(const Value& v);
// Its name: "int", "list", "google.protobuf.Timestamp".
std::string_view type_name(const Value& v);

// CEL's ==: numbers compare across kinds, values of different kinds are not equal, NaN equals
// nothing.
bool equal(const Value& a, const Value& b, Arena& arena);
// Orders bools, numbers across kinds, strings, bytes, timestamps and durations; nothing for others
// and for NaN.
std::optional<int> compare(const Value& a, const Value& b);
// Whether two values have an order at all (NaN included).
bool comparable(const Value& a, const Value& b);
// The empty or zero value of its kind, as optional.ofNonZeroValue sees it.
bool is_zero_value(const Value& v);

}  // namespace strake::cel
