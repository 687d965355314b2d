#include "value/value.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/assert.h"
#include "base/hash.h"
#include "base/same_text.h"

namespace strake::value {
namespace {

// Below this many members a linear search beats the binary one.
constexpr std::size_t kLinearMembers = 8;

// The int64 a number stands for exactly, if it stands for one.
bool exact_int(const Value& v, std::int64_t& out) {
  if (v.type() == Type::kInt) return out = v.as_int(), true;
  if (v.type() == Type::kUint) return false;
  const double d = v.as_double();
  if (!(d >= -0x1p63 && d < 0x1p63) || d != std::trunc(d)) return false;
  out = static_cast<std::int64_t>(d);
  return true;
}

bool equal_numbers(const Value& a, const Value& b) {
  std::int64_t x = 0;
  std::int64_t y = 0;
  const bool a_int = exact_int(a, x);
  const bool b_int = exact_int(b, y);
  if (a_int != b_int) return false;
  if (a_int) return x == y;
  if (a.type() == Type::kUint && b.type() == Type::kUint) return a.as_uint() == b.as_uint();
  return a.as_double() == b.as_double();
}

bool same_scalar(const Value& a, const Value& b, bool typed) {
  if (a.is_number() && b.is_number()) {
    if (!typed) return equal_numbers(a, b);
    if (a.type() != b.type()) return false;
    switch (a.type()) {
      case Type::kLiteral: return a.as_string() == b.as_string();
      case Type::kDouble: return a.as_double() == b.as_double();
      default: return a.as_int() == b.as_int();
    }
  }
  if (a.type() != b.type()) return false;
  switch (a.type()) {
    case Type::kNull: return true;
    case Type::kBool: return a.as_bool() == b.as_bool();
    default: return a.as_string() == b.as_string();
  }
}

// An explicit stack, since documents may be nested deeper than the native one allows.
bool same(const Value& first, const Value& second, bool typed) {
  std::vector<std::pair<const Value*, const Value*>> pending{{&first, &second}};
  while (!pending.empty()) {
    const auto [a, b] = pending.back();
    pending.pop_back();
    if (a->is_array() && b->is_array()) {
      if (a->size() != b->size()) return false;
      for (std::size_t i = 0; i < a->size(); ++i)
        pending.emplace_back(&a->items()[i], &b->items()[i]);
    } else if (a->is_object() && b->is_object()) {
      if (a->size() != b->size()) return false;
      for (std::size_t i = 0; i < a->size(); ++i) {
        if (a->members()[i].key != b->members()[i].key) return false;
        pending.emplace_back(&a->members()[i].value, &b->members()[i].value);
      }
    } else if (!same_scalar(*a, *b, typed)) {
      return false;
    }
  }
  return true;
}

bool is_scalar(const Value& v) { return !v.is_array() && !v.is_object(); }

// Stands before items or members that were made with room to grow. Copies of a Value share its
// elements, so a copy may only take the next slot while nobody has taken it: `used` tells.
struct alignas(16) Room {
  std::uint32_t capacity;
  std::uint32_t used;
};

constexpr std::uint32_t kFirstCapacity = 4;

}  // namespace

std::string_view to_string(Type type) {
  switch (type) {
    case Type::kNull: return "null";
    case Type::kBool: return "boolean";
    case Type::kInt:
    case Type::kUint: return "integer";
    case Type::kDouble:
    case Type::kLiteral: return "number";
    case Type::kString: return "string";
    case Type::kArray: return "array";
    case Type::kObject: return "object";
  }
  return "unknown";
}

double Value::as_double() const {
  switch (type_) {
    case Type::kInt: return static_cast<double>(payload_.integer);
    case Type::kUint: return static_cast<double>(as_uint());
    case Type::kLiteral: {
      double out = 0;
      std::from_chars(payload_.text, payload_.text + size_, out);
      return out;
    }
    default: return payload_.real;
  }
}

const Value* Value::find(std::string_view key) const {
  if (type_ != Type::kObject) return nullptr;
  const Member* first = payload_.members;
  const Member* last = first + size_;
  if (size_ <= kLinearMembers) {
    for (; first != last; ++first) {
      if (same_text(first->key, key)) return &first->value;
    }
    return nullptr;
  }
  first = std::lower_bound(first, last, key, [](const Member& m, std::string_view k) {
    return compare_keys(m.key, k) < 0;
  });
  return first != last && same_text(first->key, key) ? &first->value : nullptr;
}

// The slot behind the last element, in elements that only this value and earlier copies of it see.
// They are moved to twice the room when they have none, or when a copy has taken the slot.
template <typename Element>
Element* Value::claim_slot(Element* elements, Arena& arena) {
  if (has_room_) {
    Room& room = reinterpret_cast<Room*>(elements)[-1];
    if (room.used == size_ && room.used < room.capacity) {
      ++room.used;
      return elements;
    }
  }
  const std::uint32_t capacity = std::max(kFirstCapacity, size_ * 2);
  auto* room = static_cast<Room*>(arena.allocate(sizeof(Room) + capacity * sizeof(Element)));
  *room = {.capacity = capacity, .used = size_ + 1};
  auto* grown = reinterpret_cast<Element*>(room + 1);
  std::copy_n(elements, size_, grown);
  has_room_ = true;
  has_positions_ = false;
  return grown;
}

Value& Value::set(std::string_view key, Value v, Arena& arena) {
  STRAKE_ASSERT(type_ == Type::kObject);
  if (Value* there = find(key)) return *there = v;
  Member* old = payload_.members;
  const auto at =
      static_cast<std::size_t>(std::lower_bound(old, old + size_, key,
                                                [](const Member& m, std::string_view k) {
                                                  return compare_keys(m.key, k) < 0;
                                                }) -
                               old);
  if (at == size_ && size_ > 0) {
    payload_.members = claim_slot(old, arena);
  } else {
    // Members move up, which copies of this value must not see.
    payload_.members = arena.allocate_array<Member>(size_ + 1);
    std::copy_n(old, at, payload_.members);
    std::copy_n(old + at, size_ - at, payload_.members + at + 1);
    has_room_ = false;
  }
  payload_.members[at] = {key, v};
  ++size_;
  has_positions_ = false;
  return payload_.members[at].value;
}

Value& Value::object_at(std::string_view key, Arena& arena) {
  Value* there = find(key);
  if (there != nullptr && there->is_object()) return *there;
  return set(key, Value::object({}), arena);
}

bool Value::remove(std::string_view key) {
  const Value* there = find(key);
  if (there == nullptr) return false;
  Member* members = payload_.members;
  Member* at = std::lower_bound(
      members, members + size_, key,
      [](const Member& m, std::string_view k) { return compare_keys(m.key, k) < 0; });
  std::copy(at + 1, members + size_, at);
  truncate(size_ - 1);
  return true;
}

void Value::truncate(std::size_t count) {
  if (count == size_) return;
  size_ = static_cast<std::uint32_t>(count);
  has_positions_ = false;
}

void Value::append(Value item, Arena& arena) {
  STRAKE_ASSERT(type_ == Type::kArray);
  payload_.items = claim_slot(payload_.items, arena);
  payload_.items[size_++] = item;
  has_positions_ = false;
}

const Position& Value::item_position(std::size_t i) const {
  return reinterpret_cast<const Position*>(payload_.items + size_)[i];
}

const Position& Value::key_position(std::size_t i) const {
  return reinterpret_cast<const Position*>(payload_.members + size_)[2 * i];
}

const Position& Value::value_position(std::size_t i) const {
  return reinterpret_cast<const Position*>(payload_.members + size_)[2 * i + 1];
}

bool equal(const Value& a, const Value& b) { return same(a, b, false); }
bool identical(const Value& a, const Value& b) { return same(a, b, true); }

// Equal numbers of different types must meet in one hash: what is an exact int64 is hashed as one,
// all others by the bits of their double.
std::uint64_t hash(const Value& v) {
  // Preorder, with the sizes of containers mixed in, so that the shape counts and no stack of
  // results is needed.
  std::uint64_t h = 0;
  std::vector<const Value*> pending{&v};
  while (!pending.empty()) {
    const Value& next = *pending.back();
    pending.pop_back();
    std::int64_t integer = 0;
    switch (next.type()) {
      case Type::kNull: h = hash_combine(h, 1); break;
      case Type::kBool: h = hash_combine(h, next.as_bool() ? 3 : 2); break;
      case Type::kInt:
      case Type::kUint:
      case Type::kDouble:
      case Type::kLiteral:
        h = hash_combine(h, 4);
        h = hash_combine(h, exact_int(next, integer)
                                ? static_cast<std::uint64_t>(integer)
                                : std::bit_cast<std::uint64_t>(next.as_double()));
        break;
      case Type::kString: h = hash_combine(hash_combine(h, 5), hash64(next.as_string())); break;
      case Type::kArray:
        h = hash_combine(hash_combine(h, 6), next.size());
        for (std::size_t i = next.size(); i-- > 0;) pending.push_back(&next.items()[i]);
        break;
      case Type::kObject:
        h = hash_combine(hash_combine(h, 7), next.size());
        for (const Member& m : next.members()) h = hash_combine(h, hash64(m.key));
        for (std::size_t i = next.size(); i-- > 0;) pending.push_back(&next.members()[i].value);
        break;
    }
  }
  return h;
}

// An explicit stack: nesting may exceed the native one. Items that hold no text are complete after
// the shallow copy and are not visited.
Value deep_copy(const Value& v, Arena& arena) {
  // Containers are copied shallowly into the arena first; then each copy's children are visited in
  // place.
  Value root = v;
  std::vector<Value*> pending{&root};
  while (!pending.empty()) {
    Value& next = *pending.back();
    pending.pop_back();
    switch (next.type()) {
      case Type::kString: next = Value::string(arena.copy(next.as_string())); break;
      case Type::kLiteral: next = Value::literal(arena.copy(next.as_string())); break;
      case Type::kArray: {
        const std::span<const Value> from = next.items();
        auto* items = arena.allocate_array<Value>(from.size());
        std::copy(from.begin(), from.end(), items);
        next = Value::array({items, from.size()});
        for (std::size_t i = 0; i < from.size(); ++i) {
          if (is_scalar(items[i]) && !items[i].is_string() && items[i].type() != Type::kLiteral)
            continue;
          pending.push_back(&items[i]);
        }
        break;
      }
      case Type::kObject: {
        const std::span<const Member> from = next.members();
        auto* members = arena.allocate_array<Member>(from.size());
        for (std::size_t i = 0; i < from.size(); ++i)
          members[i] = {arena.copy(from[i].key), from[i].value};
        next = Value::object({members, from.size()});
        for (std::size_t i = 0; i < from.size(); ++i) pending.push_back(&members[i].value);
        break;
      }
      default: break;
    }
  }
  return root;
}

}  // namespace strake::value
