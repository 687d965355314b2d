#pragma once
// The tree that a build works on. Unlike value::Value it keeps what kustomize's results depend
// on: the text of scalars as it was written, whether they were quoted, the order and duplicates of
// keys, and for every node where it came from. Nodes live in the NodeArena of the build and are
// changed in place. Whoever puts a node into a second place copies it; only the steps that write
// labels and annotations share the scalars they make, within one resource.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>

#include "base/arena.h"

namespace strake::kustomize {

enum class NodeKind : std::uint8_t { kScalar, kMap, kList };

// What a scalar is said to be. kNone follows from the text, as do the others unless they were
// written out in the source (Node::tagged).
enum class Tag : std::uint8_t {
  kNone,
  kNull,
  kBool,
  kInt,
  kFloat,
  kString,
  kTimestamp,
  kBinary,
  kOther
};

struct Node;

struct Entry {
  std::string_view key;
  Node* value;
  std::uint32_t line = 0;
  bool text_key = true;  // false for keys that YAML reads as something other than a string
};

// A place in the table of origins: a file, or a step of the build. 0 is unknown.
using OriginId = std::uint32_t;

struct Node {
  NodeKind kind = NodeKind::kScalar;
  Tag tag = Tag::kNone;
  bool quoted = false;     // or a block scalar: anything but plain
  bool folded = false;     // quoted, as a folded block
  bool flow = false;       // a map or list within braces or brackets
  bool tagged = false;     // the tag stood in the source
  bool keep_null = false;  // a null that a merge must not drop
  std::uint32_t line = 0;  // in the file of its origin
  OriginId origin = 0;
  std::uint32_t comment = 0;  // into NodeArena::comments(), plus one

  std::string_view text;  // of a scalar
  union {
    Entry* entries = nullptr;
    Node** items;
  };
  std::uint32_t count = 0;
  std::uint32_t capacity = 0;
  // Where the members of a large map are, by the hash of their keys; NodeArena keeps it. Null is
  // always right.
  struct Index;
  Index* index = nullptr;

  bool is_scalar() const { return kind == NodeKind::kScalar; }
  bool is_map() const { return kind == NodeKind::kMap; }
  bool is_list() const { return kind == NodeKind::kList; }
  bool is_null() const { return tag == Tag::kNull; }
  bool is_string() const { return is_scalar() && tag == Tag::kString; }
  // Null, or a map or list without members. An empty text is something.
  bool is_empty() const { return is_null() || (!is_scalar() && count == 0); }

  std::span<Entry> members() { return {entries, is_map() ? count : 0U}; }
  std::span<const Entry> members() const { return {entries, is_map() ? count : 0U}; }
  std::span<Node* const> elements() const { return {items, is_list() ? count : 0U}; }

  // The first member of that name; null when there is none, or this is no map.
  Node* find(std::string_view key) const;
  Entry* find_entry(std::string_view key);
  // The text of a scalar member, empty when there is none or it is null.
  std::string_view text_of(std::string_view key) const;

  // Takes over how another node was written; what it says stays.
  void take_style(const Node& from) {
    quoted = from.is_scalar() && from.quoted;
    folded = from.is_scalar() && from.folded;
    flow = !from.is_scalar() && from.flow;
  }
};

inline bool missing_or_null(const Node* node) { return node == nullptr || node->is_null(); }

// Makes and changes nodes. What it makes or writes bears the current origin.
class NodeArena {
 public:
  Arena& arena() { return arena_; }
  OriginId origin() const { return origin_; }
  void set_origin(OriginId origin) { origin_ = origin; }

  std::string_view keep(std::string_view text) { return arena_.copy(text); }
  Node* scalar(std::string_view text, Tag tag = Tag::kNone);  // plain; the text is copied
  Node* string(std::string_view text) { return scalar(text, Tag::kString); }
  Node* map();
  Node* list();
  Node* copy(const Node* node);  // keeps origins
  // Turns the node into a copy of the top of another; what is below is shared.
  static void assign(Node& to, const Node& from) { to = from; }

  // The key must live as long as the arena.
  void append(Node& map, std::string_view key, Node* value, std::uint32_t line = 0);
  void append(Node& list, Node* item);
  void insert(Node& list, std::size_t at, Node* item);
  // Sets the member or appends it; the key is copied when it is new.
  void put(Node& map, std::string_view key, Node* value);
  static bool remove(Node& map, std::string_view key);  // the first of that name
  // As remove for each of them; takes one pass.
  static void remove_all(Node& map, std::unordered_set<std::string_view> keys);
  static void remove_at(Node& list, std::size_t at);
  // Changes the text of a scalar; style and tag stay.
  void set_text(Node& scalar, std::string_view text);
  // Turns the node into another scalar, written in the style that is there.
  void rewrite(Node& node, std::string_view text, Tag tag = Tag::kNone);
  // A member that is a map, made where there is none.
  Node* map_at(Node& map, std::string_view key);

  // The schema that a comment gave to a node, or empty.
  std::string_view comment_of(const Node& node) const;
  void set_comment(Node& node, std::string_view json);

 private:
  void reserve_entries(Node& map);
  void index_last(Node& map);  // after an append
  void reserve_items(Node& list);
  Node* make(NodeKind kind);

  Arena arena_{64 * 1024};
  OriginId origin_ = 0;
  std::string_view* comments_ = nullptr;
  std::uint32_t comment_count_ = 0;
  std::uint32_t comment_capacity_ = 0;
};

// The same kinds, tags, texts and members in the same order.
bool same_tree(const Node* a, const Node* b);

}  // namespace strake::kustomize
