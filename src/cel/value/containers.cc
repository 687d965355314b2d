#include "cel/value/containers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <vector>

// Lists and maps are immutable values over storage that may be shared. A value is storage and a
// count: appending writes behind the count and returns a value with a larger one, in place when
// nothing has been written there yet (used == count) and there is room. So a comprehension that
// appends n items costs O(n), although each step makes a new value; other values of the same
// storage never look past their own count. A second append to an older value copies.
//
// Long lists are concatenated by reference (ConcatList), since copying both sides at every step
// would be quadratic. All memory is the arena's.

namespace strake::cel {
namespace {

constexpr std::uint64_t kCopyAtMost = 1024;       // items; beyond, concatenation keeps both sides
constexpr std::uint32_t kLinearSearchAtMost = 8;  // entries; beyond, a map is indexed

std::uint64_t hash_key(const Value& key) {
  if (key.is(Kind::kString)) return std::hash<std::string_view>{}(key.as_text());
  return (key.as_uint() ^ (key.as_uint() >> 29)) * 0x9E3779B97F4A7C15u;
}

bool same_key(const Value& a, const Value& b) {
  if (a.kind() == b.kind()) {
    return a.is(Kind::kString) ? a.as_text() == b.as_text() : a.as_uint() == b.as_uint();
  }
  // An int and a uint of the same value are one key.
  const bool numbers = a.is_numeric() && b.is_numeric();
  return numbers && a.as_int() >= 0 && a.as_uint() == b.as_uint();
}

// The integer key a double stands for, if any.
std::optional<Value> integral_key(double d) {
  if (!(std::trunc(d) == d)) return std::nullopt;
  if (d >= -9223372036854775808.0 && d < 9223372036854775808.0) {
    return Value::integer(static_cast<std::int64_t>(d));
  }
  if (d >= 0 && d < 18446744073709551616.0) return Value::uinteger(static_cast<std::uint64_t>(d));
  return std::nullopt;
}

void index_entry(MapStorage& map, std::uint32_t entry) {
  std::uint64_t at = hash_key(map.entries[entry].key);
  while (map.buckets[at & map.bucket_mask] != 0) ++at;
  map.buckets[at & map.bucket_mask] = entry + 1;
}

MapStorage* new_map_storage(std::size_t capacity, Arena& arena) {
  auto* map = new (arena.allocate(sizeof(MapStorage))) MapStorage();
  map->capacity = static_cast<std::uint32_t>(std::max<std::size_t>(capacity, 4));
  map->entries = arena.allocate_array<MapEntry>(map->capacity);
  if (map->capacity > kLinearSearchAtMost) {
    const std::size_t buckets = std::bit_ceil(std::size_t{map->capacity} * 2);
    map->buckets = arena.allocate_array<std::uint32_t>(buckets);
    std::fill_n(map->buckets, buckets, 0u);
    map->bucket_mask = static_cast<std::uint32_t>(buckets - 1);
  }
  return map;
}

const MapEntry* find_entry(const MapStorage& map, std::uint32_t count, const Value& key) {
  if (map.buckets == nullptr) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (same_key(map.entries[i].key, key)) return &map.entries[i];
    }
    return nullptr;
  }
  for (std::uint64_t at = hash_key(key);; ++at) {
    const std::uint32_t entry = map.buckets[at & map.bucket_mask];
    if (entry == 0) return nullptr;
    // Entries past the count belong to a longer map in the same storage.
    if (entry <= count && same_key(map.entries[entry - 1].key, key)) return &map.entries[entry - 1];
  }
}

std::uint64_t hash_item(const Value& v) {
  switch (v.kind()) {
    case Kind::kString:
    case Kind::kBytes: return std::hash<std::string_view>{}(v.as_text());
    // Numbers of different types may be equal (1 == 1u == 1.0), so they hash by their double.
    case Kind::kInt: return std::hash<double>{}(static_cast<double>(v.as_int()));
    case Kind::kUint: return std::hash<double>{}(static_cast<double>(v.as_uint()));
    case Kind::kDouble: return std::hash<double>{}(v.as_double());
    default: return 0;
  }
}

Value copy_concat(const Value& left, const Value& right, std::uint64_t size, Arena& arena) {
  ListStorage* out = new_list(size, arena);
  std::size_t n = 0;
  for (Cursor c(left, arena); !c.done(); c.next()) out->items[n++] = c.item();
  for (Cursor c(right, arena); !c.done(); c.next()) out->items[n++] = c.item();
  return Value::list(out, size);
}

// + on a set: the left side, then what only the right side has.
Value set_union(const Value& left, const Value& right, Arena& arena) {
  std::unordered_multimap<std::uint64_t, Value> seen;
  Value out = Value::list(new_list(0, arena), 0);
  auto add = [&](const Value& item) {
    auto [first, last] = seen.equal_range(hash_item(item));
    const bool found =
        std::any_of(first, last, [&](const auto& s) { return equal(s.second, item, arena); });
    if (found) return;
    seen.emplace(hash_item(item), item);
    out = list_append(out, item, arena);
  };
  for (Cursor c(left, arena); !c.done(); c.next()) add(c.item());
  for (Cursor c(right, arena); !c.done(); c.next()) add(c.item());
  return out;
}

// + on a list keyed by members: items of the right side take the place of those with the same keys.
Value keyed_merge(const Value& left, const Value& right, const DocumentShape& shape, Arena& arena) {
  auto hash_of = [&](const Value& item) -> std::uint64_t {
    std::uint64_t h = 0;
    if (item.node() == nullptr) return 0;
    for (std::string_view key : shape.keys) {
      const value::Value* member = item.node()->find(key);
      h = h * 1099511628211u + (member == nullptr ? 1 : value::hash(*member));
    }
    return h;
  };
  auto same = [&](const Value& a, const Value& b) {
    if (a.node() == nullptr || b.node() == nullptr) return false;
    return std::ranges::all_of(shape.keys, [&](std::string_view key) {
      const value::Value* x = a.node()->find(key);
      const value::Value* y = b.node()->find(key);
      return x == nullptr || y == nullptr ? x == y : value::equal(*x, *y);
    });
  };
  std::vector<Value> items;
  std::unordered_multimap<std::uint64_t, std::size_t> places;
  for (Cursor c(left, arena); !c.done(); c.next()) {
    places.emplace(hash_of(c.item()), items.size());
    items.push_back(c.item());
  }
  for (Cursor c(right, arena); !c.done(); c.next()) {
    const Value item = c.item();
    auto [first, last] = places.equal_range(hash_of(item));
    const auto found =
        std::find_if(first, last, [&](const auto& p) { return same(items[p.second], item); });
    if (found != last) {
      items[found->second] = item;
    } else {
      places.emplace(hash_of(item), items.size());
      items.push_back(item);
    }
  }
  return Value::list(items, arena);
}

}  // namespace

ListStorage* new_list(std::size_t count, Arena& arena) {
  auto* storage = new (arena.allocate(sizeof(ListStorage))) ListStorage();
  storage->used = storage->capacity = static_cast<std::uint32_t>(count);
  storage->items = arena.allocate_array<Value>(count);
  return storage;
}

std::uint64_t list_size(const Value& list) {
  if (list.list_storage() != nullptr) return list.storage_count();
  if (list.concat_list() != nullptr) return list.concat_list()->size;
  return list.node()->size();
}

Value list_at(const Value& list, std::uint64_t index, Arena& arena) {
  const Value* at = &list;
  while (const ConcatList* concat = at->concat_list()) {
    const std::uint64_t left = list_size(concat->left);
    if (index < left) {
      at = &concat->left;
    } else {
      index -= left;
      at = &concat->right;
    }
  }
  if (const ListStorage* storage = at->list_storage()) return storage->items[index];
  return Value::from_node(at->node()->items()[index], at->shape()->element, arena);
}

Value list_append(const Value& list, const Value& item, Arena& arena) {
  const ListStorage* storage = list.list_storage();
  const std::uint64_t size = list_size(list);
  if (size >= kMaxListItems) return Value::error("list too long", arena);
  if (storage != nullptr && storage->used == size && storage->used < storage->capacity) {
    storage->items[storage->used++] = item;
    return Value::list(storage, size + 1);
  }
  // An older value of a long list: a copy would cost as much as the list at every append.
  if (size > kCopyAtMost && (storage == nullptr || storage->used != size)) {
    return list_concat(list, Value::list({&item, 1}, arena), arena);
  }
  auto* grown = new (arena.allocate(sizeof(ListStorage))) ListStorage();
  grown->capacity = static_cast<std::uint32_t>(std::max<std::uint64_t>(4, size * 2));
  grown->items = arena.allocate_array<Value>(grown->capacity);
  for (Cursor c(list, arena); !c.done(); c.next()) grown->items[grown->used++] = c.item();
  grown->items[grown->used++] = item;
  return Value::list(grown, size + 1);
}

Value list_concat(const Value& left, const Value& right, Arena& arena) {
  const DocumentShape* shape = left.shape();
  if (shape != nullptr && shape->list_kind == DocumentShape::ListKind::kSet) {
    return set_union(left, right, arena);
  }
  if (shape != nullptr && shape->list_kind == DocumentShape::ListKind::kMap) {
    return keyed_merge(left, right, *shape, arena);
  }
  const std::uint64_t left_size = list_size(left);
  const std::uint64_t right_size = list_size(right);
  if (right_size == 0) return left;
  if (left_size == 0) return right;
  const ListStorage* storage = left.list_storage();
  const bool in_place = storage != nullptr && storage->used == left_size;
  if (right_size == 1 && (in_place || left_size <= kCopyAtMost)) {
    return list_append(left, list_at(right, 0, arena), arena);
  }
  const std::uint64_t size = left_size + right_size;
  if (size > kMaxListItems) return Value::error("list too long", arena);
  if (size <= kCopyAtMost) return copy_concat(left, right, size, arena);
  return Value::list(new (arena.allocate(sizeof(ConcatList))) ConcatList{left, right, size});
}

std::uint64_t map_size(const Value& map) {
  return map.map_storage() != nullptr ? map.storage_count() : map.node()->size();
}

bool is_map_key(const Value& v) {
  return v.is(Kind::kBool) || v.is(Kind::kInt) || v.is(Kind::kUint) || v.is(Kind::kString);
}

std::optional<Value> map_find(const Value& map, const Value& key, Arena& arena) {
  if (map.node() != nullptr) {
    if (!key.is(Kind::kString)) return std::nullopt;
    const value::Value* member = map.node()->find(key.as_text());
    if (member == nullptr) return std::nullopt;
    return Value::from_node(*member, map.shape()->element, arena);
  }
  Value wanted = key;
  if (key.is(Kind::kDouble)) {
    const std::optional<Value> integral = integral_key(key.as_double());
    if (!integral) return std::nullopt;
    wanted = *integral;
  }
  if (!is_map_key(wanted)) return std::nullopt;
  const MapEntry* entry = find_entry(*map.map_storage(), map.storage_count(), wanted);
  if (entry == nullptr) return std::nullopt;
  return entry->value;
}

Value new_map(std::size_t expected_entries, Arena& arena) {
  return Value::map(new_map_storage(expected_entries, arena), 0);
}

std::optional<Value> map_insert(const Value& map, const Value& key, const Value& value,
                                Arena& arena) {
  if (map_find(map, key, arena)) return std::nullopt;
  const std::uint64_t size = map_size(map);
  auto append = [&](MapStorage& storage) {
    storage.entries[storage.used] = {key, value};
    if (storage.buckets != nullptr) index_entry(storage, storage.used);
    ++storage.used;
    return Value::map(&storage, size + 1);
  };
  if (const MapStorage* storage = map.map_storage();
      storage != nullptr && storage->used == size && storage->used < storage->capacity) {
    // Only its owner's last value can append, so no other value sees the change.
    return append(const_cast<MapStorage&>(*storage));
  }
  MapStorage* grown = new_map_storage(size * 2, arena);
  for (Cursor c(map, arena); !c.done(); c.next()) {
    grown->entries[grown->used] = {c.item(), c.value()};
    if (grown->buckets != nullptr) index_entry(*grown, grown->used);
    ++grown->used;
  }
  return append(*grown);
}

Cursor::Cursor(const Value& container, Arena& arena) : container_(container), arena_(arena) {
  size_ = container.is(Kind::kMap) ? map_size(container) : list_size(container);
  if (container.concat_list() == nullptr) {
    run_ = container;
    run_end_ = size_;
  }
}

Value Cursor::item() {
  if (container_.is(Kind::kMap)) {
    if (const MapStorage* storage = container_.map_storage()) return storage->entries[at_].key;
    return Value::string(container_.node()->members()[at_].key);
  }
  // Concatenations form a tree. The cursor stays in one leaf until it is read, so a walk over n
  // items costs one descent per leaf.
  if (at_ >= run_end_ || at_ < run_start_) {
    std::uint64_t start = 0;
    const Value* run = &container_;
    while (const ConcatList* concat = run->concat_list()) {
      const std::uint64_t left = list_size(concat->left);
      if (at_ - start < left) {
        run = &concat->left;
      } else {
        start += left;
        run = &concat->right;
      }
    }
    run_ = *run;
    run_start_ = start;
    run_end_ = start + list_size(run_);
  }
  return list_at(run_, at_ - run_start_, arena_);
}

Value Cursor::value() {
  if (!container_.is(Kind::kMap)) return item();
  if (const MapStorage* storage = container_.map_storage()) return storage->entries[at_].value;
  return Value::from_node(container_.node()->members()[at_].value, container_.shape()->element,
                          arena_);
}

}  // namespace strake::cel
