#pragma once
// Inside a Program: a tree of nodes, each with the function that evaluates it. Nodes and constants
// lie in the plan's arena.
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cel/env/env.h"
#include "cel/env/function.h"
#include "cel/eval/program.h"
#include "cel/value/value.h"

namespace strake::cel {

// One evaluation under way.
struct Frame {
  EvalContext context;
  std::span<const Value> variables;
  Value* locals = nullptr;
  CostTracker* cost = nullptr;
  Observer* observer = nullptr;
  bool aborted = false;  // past the cost limit or interrupted: nothing may absorb the error

  Arena& arena() { return context.arena; }
  Value error(std::string_view message) { return Value::error(message, context.arena); }
  void charge(std::uint64_t cost_units) {
    if (cost != nullptr) [[unlikely]] {
      const std::uint64_t total = cost->total + cost_units;
      cost->total = total < cost_units ? UINT64_MAX : total;
      cost->step();
      aborted = cost->exceeded();
    }
  }
  // What a node returns once it was aborted.
  Value abort_value() { return error(cost->interrupted ? kInterrupted : kCostLimitExceeded); }
};

struct Node {
  using Eval = Value (*)(const Node& self, Frame& frame);
  Eval eval = nullptr;
  std::uint32_t id = 0;

  Value run(Frame& frame) const { return eval(*this, frame); }
};

struct ConstantNode : Node {
  Value value;
};

// A fault known when planning that shows only when this part runs.
struct FaultNode : Node {
  std::string_view message;
};

struct VariableNode : Node {
  std::uint32_t index = 0;
  bool free = false;  // looking it up costs nothing here
  std::string_view name;
};

struct LocalNode : Node {
  std::uint32_t slot = 0;
  bool free = false;
};

struct SelectNode : Node {
  const Node* operand = nullptr;
  std::string_view name;
  const Shape* shape = nullptr;       // the object's declared shape, when known
  const ShapeField* field = nullptr;  // the field in it
  bool strict = true;                 // looking for a field where none can be is an error
};

struct IndexNode : Node {
  const Node* operand = nullptr;
  const Node* index = nullptr;
  bool strict = true;
};

struct BinaryNode : Node {
  std::string_view function;
  const Node* left = nullptr;
  const Node* right = nullptr;
  RuntimeCost cost = nullptr;
};

struct ConditionalNode : Node {
  const Node* condition = nullptr;
  const Node* yes = nullptr;
  const Node* no = nullptr;
};

struct UnaryNode : Node {
  const Node* operand = nullptr;
};

struct CallNode : Node {
  std::string_view function;
  std::span<const Node* const> args;  // the receiver first
  std::span<const Overload* const> overloads;
  RuntimeCost cost = nullptr;
  const Prepared* prepared = nullptr;
  bool lenient = false;
};

struct ListNode : Node {
  std::span<const Node* const> items;
  std::span<const bool> optional;  // empty when none is
};

struct MapNode : Node {
  struct Item {
    const Node* key;
    const Node* value;
    bool optional;
  };
  std::span<const Item> items;
};

struct StructNode : Node {
  struct Item {
    std::string_view name;
    const Node* value;
    bool optional;
  };
  std::string_view type_name;
  const TypeProvider* types = nullptr;
  std::span<const Item> items;
};

struct FoldNode : Node {
  const Node* range = nullptr;
  const Node* init = nullptr;
  const Node* condition = nullptr;
  const Node* step = nullptr;
  const Node* result = nullptr;
  std::uint32_t accu_slot = 0;
  std::uint32_t iter_slot = 0;
  std::uint32_t iter2_slot = 0;
  bool two_variables = false;
};

struct ObserveNode : Node {
  const Node* observed = nullptr;
};

struct Program::Plan {
  Arena arena;
  const Node* root = nullptr;
  std::uint32_t locals = 0;
  std::vector<std::unique_ptr<Prepared>> prepared;
};

// How each kind of node is evaluated.
namespace eval {
Value constant(const Node& self, Frame& frame);
Value fault(const Node& self, Frame& frame);
Value variable(const Node& self, Frame& frame);
Value local(const Node& self, Frame& frame);
Value select(const Node& self, Frame& frame);
Value has(const Node& self, Frame& frame);
Value optional_select(const Node& self, Frame& frame);
Value index(const Node& self, Frame& frame);
Value optional_index(const Node& self, Frame& frame);
Value logical_and(const Node& self, Frame& frame);
Value logical_or(const Node& self, Frame& frame);
Value conditional(const Node& self, Frame& frame);
Value not_strictly_false(const Node& self, Frame& frame);
Value equals(const Node& self, Frame& frame);
Value not_equals(const Node& self, Frame& frame);
Value less(const Node& self, Frame& frame);
Value less_equal(const Node& self, Frame& frame);
Value greater(const Node& self, Frame& frame);
Value greater_equal(const Node& self, Frame& frame);
Value optional_or(const Node& self, Frame& frame);
Value optional_or_value(const Node& self, Frame& frame);
Value call(const Node& self, Frame& frame);
Value list(const Node& self, Frame& frame);
Value map(const Node& self, Frame& frame);
Value make_struct(const Node& self, Frame& frame);
Value fold(const Node& self, Frame& frame);
Value bind(const Node& self, Frame& frame);
Value observe(const Node& self, Frame& frame);
}  // namespace eval

}  // namespace strake::cel
