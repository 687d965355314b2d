#include "schema/intern.h"

#include <array>
#include <atomic>
#include <mutex>
#include <unordered_map>

#include "base/hash.h"

namespace strake::schema {
namespace {

std::uint64_t hash_value(const value::Value* v) { return v != nullptr ? value::hash(*v) : 0; }

template <typename T>
std::uint64_t as_bits(const std::optional<T>& v) {
  if (!v) return 0x9ae16a3b2f90404full;
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(*v);
  } else {
    return static_cast<std::uint64_t>(*v);
  }
}

std::uint64_t as_bits(const NodePtr& node) { return reinterpret_cast<std::uintptr_t>(node.get()); }

class Hasher {
 public:
  void add(std::uint64_t word) {
    const auto product = static_cast<unsigned __int128>(state_ ^ word ^ 0x9e3779b97f4a7c15ull) *
                         0xd6e8feb86659fd93ull;
    state_ = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  void add(std::string_view text) { add(hash64(text)); }
  void add(const std::vector<NodePtr>& nodes) {
    add(nodes.size());
    for (const NodePtr& node : nodes) add(as_bits(node));
  }
  void add(const std::vector<std::string>& texts) {
    add(texts.size());
    for (const std::string& text : texts) add(std::string_view(text));
  }
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

std::uint64_t flags_of(const Node& n) {
  std::uint64_t bits = static_cast<std::uint64_t>(n.type);
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(n.format), static_cast<std::uint64_t>(n.additional),
        static_cast<std::uint64_t>(n.list_type), static_cast<std::uint64_t>(n.map_type)}) {
    bits = bits * 64 + part;
  }
  for (const bool flag : {n.nullable, n.int_or_string, n.preserve_unknown, n.embedded_resource})
    bits = bits * 2 + flag;
  return bits;
}

std::uint64_t hash_node(const Node& n, const Borrowed& values) {
  Hasher h;
  h.add(flags_of(n));
  h.add(n.properties.size());
  for (const Property& p : n.properties) {
    h.add(std::string_view(p.name));
    h.add(as_bits(p.node));
  }
  h.add(n.required);
  h.add(as_bits(n.additional_schema));
  h.add(as_bits(n.items));
  for (const auto& bound : {n.min_items, n.max_items, n.min_properties, n.max_properties})
    h.add(as_bits(bound));
  h.add(n.map_keys);
  if (n.number) {
    for (const auto& bound : {n.number->minimum, n.number->maximum, n.number->multiple_of})
      h.add(as_bits(bound));
  }
  if (n.text) {
    h.add(as_bits(n.text->min_length));
    h.add(as_bits(n.text->max_length));
    h.add(reinterpret_cast<std::uintptr_t>(n.text->pattern.get()));
  }
  if (n.composition) {
    h.add(n.composition->all_of);
    h.add(n.composition->any_of);
    h.add(n.composition->one_of);
    h.add(as_bits(n.composition->negated));
  }
  for (const Rule& rule : n.rules) h.add(std::string_view(rule.rule));
  h.add(std::string_view(n.format_text));
  h.add(hash_value(values.enumeration));
  h.add(hash_value(values.default_value));
  return h.state();
}

template <typename T>
bool same_block(const std::unique_ptr<const T>& a, const std::unique_ptr<const T>& b) {
  if (!a || !b) return !a && !b;
  return *a == *b;
}

bool same_value(const std::unique_ptr<const value::Document>& owned, const value::Value* borrowed) {
  if (!owned || borrowed == nullptr) return !owned && borrowed == nullptr;
  return value::identical(owned->root(), *borrowed);
}

std::unique_ptr<const value::Document> own(const value::Value* v) {
  if (v == nullptr) return nullptr;
  auto document = std::make_unique<value::Document>();
  document->root() = value::deep_copy(*v, document->arena());
  return document;
}

// Whether a node of the table is the candidate.
bool same(const Node& a, const Node& b, const Borrowed& values) {
  return flags_of(a) == flags_of(b) && a.properties == b.properties && a.required == b.required &&
         a.additional_schema == b.additional_schema && a.items == b.items &&
         a.min_items == b.min_items && a.max_items == b.max_items &&
         a.min_properties == b.min_properties && a.max_properties == b.max_properties &&
         a.map_keys == b.map_keys && same_block(a.number, b.number) && same_block(a.text, b.text) &&
         same_block(a.composition, b.composition) && a.rules == b.rules &&
         a.format_text == b.format_text && same_value(a.enumeration, values.enumeration) &&
         same_value(a.default_value, values.default_value);
}

// What a node takes by itself. The blocks behind its pointers are counted, its children are not.
std::size_t bytes_of(const Node& n) {
  auto text = [](const std::string& s) { return s.capacity() > 15 ? s.capacity() + 1 : 0; };
  std::size_t bytes = sizeof(Node) + 48;  // with the reference counts and the table's entry
  bytes += n.properties.capacity() * sizeof(Property);
  for (const Property& p : n.properties) bytes += text(p.name);
  for (const auto* list : {&n.required, &n.map_keys}) {
    bytes += list->capacity() * sizeof(std::string);
    for (const std::string& s : *list) bytes += text(s);
  }
  bytes += n.number ? sizeof(NumberRules) : 0;
  bytes += n.text ? sizeof(TextRules) : 0;
  if (n.composition) {
    bytes += sizeof(Composition) +
             sizeof(NodePtr) * (n.composition->all_of.size() + n.composition->any_of.size() +
                                n.composition->one_of.size());
  }
  for (const Rule& r : n.rules) {
    bytes += sizeof(Rule) + text(r.rule) + text(r.message) + text(r.message_expression) +
             text(r.field_path);
  }
  for (const auto* document : {&n.enumeration, &n.default_value}) bytes += *document ? 256 : 0;
  return bytes;
}

// Sharded, so that threads compiling different CRDs seldom wait for each other.
class Table {
 public:
  NodePtr intern(Node& candidate, const Borrowed& values) {
    const std::uint64_t hash = hash_node(candidate, values);
    Shard& shard = shards_[hash % shards_.size()];
    requested_.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(shard.mu);
    const auto [first, last] = shard.nodes.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      // A node whose last user is just letting go cannot be revived; its entry goes when that user
      // gets the lock.
      if (NodePtr alive = it->second.weak.lock(); alive && same(*alive, candidate, values))
        return alive;
    }
    auto owned = std::make_unique<Node>(std::move(candidate));
    owned->enumeration = own(values.enumeration);
    owned->default_value = own(values.default_value);
    owned->properties.shrink_to_fit();
    owned->required.shrink_to_fit();
    const std::size_t bytes = bytes_of(*owned);
    const Node* raw = owned.get();
    NodePtr made(owned.release(), [this, hash](const Node* node) { release(hash, node); });
    shard.nodes.emplace(hash, Entry{made, raw, bytes});
    nodes_.fetch_add(1, std::memory_order_relaxed);
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
    return made;
  }

  InternStats stats() const { return {.nodes = nodes_, .requested = requested_, .bytes = bytes_}; }

 private:
  struct Entry {
    std::weak_ptr<const Node> weak;
    const Node* raw;
    std::size_t bytes;
  };
  struct Shard {
    std::mutex mu;
    std::unordered_multimap<std::uint64_t, Entry> nodes;  // guarded by mu
  };

  void release(std::uint64_t hash, const Node* node) {
    Shard& shard = shards_[hash % shards_.size()];
    {
      const std::lock_guard lock(shard.mu);
      const auto [first, last] = shard.nodes.equal_range(hash);
      for (auto it = first; it != last; ++it) {
        if (it->second.raw != node) continue;
        nodes_.fetch_sub(1, std::memory_order_relaxed);
        bytes_.fetch_sub(it->second.bytes, std::memory_order_relaxed);
        shard.nodes.erase(it);
        break;
      }
    }
    delete node;  // outside the lock: this lets go of the children
  }

  std::array<Shard, 16> shards_;
  std::atomic<std::size_t> nodes_ = 0;
  std::atomic<std::size_t> requested_ = 0;
  std::atomic<std::size_t> bytes_ = 0;
};

// Never destroyed: nodes may be let go of while the process ends.
Table& table() {
  static Table& one = *new Table;
  return one;
}

}  // namespace

NodePtr intern(Node& candidate, const Borrowed& values) {
  return table().intern(candidate, values);
}

InternStats intern_stats() { return table().stats(); }

}  // namespace strake::schema
