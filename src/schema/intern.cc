#include "schema/intern.h"

#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <unordered_map>

#include "base/hash.h"
#include "value/fields.h"

// Hash-consing. Children are interned before their parents, so two nodes are equal when their own
// fields are and their children are the same pointers: hash and comparison are linear in the direct
// parts of a node, never in the subtree. Real CRDs repeat most of their schemas (the pod template,
// a label selector), and several versions of one CRD share nearly everything.
//
// Two levels: an Interner, private to one compilation and without locks, finds what repeats within
// a schema; only what is new there asks the Table that all threads share. Both are open-addressing
// tables with linear probing, at most half full.

namespace strake::schema {
namespace {

using value::Value;

constexpr std::size_t kFirstSlots = 256;

template <typename T>
std::uint64_t as_bits(const std::optional<T>& v) {
  if (!v) return 0x9ae16a3b2f90404full;
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(*v);
  } else {
    return static_cast<std::uint64_t>(*v);
  }
}

class Hasher {
 public:
  // A multiplication of 128 bits folded in half: every bit of the word reaches every bit of the
  // state.
  void add(std::uint64_t word) {
    __extension__ using Wide = unsigned __int128;
    const Wide product =
        static_cast<Wide>(state_ ^ word ^ 0x9e3779b97f4a7c15ull) * 0xd6e8feb86659fd93ull;
    state_ = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  void add(std::string_view text) { add(hash64(text)); }
  void add(const NodePtr& node) { add(reinterpret_cast<std::uintptr_t>(node.get())); }
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

std::uint64_t flags_of(const NodeFacts& n) {
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

bool has_bounds(const NodeFacts& n) {
  return n.min_items || n.max_items || n.min_properties || n.max_properties;
}

// Whether there is more to it than flags and a format.
bool has_parts(const Candidate& c) {
  return !c.properties.empty() || (c.additional_schema & c.items) != kNoNode || c.has_number ||
         c.has_text || c.has_composition || c.required != nullptr || c.map_keys != nullptr ||
         c.rules != nullptr || c.enumeration != nullptr || c.default_value != nullptr ||
         has_bounds(c.facts);
}

// A candidate with the nodes that its ids stand for.
class Proposal {
 public:
  Proposal(const Candidate& candidate, const std::vector<NodePtr>& nodes)
      : c_(candidate), nodes_(nodes) {}

  // Only what is there takes part, and a first word says what is: most candidates are little more
  // than a type.
  std::uint64_t hash() const {
    Hasher h;
    h.add(flags_of(c_.facts) << 16 | present());
    if (!c_.properties.empty()) {
      h.add(c_.properties.size());
      for (const CandidateProperty& p : c_.properties) {
        h.add(p.name);
        h.add(nodes_[p.node]);
      }
    }
    for (const NodeId id : {c_.additional_schema, c_.items}) {
      if (id != kNoNode) h.add(nodes_[id]);
    }
    for (const Value* list : {c_.required, c_.map_keys}) {
      if (list == nullptr) continue;
      h.add(list->size());
      for (const Value& text : list->items()) h.add(text.as_string());
    }
    if (has_bounds(c_.facts)) {
      for (const auto& bound : {c_.facts.min_items, c_.facts.max_items, c_.facts.min_properties,
                                c_.facts.max_properties})
        h.add(as_bits(bound));
    }
    if (c_.has_number) {
      for (const auto& bound : {c_.number.minimum, c_.number.maximum, c_.number.multiple_of})
        h.add(as_bits(bound));
    }
    if (c_.has_text) {
      h.add(as_bits(c_.min_length));
      h.add(as_bits(c_.max_length));
      h.add(c_.pattern);
    }
    if (c_.has_composition) {
      for (const auto* branches : {&c_.all_of, &c_.any_of, &c_.one_of}) {
        h.add(branches->size());
        for (const NodeId id : *branches) h.add(nodes_[id]);
      }
      if (c_.negated != kNoNode) h.add(nodes_[c_.negated]);
    }
    if (c_.rules != nullptr) {
      for (const Value& rule : c_.rules->items()) h.add(text_of(rule, "rule"));
    }
    // value::hash gives 1 and 1.0 the same hash, which is allowed: is() tells them apart by
    // identical().
    if (c_.enumeration != nullptr) h.add(value::hash(*c_.enumeration));
    if (c_.default_value != nullptr) h.add(value::hash(*c_.default_value));
    return h.state();
  }

  bool is(const Node& n) const {
    return flags_of(n) == flags_of(c_.facts) && same_properties(n) &&
           same_texts(n.required, c_.required) &&
           same_node(n.additional_schema, c_.additional_schema) && same_node(n.items, c_.items) &&
           same_bounds(n) && same_texts(n.map_keys, c_.map_keys) && same_number(n) &&
           same_text(n) && same_composition(n) && same_rules(n) &&
           // The format says what its text is, but for a spelling or two.
           n.format_text == c_.format_text && same_value(n.enumeration, c_.enumeration) &&
           same_value(n.default_value, c_.default_value);
  }

  void fill(Node* out) const {
    static_cast<NodeFacts&>(*out) = c_.facts;
    out->properties.reserve(c_.properties.size());
    for (const CandidateProperty& p : c_.properties)
      out->properties.push_back({std::string(p.name), nodes_[p.node]});
    copy_texts(c_.required, out->required);
    if (c_.additional_schema != kNoNode) out->additional_schema = nodes_[c_.additional_schema];
    if (c_.items != kNoNode) out->items = nodes_[c_.items];
    copy_texts(c_.map_keys, out->map_keys);
    if (c_.has_number) out->number = std::make_unique<const NumberRules>(c_.number);
    if (c_.has_text) {
      out->text = std::make_unique<const TextRules>(
          TextRules{.min_length = c_.min_length,
                    .max_length = c_.max_length,
                    .pattern = c_.pattern.empty() ? PatternPtr() : intern_pattern(c_.pattern)});
    }
    if (c_.has_composition) out->composition = make_composition();
    if (c_.rules != nullptr) {
      out->rules.reserve(c_.rules->size());
      for (const Value& rule : c_.rules->items()) out->rules.push_back(make_rule(rule));
    }
    out->format_text = c_.format_text;
    out->enumeration = own(c_.enumeration);
    out->default_value = own(c_.default_value);
  }

 private:
  std::uint64_t present() const {
    std::uint64_t bits = 0;
    for (const bool part :
         {!c_.properties.empty(), c_.additional_schema != kNoNode, c_.items != kNoNode,
          c_.required != nullptr, c_.map_keys != nullptr, has_bounds(c_.facts), c_.has_number,
          c_.has_text, c_.has_composition, c_.negated != kNoNode, c_.rules != nullptr,
          c_.enumeration != nullptr, c_.default_value != nullptr}) {
      bits = bits * 2 + part;
    }
    return bits;
  }

  bool same_node(const NodePtr& node, NodeId id) const {
    return id == kNoNode ? node == nullptr : node == nodes_[id];
  }

  bool same_properties(const Node& n) const {
    if (n.properties.size() != c_.properties.size()) return false;
    for (std::size_t i = 0; i < n.properties.size(); ++i) {
      if (n.properties[i].node != nodes_[c_.properties[i].node] ||
          n.properties[i].name != c_.properties[i].name)
        return false;
    }
    return true;
  }

  static bool same_texts(const std::vector<std::string>& owned, const Value* borrowed) {
    if (owned.size() != (borrowed != nullptr ? borrowed->size() : 0)) return false;
    for (std::size_t i = 0; i < owned.size(); ++i) {
      if (owned[i] != borrowed->items()[i].as_string()) return false;
    }
    return true;
  }

  bool same_bounds(const Node& n) const {
    return n.min_items == c_.facts.min_items && n.max_items == c_.facts.max_items &&
           n.min_properties == c_.facts.min_properties &&
           n.max_properties == c_.facts.max_properties;
  }

  bool same_number(const Node& n) const {
    return c_.has_number ? n.number && *n.number == c_.number : !n.number;
  }

  bool same_text(const Node& n) const {
    if (!c_.has_text || !n.text) return !c_.has_text && !n.text;
    return n.text->min_length == c_.min_length && n.text->max_length == c_.max_length &&
           (n.text->pattern ? n.text->pattern->text() == c_.pattern : c_.pattern.empty());
  }

  bool same_branches(const std::vector<NodePtr>& owned, const std::vector<NodeId>& ids) const {
    if (owned.size() != ids.size()) return false;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (owned[i] != nodes_[ids[i]]) return false;
    }
    return true;
  }

  bool same_composition(const Node& n) const {
    if (!c_.has_composition || !n.composition) return !c_.has_composition && !n.composition;
    return same_branches(n.composition->all_of, c_.all_of) &&
           same_branches(n.composition->any_of, c_.any_of) &&
           same_branches(n.composition->one_of, c_.one_of) &&
           same_node(n.composition->negated, c_.negated);
  }

  bool same_rules(const Node& n) const {
    if (n.rules.size() != (c_.rules != nullptr ? c_.rules->size() : 0)) return false;
    for (std::size_t i = 0; i < n.rules.size(); ++i) {
      if (!is_rule(n.rules[i], c_.rules->items()[i])) return false;
    }
    return true;
  }

  static bool same_value(const std::unique_ptr<const value::Document>& owned,
                         const Value* borrowed) {
    if (!owned || borrowed == nullptr) return !owned && borrowed == nullptr;
    return value::identical(owned->root(), *borrowed);
  }

  static std::unique_ptr<const value::Document> own(const Value* v) {
    if (v == nullptr) return nullptr;
    auto document = std::make_unique<value::Document>();
    document->root() = value::deep_copy(*v, document->arena());
    return document;
  }

  static void copy_texts(const Value* from, std::vector<std::string>& to) {
    if (from == nullptr) return;
    to.reserve(from->size());
    for (const Value& text : from->items()) to.emplace_back(text.as_string());
  }

  std::unique_ptr<const Composition> make_composition() const {
    auto out = std::make_unique<Composition>();
    const auto copy = [&](const std::vector<NodeId>& ids, std::vector<NodePtr>& to) {
      to.reserve(ids.size());
      for (const NodeId id : ids) to.push_back(nodes_[id]);
    };
    copy(c_.all_of, out->all_of);
    copy(c_.any_of, out->any_of);
    copy(c_.one_of, out->one_of);
    if (c_.negated != kNoNode) out->negated = nodes_[c_.negated];
    return out;
  }

  static std::optional<bool> optional_old_self(const Value& rule) {
    const Value* v = rule.find("optionalOldSelf");
    return v != nullptr ? std::optional(v->as_bool()) : std::nullopt;
  }

  static bool is_rule(const Rule& rule, const Value& v) {
    return rule.rule == text_of(v, "rule") && rule.message == text_of(v, "message") &&
           rule.message_expression == text_of(v, "messageExpression") &&
           rule.reason == text_of(v, "reason") && rule.field_path == text_of(v, "fieldPath") &&
           rule.optional_old_self == optional_old_self(v);
  }
  static Rule make_rule(const Value& v) {
    return {.rule = std::string(text_of(v, "rule")),
            .message = std::string(text_of(v, "message")),
            .message_expression = std::string(text_of(v, "messageExpression")),
            .reason = std::string(text_of(v, "reason")),
            .field_path = std::string(text_of(v, "fieldPath")),
            .optional_old_self = optional_old_self(v)};
  }

  const Candidate& c_;
  const std::vector<NodePtr>& nodes_;
};

// What a node takes by itself. The blocks behind its pointers are counted, its children are not.
std::size_t bytes_of(const Node& n) {
  auto text = [](const std::string& s) { return s.capacity() > 15 ? s.capacity() + 1 : 0; };
  std::size_t bytes = sizeof(Node) + 96;  // with the reference counts and the table's entry
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

class Table;
Table& table();

// A node of the table, which it leaves as it goes.
struct Kept final : Node {
  explicit Kept(std::uint64_t h) : hash(h) {}
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept();
  std::uint64_t hash;
  std::size_t bytes = 0;
};

// Entries are weak: the table owns no node. `raw` outlives the weak reference for the short time in
// which a node is being destroyed, so that release() finds the entry by address.
// Sharded, so that threads compiling different CRDs seldom wait for each other.
class Table {
 public:
  NodePtr intern(const Proposal& proposal, std::uint64_t hash) {
    Shard& shard = shard_of(hash);
    const std::lock_guard lock(shard.mu);
    if (shard.used * 2 >= shard.slots.size()) grow(shard);
    std::size_t at = home(shard, hash);
    for (; shard.slots[at].raw != nullptr; at = next(shard, at)) {
      if (shard.slots[at].hash != hash) continue;
      // A node whose last user is just letting go cannot be revived; its entry goes when that user
      // gets the lock.
      if (NodePtr alive = shard.slots[at].weak.lock(); alive && proposal.is(*alive)) return alive;
    }
    auto made = std::make_shared<Kept>(hash);
    proposal.fill(made.get());
    made->bytes = bytes_of(*made);
    shard.slots[at] = {hash, made.get(), made};
    ++shard.used;
    nodes_.fetch_add(1, std::memory_order_relaxed);
    bytes_.fetch_add(made->bytes, std::memory_order_relaxed);
    return made;
  }

  void release(const Kept& node) {
    nodes_.fetch_sub(1, std::memory_order_relaxed);
    bytes_.fetch_sub(node.bytes, std::memory_order_relaxed);
    Shard& shard = shard_of(node.hash);
    const std::lock_guard lock(shard.mu);
    std::size_t hole = home(shard, node.hash);
    while (shard.slots[hole].raw != &node) hole = next(shard, hole);
    // Removal by backward shift instead of tombstones: the table lives as long as the process and
    // sees CRDs come and go, and tombstones would slow every probe.
    // Those behind move up, unless they would stand before their home.
    for (std::size_t at = next(shard, hole); shard.slots[at].raw != nullptr; at = next(shard, at)) {
      const std::size_t mask = shard.slots.size() - 1;
      const std::size_t from_home = (at - home(shard, shard.slots[at].hash)) & mask;
      if (from_home < ((at - hole) & mask)) continue;
      shard.slots[hole] = std::move(shard.slots[at]);
      hole = at;
    }
    shard.slots[hole] = {};
    --shard.used;
  }

  void count_requests(std::size_t count) { requested_.fetch_add(count, std::memory_order_relaxed); }
  InternStats stats() const { return {.nodes = nodes_, .requested = requested_, .bytes = bytes_}; }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    const Node* raw = nullptr;  // null in an empty slot
    std::weak_ptr<const Node> weak;
  };
  struct Shard {
    std::mutex mu;
    std::vector<Slot> slots = std::vector<Slot>(64);  // a power of two of them; guarded by mu
    std::size_t used = 0;                             // guarded by mu
  };
  static constexpr std::size_t kShardBits = 4;

  Shard& shard_of(std::uint64_t hash) { return shards_[hash >> (64 - kShardBits)]; }
  static std::size_t home(const Shard& shard, std::uint64_t hash) {
    return hash & (shard.slots.size() - 1);
  }
  static std::size_t next(const Shard& shard, std::size_t at) {
    return (at + 1) & (shard.slots.size() - 1);
  }
  static void grow(Shard& shard) {
    std::vector<Slot> old = std::exchange(shard.slots, std::vector<Slot>(shard.slots.size() * 2));
    for (Slot& slot : old) {
      if (slot.raw == nullptr) continue;
      std::size_t at = home(shard, slot.hash);
      while (shard.slots[at].raw != nullptr) at = next(shard, at);
      shard.slots[at] = std::move(slot);
    }
  }

  std::array<Shard, std::size_t{1} << kShardBits> shards_;
  std::atomic<std::size_t> nodes_ = 0;
  std::atomic<std::size_t> requested_ = 0;
  std::atomic<std::size_t> bytes_ = 0;
};

// Never destroyed: nodes may be let go of while the process ends.
Table& table() {
  static Table& one = *new Table;
  return one;
}

// Children are let go of afterwards, without the lock.
Kept::~Kept() { table().release(*this); }

}  // namespace

void Candidate::clear() {
  static_cast<CandidateParts&>(*this) = CandidateParts();
  properties.clear();
  all_of.clear();
  any_of.clear();
  one_of.clear();
}

Interner::Interner() : slots_(kFirstSlots) {}

Interner::~Interner() { table().count_requests(requested_); }

NodeId Interner::intern(const Candidate& candidate) {
  ++requested_;
  if (has_parts(candidate)) return intern_any(candidate);
  const std::uint64_t flags = flags_of(candidate.facts);
  for (const Plain& known : plain_) {
    if (known.flags == flags && known.format_text == candidate.format_text) return known.node;
  }
  const NodeId made = intern_any(candidate);
  plain_.push_back({flags, nodes_[made]->format_text, made});
  return made;
}

NodeId Interner::intern_any(const Candidate& candidate) {
  const Proposal proposal(candidate, nodes_);
  const std::uint64_t hash = proposal.hash();
  std::size_t at = hash & (slots_.size() - 1);
  for (; slots_[at].node != kNoNode; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].hash == hash && proposal.is(*nodes_[slots_[at].node])) return slots_[at].node;
  }
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back(table().intern(proposal, hash));
  slots_[at] = {hash, id};
  if (nodes_.size() * 2 > slots_.size()) grow();
  return id;
}

void Interner::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  for (const Slot& slot : old) {
    if (slot.node == kNoNode) continue;
    std::size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].node != kNoNode) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

InternStats intern_stats() { return table().stats(); }

}  // namespace strake::schema
