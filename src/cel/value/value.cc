#include "cel/value/value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/base64.h"
#include "cel/value/containers.h"
#include "cel/value/time.h"

namespace strake::cel {
namespace {

using NodeType = value::Type;

int three_way(auto a, auto b) { return a < b ? -1 : (b < a ? 1 : 0); }

// Doubles beyond the range of the integer are ordered by range, others after rounding the integer,
// as cel-go does.
std::optional<int> compare_double_int(double d, std::int64_t i) {
  if (std::isnan(d)) return std::nullopt;
  if (d < -9223372036854775808.0) return -1;
  if (d > 9223372036854775807.0) return 1;
  return three_way(d, static_cast<double>(i));
}

std::optional<int> compare_double_uint(double d, std::uint64_t u) {
  if (std::isnan(d)) return std::nullopt;
  if (d < 0) return -1;
  if (d > 18446744073709551615.0) return 1;
  return three_way(d, static_cast<double>(u));
}

std::optional<int> flipped(std::optional<int> order) {
  if (order) return -*order;
  return order;
}

std::optional<int> compare_numbers(const Value& a, const Value& b) {
  switch (a.kind()) {
    case Kind::kInt:
      if (b.is(Kind::kInt)) return three_way(a.as_int(), b.as_int());
      if (b.is(Kind::kUint)) return a.as_int() < 0 ? -1 : three_way(a.as_uint(), b.as_uint());
      return flipped(compare_double_int(b.as_double(), a.as_int()));
    case Kind::kUint:
      if (b.is(Kind::kUint)) return three_way(a.as_uint(), b.as_uint());
      if (b.is(Kind::kInt)) return b.as_int() < 0 ? 1 : three_way(a.as_uint(), b.as_uint());
      return flipped(compare_double_uint(b.as_double(), a.as_uint()));
    default:
      if (b.is(Kind::kInt)) return compare_double_int(a.as_double(), b.as_int());
      if (b.is(Kind::kUint)) return compare_double_uint(a.as_double(), b.as_uint());
      if (std::isnan(a.as_double()) || std::isnan(b.as_double())) return std::nullopt;
      return three_way(a.as_double(), b.as_double());
  }
}

// Equal values have equal hashes; containers are told apart by size only.
std::uint64_t hash_value(const Value& v) {
  auto mix = [](std::uint64_t h) { return (h ^ (h >> 32)) * 0x9E3779B97F4A7C15u; };
  switch (v.kind()) {
    case Kind::kBool:
    case Kind::kDuration: return mix(static_cast<std::uint64_t>(v.as_int()) + 1);
    case Kind::kTimestamp: return mix(static_cast<std::uint64_t>(v.as_timestamp().seconds));
    // Rounded, because integers equal the doubles they round to.
    case Kind::kInt: return std::hash<double>{}(static_cast<double>(v.as_int()));
    case Kind::kUint: return std::hash<double>{}(static_cast<double>(v.as_uint()));
    case Kind::kDouble: return std::hash<double>{}(v.as_double());
    case Kind::kString:
    case Kind::kBytes: return std::hash<std::string_view>{}(v.as_text());
    case Kind::kList: return mix(list_size(v) + 77);
    case Kind::kMap: return mix(map_size(v) + 99);
    default: return 7;
  }
}

std::uint64_t hash_keys(const Value& item, std::span<const std::string_view> keys) {
  const value::Value* node = item.node();
  if (node == nullptr) return 0;
  std::uint64_t h = 0;
  for (std::string_view key : keys) {
    const value::Value* member = node->find(key);
    h = h * 1099511628211u + (member == nullptr ? 1 : value::hash(*member));
  }
  return h;
}

bool same_keys(const Value& a, const Value& b, std::span<const std::string_view> keys) {
  if (a.node() == nullptr || b.node() == nullptr) return false;
  return std::ranges::all_of(keys, [&](std::string_view key) {
    const value::Value* left = a.node()->find(key);
    const value::Value* right = b.node()->find(key);
    if (left == nullptr || right == nullptr) return left == right;
    return value::equal(*left, *right);
  });
}

// Lists of type set or map are equal in any order, as kube-apiserver compares them. One list goes
// into a hash table and each item of the other is looked up, so the cost is linear for scalars.
// Sizes are equal and valid lists of these types have no duplicates, so one direction is enough.
bool equal_unordered(const Value& a, const Value& b, const DocumentShape& shape, Arena& arena) {
  const bool keyed = shape.list_kind == DocumentShape::ListKind::kMap;
  std::unordered_multimap<std::uint64_t, Value> items;
  for (Cursor c(b, arena); !c.done(); c.next()) {
    const Value item = c.item();
    items.emplace(keyed ? hash_keys(item, shape.keys) : hash_value(item), item);
  }
  for (Cursor c(a, arena); !c.done(); c.next()) {
    const Value item = c.item();
    auto [first, last] = items.equal_range(keyed ? hash_keys(item, shape.keys) : hash_value(item));
    const bool found = std::any_of(first, last, [&](const auto& candidate) {
      if (keyed && !same_keys(item, candidate.second, shape.keys)) return false;
      return equal(item, candidate.second, arena);
    });
    if (!found) return false;
  }
  return true;
}

// Document nodes of unknown shape compare as documents do, which is the same and bounds the stack.
bool both_plain_nodes(const Value& a, const Value& b) {
  return a.node() != nullptr && b.node() != nullptr &&
         a.shape()->kind == DocumentShape::Kind::kDyn &&
         b.shape()->kind == DocumentShape::Kind::kDyn;
}

// It is enough that one side has a shape with an order-free type: the other may have been computed.
bool equal_lists(const Value& a, const Value& b, Arena& arena) {
  if (both_plain_nodes(a, b)) return value::equal(*a.node(), *b.node());
  const std::uint64_t size = list_size(a);
  if (size != list_size(b)) return false;
  for (const Value* side : {&a, &b}) {
    const DocumentShape* shape = side->shape();
    if (shape != nullptr && shape->list_kind != DocumentShape::ListKind::kAtomic) {
      return equal_unordered(a, b, *shape, arena);
    }
  }
  Cursor left(a, arena);
  Cursor right(b, arena);
  for (; !left.done(); left.next(), right.next()) {
    if (!equal(left.item(), right.item(), arena)) return false;
  }
  return true;
}

bool equal_maps(const Value& a, const Value& b, Arena& arena) {
  if (both_plain_nodes(a, b)) return value::equal(*a.node(), *b.node());
  if (map_size(a) != map_size(b)) return false;
  for (Cursor c(a, arena); !c.done(); c.next()) {
    const std::optional<Value> other = map_find(b, c.item(), arena);
    if (!other || !equal(c.value(), *other, arena)) return false;
  }
  return true;
}

const DocumentField* field_by_key(const DocumentShape& shape, std::string_view key) {
  for (const DocumentField& f : shape.fields) {
    if (f.key == key) return &f;
  }
  return nullptr;
}

// Declared fields compare as CEL values, the rest as documents; nulls count as absent.
bool equal_node_objects(const Value& a, const Value& b, Arena& arena) {
  auto present = [](const value::Value& node) {
    return std::ranges::count_if(node.members(),
                                 [](const value::Member& m) { return !m.value.is_null(); });
  };
  if (present(*a.node()) != present(*b.node())) return false;
  for (const value::Member& m : a.node()->members()) {
    if (m.value.is_null()) continue;
    const value::Value* other = b.node()->find(m.key);
    if (other == nullptr || other->is_null()) return false;
    const DocumentField* left = field_by_key(*a.shape(), m.key);
    const DocumentField* right = a.shape() == b.shape() ? left : field_by_key(*b.shape(), m.key);
    if (left == nullptr || right == nullptr) {
      if (!value::equal(m.value, *other)) return false;
    } else if (!equal(Value::from_node(m.value, left->shape, arena),
                      Value::from_node(*other, right->shape, arena), arena)) {
      return false;
    }
  }
  return true;
}

Value text_from_node(std::string_view text, DocumentShape::Kind kind, Arena& arena) {
  switch (kind) {
    case DocumentShape::Kind::kBytes: {
      const Result<std::string> decoded = base64_decode(text);
      if (!decoded) return Value::error(decoded.error().message(), arena);
      return Value::bytes(arena.copy(*decoded));
    }
    case DocumentShape::Kind::kTimestamp:
      if (const auto t = parse_timestamp(text)) return Value::timestamp(*t);
      return Value::error("invalid timestamp", arena);
    case DocumentShape::Kind::kDate:
      if (const auto t = parse_timestamp(std::string(text) + "T00:00:00Z"))
        return Value::timestamp(*t);
      return Value::error("invalid date", arena);
    case DocumentShape::Kind::kDuration:
      if (const auto d = parse_duration(text)) return Value::duration(*d);
      return Value::error("invalid duration", arena);
    default: return Value::string(text);
  }
}

}  // namespace

const DocumentField* DocumentShape::find_field(std::string_view name) const {
  const auto it = std::ranges::lower_bound(fields, name, {}, &DocumentField::name);
  return it != fields.end() && it->name == name ? &*it : nullptr;
}

Value Value::some(const Value& v, Arena& arena) {
  const Value* held = new (arena.allocate(sizeof(Value))) Value(v);
  return {Kind::kOptional, Rep::kPlain, 0, {.held = held}};
}

Value Value::error(std::string_view message, Arena& arena) {
  const auto* e = new (arena.allocate(sizeof(EvalError))) EvalError{arena.copy(message)};
  return error(e);
}

Value Value::list(std::span<const Value> items, Arena& arena) {
  ListStorage* storage = new_list(items.size(), arena);
  std::ranges::copy(items, storage->items);
  return list(storage, items.size());
}

Value Value::from_node(const value::Value& node, const DocumentShape* shape, Arena& arena) {
  if (shape == nullptr) shape = &kDynShape;
  switch (node.type()) {
    case NodeType::kNull: return null();
    case NodeType::kBool: return boolean(node.as_bool());
    case NodeType::kInt:
      if (shape->kind == DocumentShape::Kind::kDouble)
        return number(static_cast<double>(node.as_int()));
      return integer(node.as_int());
    case NodeType::kUint:
      if (shape->kind == DocumentShape::Kind::kDouble)
        return number(static_cast<double>(node.as_uint()));
      return uinteger(node.as_uint());
    case NodeType::kDouble: return number(node.as_double());
    case NodeType::kLiteral: return number(node.as_double());
    case NodeType::kString: return text_from_node(node.as_string(), shape->kind, arena);
    case NodeType::kArray: return {Kind::kList, Rep::kNode, 0, {.node = &node}, shape};
    case NodeType::kObject: {
      const bool object = shape->kind == DocumentShape::Kind::kObject;
      return {object ? Kind::kObject : Kind::kMap, Rep::kNode, 0, {.node = &node}, shape};
    }
  }
  return null();
}

Value Object::get_field(std::string_view name, Arena& arena) const {
  return Value::error("no such field '" + std::string(name) + "'", arena);
}

Value Object::has_field(std::string_view name, Arena& arena) const {
  return get_field(name, arena);
}

std::optional<std::string_view> Object::text(Arena&) const { return std::nullopt; }

const Type* type_of(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull: return &types::null;
    case Kind::kBool: return &types::boolean;
    case Kind::kInt: return &types::integer;
    case Kind::kUint: return &types::uinteger;
    case Kind::kDouble: return &types::number;
    case Kind::kString: return &types::string;
    case Kind::kBytes: return &types::bytes;
    case Kind::kTimestamp: return &types::timestamp;
    case Kind::kDuration: return &types::duration;
    case Kind::kList: return &types::list_of_dyn;
    case Kind::kMap: return &types::map_of_dyn;
    case Kind::kType: return &types::type;
    case Kind::kOptional: return &types::optional_of_dyn;
    case Kind::kObject: return v.as_object() != nullptr ? v.as_object()->type() : v.shape()->type;
    case Kind::kError: return &types::error;
  }
  return &types::dyn;
}

std::string_view type_name(const Value& v) { return type_of(v)->name; }

bool comparable(const Value& a, const Value& b) {
  if (a.is_numeric() && b.is_numeric()) return true;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kBool:
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kTimestamp:
    case Kind::kDuration: return true;
    default: return false;
  }
}

std::optional<int> compare(const Value& a, const Value& b) {
  if (a.is_numeric() && b.is_numeric()) return compare_numbers(a, b);
  if (!comparable(a, b)) return std::nullopt;
  switch (a.kind()) {
    case Kind::kString:
    case Kind::kBytes: return three_way(a.as_text().compare(b.as_text()), 0);
    case Kind::kTimestamp: return three_way(a.as_timestamp(), b.as_timestamp());
    default: return three_way(a.as_int(), b.as_int());
  }
}

bool equal(const Value& a, const Value& b, Arena& arena) {
  if (a.is_numeric() && b.is_numeric()) return compare_numbers(a, b) == 0;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kNull: return true;
    case Kind::kBool:
    case Kind::kDuration: return a.as_int() == b.as_int();
    case Kind::kString:
    case Kind::kBytes: return a.as_text() == b.as_text();
    case Kind::kTimestamp: return a.as_timestamp() == b.as_timestamp();
    case Kind::kList: return equal_lists(a, b, arena);
    case Kind::kMap: return equal_maps(a, b, arena);
    case Kind::kType: return a.as_type()->name == b.as_type()->name;
    case Kind::kOptional:
      if (a.held() == nullptr || b.held() == nullptr) return a.held() == b.held();
      return equal(*a.held(), *b.held(), arena);
    case Kind::kObject:
      if (a.node() != nullptr && b.node() != nullptr) return equal_node_objects(a, b, arena);
      if (a.as_object() == nullptr || b.as_object() == nullptr) return false;
      if (type_name(a) != type_name(b)) return false;
      return a.as_object()->equal(*b.as_object(), arena);
    default: return false;
  }
}

bool is_zero_value(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull: return true;
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDuration: return v.as_int() == 0;
    case Kind::kDouble: return v.as_double() == 0;
    case Kind::kString:
    case Kind::kBytes: return v.as_text().empty();
    // The zero time is that of Go: the start of year 1.
    case Kind::kTimestamp: return v.as_timestamp() == Instant{kMinTimestampSeconds, 0};
    case Kind::kList: return list_size(v) == 0;
    case Kind::kMap: return map_size(v) == 0;
    case Kind::kOptional: return v.held() == nullptr;
    case Kind::kObject:
      if (v.as_object() != nullptr) return v.as_object()->is_zero();
      return v.node()->members().empty();
    default: return false;
  }
}

}  // namespace strake::cel
