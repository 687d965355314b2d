#pragma once
// Lists and maps as expressions see them, whether they stand in the document or were computed.
// Appending to a computed list or map that no one has appended to before is in place, so
// accumulating in a loop is linear.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/arena.h"
#include "cel/value/value.h"

namespace strake::cel {

// Past these, functions that would make longer lists or texts give an error instead: a few shared
// parts could otherwise be joined into more than memory holds.
inline constexpr std::uint64_t kMaxListItems = 1 << 22;
inline constexpr std::uint64_t kMaxTextBytes = 1 << 26;

// Items of a computed list. Values see a prefix of it; later items may belong to a longer value.
struct ListStorage {
  mutable std::uint32_t used = 0;
  std::uint32_t capacity = 0;
  Value* items = nullptr;
};

// Two lists one after the other; made when copying would be dear.
struct ConcatList {
  Value left;
  Value right;
  std::uint64_t size = 0;
};

struct MapEntry {
  Value key;
  Value value;
};

// Entries in the order they came, with a hash index once there are many.
struct MapStorage {
  mutable std::uint32_t used = 0;
  std::uint32_t capacity = 0;
  MapEntry* entries = nullptr;
  std::uint32_t* buckets = nullptr;  // entry number + 1, open addressing; null for small maps
  std::uint32_t bucket_mask = 0;
};

std::uint64_t list_size(const Value& list);
// The index must be in range.
Value list_at(const Value& list, std::uint64_t index, Arena& arena);
// list + [item]; an error value when the list is too long.
Value list_append(const Value& list, const Value& item, Arena& arena);
// Honours the list kinds of document lists. An error value when the result would be too long.
Value list_concat(const Value& left, const Value& right, Arena& arena);
// Room for `count` items, which the caller fills before handing out Value::list(storage, count).
ListStorage* new_list(std::size_t count, Arena& arena);

std::uint64_t map_size(const Value& map);
// Numbers find equal numbers of other kinds.
std::optional<Value> map_find(const Value& map, const Value& key, Arena& arena);
// map with one more entry, or nothing when the key is there already. The key must be a bool, int,
// uint or string.
std::optional<Value> map_insert(const Value& map, const Value& key, const Value& value,
                                Arena& arena);
Value new_map(std::size_t expected_entries, Arena& arena);
bool is_map_key(const Value& v);

// Walks the items of a list, or the entries of a map in their order (document maps: sorted by key).
class Cursor {
 public:
  Cursor(const Value& container, Arena& arena);
  bool done() const { return at_ >= size_; }
  void next() { ++at_; }
  std::uint64_t index() const { return at_; }
  Value item();   // of a list; of a map: the key
  Value value();  // of a map entry; of a list: the item

 private:
  const Value container_;
  Arena& arena_;
  std::uint64_t at_ = 0;
  std::uint64_t size_ = 0;
  // The flat run of a concatenated list that `at_` is in.
  Value run_;
  std::uint64_t run_start_ = 0;
  std::uint64_t run_end_ = 0;
};

}  // namespace strake::cel
