#pragma once
// The process-wide table that makes equal nodes one. A node leaves the table when its last user
// lets go of it. Most nodes that are compiled are known already, so they are proposed as candidates
// that borrow all they can from the schema document, and are copied only when they turn out to be
// new.
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "schema/node.h"

namespace strake::schema {

// A node that an Interner has given out.
using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

struct CandidateProperty {
  std::string_view name;
  NodeId node;
};

struct CandidateParts {
  NodeFacts facts;
  bool has_number = false;
  bool has_text = false;
  bool has_composition = false;
  NumberRules number;
  std::optional<std::int64_t> min_length;
  std::optional<std::int64_t> max_length;
  std::string_view pattern;
  std::string_view format_text;
  NodeId additional_schema = kNoNode;
  NodeId items = kNoNode;
  NodeId negated = kNoNode;
  // Lists of the schema document, of the right types and not empty; null when there are none.
  const value::Value* required = nullptr;
  const value::Value* map_keys = nullptr;
  const value::Value* rules = nullptr;
  const value::Value* enumeration = nullptr;
  const value::Value* default_value = nullptr;
};

struct Candidate : CandidateParts {
  std::vector<CandidateProperty> properties;  // sorted by name
  std::vector<NodeId> all_of;
  std::vector<NodeId> any_of;
  std::vector<NodeId> one_of;

  // Keeps the memory for the next candidate.
  void clear();
};

// Interns the nodes of one schema, children first, and keeps them alive meanwhile: what repeats
// inside the schema is found without asking the table that all threads share. One thread.
class Interner {
 public:
  Interner();
  ~Interner();
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;

  // The node equal to this one.
  NodeId intern(const Candidate& candidate);
  const NodePtr& node(NodeId id) const { return nodes_[id]; }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    NodeId node = kNoNode;
  };
  // A node that is a few flags and no more: half of all are, and of a dozen kinds.
  struct Plain {
    std::uint64_t flags;
    std::string_view format_text;  // of the node
    NodeId node;
  };
  NodeId intern_any(const Candidate& candidate);
  void grow();

  std::vector<NodePtr> nodes_;
  std::vector<Plain> plain_;
  std::vector<Slot> slots_;  // a power of two of them, at most half in use
  std::size_t requested_ = 0;
};

}  // namespace strake::schema
