#pragma once
// A node of a document: null, bool, number, string, array or object, in 16 bytes. Copying a Value
// copies a pointer; the text, items and members it shows live in an Arena (usually of a Document)
// and must outlive it. Members are kept sorted by key, in the order in which the API serialises
// them. Reading is safe from many threads. Reading a value as another type than its own gives an
// empty answer, never memory that is not there.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/position.h"

namespace strake::value {

enum class Type : std::uint8_t {
  kNull,
  kBool,
  kInt,      // fits int64
  kUint,     // above int64 and fits uint64; only readers that were asked for wide integers make it
  kDouble,   // any other number
  kLiteral,  // a number kept as its text; only readers that were asked for such make it
  kString,
  kArray,
  kObject,
};

// The JSON word for a type: "null", "boolean", "integer", "number", "string", "array", "object".
std::string_view to_string(Type type);

struct Member;

class Value {
 public:
  constexpr Value() : payload_{.integer = 0} {}
  static constexpr Value boolean(bool b) { return {Type::kBool, 0, {.integer = b ? 1 : 0}}; }
  static constexpr Value integer(std::int64_t i) { return {Type::kInt, 0, {.integer = i}}; }
  static constexpr Value unsigned_integer(std::uint64_t u) {
    const auto type = u <= INT64_MAX ? Type::kInt : Type::kUint;
    return {type, 0, {.integer = static_cast<std::int64_t>(u)}};
  }
  static constexpr Value number(double d) { return {Type::kDouble, 0, {.real = d}}; }
  static constexpr Value literal(std::string_view text) {
    return {Type::kLiteral, text.size(), {.text = text.data()}};
  }
  static constexpr Value string(std::string_view text) {
    return {Type::kString, text.size(), {.text = text.data()}};
  }
  static constexpr Value array(std::span<Value> items);
  static constexpr Value object(std::span<Member> sorted_members);

  Type type() const { return type_; }
  bool is_null() const { return type_ == Type::kNull; }
  bool is_bool() const { return type_ == Type::kBool; }
  bool is_number() const { return type_ >= Type::kInt && type_ <= Type::kLiteral; }
  bool is_string() const { return type_ == Type::kString; }
  bool is_array() const { return type_ == Type::kArray; }
  bool is_object() const { return type_ == Type::kObject; }

  // Each is meant for its own type. Text, items and members of any other type are empty.
  bool as_bool() const { return payload_.integer != 0; }
  std::int64_t as_int() const { return payload_.integer; }  // kInt
  std::uint64_t as_uint() const {
    return static_cast<std::uint64_t>(payload_.integer);
  }  // kInt >= 0, kUint
  double as_double() const;            // any number
  std::string_view as_string() const;  // kString, kLiteral
  std::span<const Value> items() const;
  std::span<const Member> members() const;
  std::span<Value> mutable_items();
  std::span<Member> mutable_members();

  std::size_t size() const { return size_; }  // bytes of text, items, or members

  // Says that the text, items or members will be looked at soon: the first two cache lines of them.
  void prefetch() const;

  // The member of that name, or null; null too when this is not an object.
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key) {
    return const_cast<Value*>(static_cast<const Value*>(this)->find(key));
  }

  // The member of that name, or a null value when there is none: for reading through several levels
  // without a check at each.
  const Value& get(std::string_view key) const {
    const Value* found = find(key);
    return found != nullptr ? *found : kNull;
  }

  // For trees that one owner edits in place. Positions of the edited container are forgotten.
  // Sets or replaces a member, keeping the order; the key must live as long as the arena.
  // Adding members in the order of their keys takes amortised constant time; any other order copies
  // the members that are there.
  Value& set(std::string_view key, Value v, Arena& arena);
  // The member of that name if it is an object; else an empty object, put in its place.
  Value& object_at(std::string_view key, Arena& arena);
  bool remove(std::string_view key);  // false when it was not there
  // Keeps the first `count` items or members; the caller has moved those it wants to the front, in
  // order.
  void truncate(std::size_t count);
  void append(Value item, Arena& arena);  // in amortised constant time

  // Where the i-th item, or the key or value of the i-th member, stood in the source. Only when
  // has_positions().
  bool has_positions() const { return has_positions_; }
  const Position& item_position(std::size_t i) const;
  const Position& key_position(std::size_t i) const;
  const Position& value_position(std::size_t i) const;

 private:
  friend class DocumentBuilder;
  union Payload {
    std::int64_t integer;
    double real;
    const char* text;
    Value* items;
    Member* members;
  };
  constexpr Value(Type type, std::size_t size, Payload payload)
      : type_(type), size_(static_cast<std::uint32_t>(size)), payload_(payload) {}
  void mark_positions() { has_positions_ = true; }
  template <typename Element>
  Element* claim_slot(Element* elements, Arena& arena);

  static const Value kNull;

  Type type_ = Type::kNull;
  bool has_positions_ = false;  // the positions follow the items or members in memory
  bool has_room_ = false;       // a Room stands before the items or members in memory
  std::uint32_t size_ = 0;
  Payload payload_;
};
static_assert(sizeof(Value) == 16);
inline constexpr Value Value::kNull;

// Less than, equal to or greater than zero, in the order of members. The first byte decides most
// comparisons, without a call.
inline int compare_keys(std::string_view a, std::string_view b) {
  if (!a.empty() && !b.empty() && a[0] != b[0]) {
    return static_cast<int>(static_cast<unsigned char>(a[0])) -
           static_cast<int>(static_cast<unsigned char>(b[0]));
  }
  return a.compare(b);
}

struct Member {
  std::string_view key;
  Value value;

  void prefetch() const;
};
static_assert(sizeof(Member) == 32);

inline std::string_view Value::as_string() const {
  if (type_ != Type::kString && type_ != Type::kLiteral) return {};
  return {payload_.text, size_};
}
inline std::span<const Value> Value::items() const {
  if (type_ != Type::kArray) return {};
  return {payload_.items, size_};
}
inline std::span<Value> Value::mutable_items() {
  if (type_ != Type::kArray) return {};
  return {payload_.items, size_};
}
inline std::span<const Member> Value::members() const {
  if (type_ != Type::kObject) return {};
  return {payload_.members, size_};
}
inline std::span<Member> Value::mutable_members() {
  if (type_ != Type::kObject) return {};
  return {payload_.members, size_};
}

inline void Value::prefetch() const {
  if (type_ < Type::kString) return;
  __builtin_prefetch(payload_.text);
  if (type_ == Type::kObject && size_ > 2) __builtin_prefetch(payload_.members + 2);
}

inline void Member::prefetch() const {
  __builtin_prefetch(key.data());
  value.prefetch();
}

constexpr Value Value::array(std::span<Value> items) {
  return {Type::kArray, items.size(), {.items = items.data()}};
}

constexpr Value Value::object(std::span<Member> sorted_members) {
  return {Type::kObject, sorted_members.size(), {.members = sorted_members.data()}};
}

// The same document: numbers compare by value whatever their type, so 1 equals 1.0.
bool equal(const Value& a, const Value& b);
// The same document and the same types: 1 differs from 1.0, as in the API's own comparison.
bool identical(const Value& a, const Value& b);
// Values that are equal() have the same hash.
std::uint64_t hash(const Value& v);

// Copies everything, text included, into the arena. Positions are not copied.
Value deep_copy(const Value& v, Arena& arena);

}  // namespace strake::value
