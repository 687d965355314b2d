#include "kustomize/tree/node.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "base/hash.h"

namespace strake::kustomize {
namespace {

template <typename T>
T* grown(Arena& arena, const T* old, std::uint32_t count, std::uint32_t& capacity) {
  capacity = capacity == 0 ? 4 : capacity * 2;
  T* bigger = arena.allocate_array<T>(capacity);
  std::copy(old, old + count, bigger);
  return bigger;
}

// Below this many members a look at all of them is faster.
constexpr std::uint32_t kIndexedMembers = 32;

}  // namespace

// An open table. A slot holds the number of an entry, plus one; of entries with the same key that
// of the first. Nodes that share their members after an assignment share the table too, so an entry
// counts only if the map has it and it bears the key.
struct Node::Index {
  std::uint32_t mask;
  std::uint32_t used;  // slots
  std::uint32_t* slots;

  // The slot of a key, or the free one where it belongs.
  std::uint32_t& slot_of(std::string_view key, const Node& map) const {
    for (std::uint64_t at = hash64(key);; ++at) {
      std::uint32_t& slot = slots[at & mask];
      if (slot == 0 || (slot <= map.count && map.entries[slot - 1].key == key)) return slot;
    }
  }
};

Node* Node::find(std::string_view key) const {
  // Nothing is changed.
  const Entry* entry = const_cast<Node*>(this)->find_entry(key);
  return entry != nullptr ? entry->value : nullptr;
}

Entry* Node::find_entry(std::string_view key) {
  if (is_map() && index != nullptr) {
    const std::uint32_t slot = index->slot_of(key, *this);
    return slot != 0 ? &entries[slot - 1] : nullptr;
  }
  for (Entry& entry : members()) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

std::string_view Node::text_of(std::string_view key) const {
  const Node* found = find(key);
  return missing_or_null(found) ? std::string_view() : found->text;
}

Node* NodeArena::make(NodeKind kind) {
  Node* node = new (arena_.allocate(sizeof(Node))) Node;
  node->kind = kind;
  node->origin = origin_;
  return node;
}

Node* NodeArena::scalar(std::string_view text, Tag tag) {
  Node* node = make(NodeKind::kScalar);
  node->text = keep(text);
  node->tag = tag;
  return node;
}

Node* NodeArena::map() { return make(NodeKind::kMap); }
Node* NodeArena::list() { return make(NodeKind::kList); }

Node* NodeArena::copy(const Node* node) {
  if (node == nullptr) return nullptr;
  Node* out = new (arena_.allocate(sizeof(Node))) Node(*node);
  out->capacity = node->count;
  out->index = nullptr;
  if (node->is_map() && node->count > 0) {
    out->entries = arena_.allocate_array<Entry>(node->count);
    for (std::uint32_t i = 0; i < node->count; ++i) {
      out->entries[i] = node->entries[i];
      out->entries[i].value = copy(node->entries[i].value);
    }
    index_last(*out);
  } else if (node->is_list() && node->count > 0) {
    out->items = arena_.allocate_array<Node*>(node->count);
    for (std::uint32_t i = 0; i < node->count; ++i) out->items[i] = copy(node->items[i]);
  }
  return out;
}

void NodeArena::reserve_entries(Node& map) {
  if (map.count < map.capacity) return;
  map.entries = grown(arena_, map.entries, map.count, map.capacity);
}

void NodeArena::index_last(Node& map) {
  if (map.count < kIndexedMembers) return;
  std::uint32_t first = map.count - 1;
  if (map.index == nullptr || map.index->used > map.index->mask / 2) {
    const std::uint32_t slots = std::bit_ceil(map.count) * 4;
    map.index = new (arena_.allocate(sizeof(Node::Index))) Node::Index{
        .mask = slots - 1, .used = 0, .slots = arena_.allocate_array<std::uint32_t>(slots)};
    std::fill_n(map.index->slots, slots, 0);
    first = 0;
  }
  for (std::uint32_t i = first; i < map.count; ++i) {
    std::uint32_t& slot = map.index->slot_of(map.entries[i].key, map);
    if (slot != 0) continue;
    slot = i + 1;
    ++map.index->used;
  }
}

void NodeArena::reserve_items(Node& list) {
  if (list.count < list.capacity) return;
  list.items = grown(arena_, list.items, list.count, list.capacity);
}

void NodeArena::append(Node& map, std::string_view key, Node* value, std::uint32_t line) {
  reserve_entries(map);
  map.entries[map.count++] = {.key = key, .value = value, .line = line};
  index_last(map);
}

void NodeArena::append(Node& list, Node* item) {
  reserve_items(list);
  list.items[list.count++] = item;
}

void NodeArena::insert(Node& list, std::size_t at, Node* item) {
  reserve_items(list);
  std::copy_backward(list.items + at, list.items + list.count, list.items + list.count + 1);
  list.items[at] = item;
  ++list.count;
}

void NodeArena::put(Node& map, std::string_view key, Node* value) {
  if (Entry* entry = map.find_entry(key)) {
    entry->value = value;
  } else {
    append(map, keep(key), value);
  }
}

bool NodeArena::remove(Node& map, std::string_view key) {
  Entry* entry = map.find_entry(key);
  if (entry == nullptr) return false;
  std::copy(entry + 1, map.entries + map.count, entry);
  --map.count;
  map.index = nullptr;
  return true;
}

void NodeArena::remove_all(Node& map, std::unordered_set<std::string_view> keys) {
  if (keys.empty()) return;
  // The first of each name.
  const auto kept = std::ranges::remove_if(
      map.members(), [&](const Entry& entry) { return keys.erase(entry.key) != 0; });
  map.count -= static_cast<std::uint32_t>(kept.size());
  map.index = nullptr;
}

void NodeArena::remove_at(Node& list, std::size_t at) {
  std::copy(list.items + at + 1, list.items + list.count, list.items + at);
  --list.count;
}

void NodeArena::set_text(Node& scalar, std::string_view text) {
  scalar.text = keep(text);
  scalar.origin = origin_;
  scalar.line = 0;
}

void NodeArena::rewrite(Node& node, std::string_view text, Tag tag) {
  Node* made = scalar(text, tag);
  made->take_style(node);
  node = *made;
}

Node* NodeArena::map_at(Node& map, std::string_view key) {
  if (Node* found = map.find(key)) {
    if (!found->is_null()) return found;
    found->kind = NodeKind::kMap;
    found->tag = Tag::kNone;
    found->entries = nullptr;
    found->count = found->capacity = 0;
    found->index = nullptr;
    return found;
  }
  Node* made = this->map();
  append(map, keep(key), made);
  return made;
}

std::string_view NodeArena::comment_of(const Node& node) const {
  return node.comment == 0 ? std::string_view() : comments_[node.comment - 1];
}

void NodeArena::set_comment(Node& node, std::string_view json) {
  if (comment_count_ == comment_capacity_)
    comments_ = grown(arena_, comments_, comment_count_, comment_capacity_);
  comments_[comment_count_++] = keep(json);
  node.comment = comment_count_;
}

bool same_tree(const Node* a, const Node* b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->kind != b->kind || a->tag != b->tag || a->count != b->count || a->text != b->text)
    return false;
  for (std::uint32_t i = 0; i < a->count; ++i) {
    if (a->is_map()) {
      if (a->entries[i].key != b->entries[i].key ||
          !same_tree(a->entries[i].value, b->entries[i].value))
        return false;
    } else if (!same_tree(a->items[i], b->items[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace strake::kustomize
