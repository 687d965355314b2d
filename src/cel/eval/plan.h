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

struct PlanNode {
  using Eval = Value (*)(const PlanNode& self, Frame& frame);
  Eval eval = nullptr;
  std::uint32_t id = 0;

  Value run(Frame& frame) const { return eval(*this, frame); }
};

struct ConstantNode : PlanNode {
  Value value;
};

// A fault known when planning that shows only when this part runs.
struct FaultNode : PlanNode {
  std::string_view message;
};

struct VariableNode : PlanNode {
  std::uint32_t index = 0;
  bool free = false;  // looking it up costs nothing here
  std::string_view name;
};

struct LocalNode : PlanNode {
  std::uint32_t slot = 0;
  bool free = false;
};

struct SelectNode : PlanNode {
  const PlanNode* operand = nullptr;
  std::string_view name;
  const DocumentShape* shape = nullptr;  // the object's declared shape, when known
  const DocumentField* field = nullptr;  // the field in it
  bool strict = true;                    // looking for a field where none can be is an error
};

struct IndexNode : PlanNode {
  const PlanNode* operand = nullptr;
  const PlanNode* index = nullptr;
  bool strict = true;
};

struct BinaryNode : PlanNode {
  std::string_view function;
  const PlanNode* left = nullptr;
  const PlanNode* right = nullptr;
  RuntimeCost cost = nullptr;
};

struct ConditionalNode : PlanNode {
  const PlanNode* condition = nullptr;
  const PlanNode* yes = nullptr;
  const PlanNode* no = nullptr;
};

struct UnaryNode : PlanNode {
  const PlanNode* operand = nullptr;
};

struct CallNode : PlanNode {
  std::string_view function;
  std::span<const PlanNode* const> args;  // the receiver first
  std::span<const Overload* const> overloads;
  RuntimeCost cost = nullptr;
  const Prepared* prepared = nullptr;
  bool lenient = false;
};

struct ListNode : PlanNode {
  std::span<const PlanNode* const> items;
  std::span<const bool> optional;  // empty when none is
};

struct MapNode : PlanNode {
  struct Item {
    const PlanNode* key;
    const PlanNode* value;
    bool optional;
  };
  std::span<const Item> items;
};

struct StructNode : PlanNode {
  struct Item {
    std::string_view name;
    const PlanNode* value;
    bool optional;
  };
  std::string_view type_name;
  const TypeProvider* types = nullptr;
  std::span<const Item> items;
};

struct FoldNode : PlanNode {
  const PlanNode* range = nullptr;
  const PlanNode* init = nullptr;
  const PlanNode* condition = nullptr;
  const PlanNode* step = nullptr;
  const PlanNode* result = nullptr;
  std::uint32_t accu_slot = 0;
  std::uint32_t iter_slot = 0;
  std::uint32_t iter2_slot = 0;
  bool two_variables = false;
};

struct ObserveNode : PlanNode {
  const PlanNode* observed = nullptr;
};

struct Program::Plan {
  Arena arena;
  const PlanNode* root = nullptr;
  std::uint32_t locals = 0;
  std::vector<std::unique_ptr<Prepared>> prepared;
};

// How each kind of node is evaluated.
namespace eval {
Value constant(const PlanNode& self, Frame& frame);
Value fault(const PlanNode& self, Frame& frame);
Value variable(const PlanNode& self, Frame& frame);
Value local(const PlanNode& self, Frame& frame);
Value select(const PlanNode& self, Frame& frame);
Value has(const PlanNode& self, Frame& frame);
Value optional_select(const PlanNode& self, Frame& frame);
Value index(const PlanNode& self, Frame& frame);
Value optional_index(const PlanNode& self, Frame& frame);
Value logical_and(const PlanNode& self, Frame& frame);
Value logical_or(const PlanNode& self, Frame& frame);
Value conditional(const PlanNode& self, Frame& frame);
Value not_strictly_false(const PlanNode& self, Frame& frame);
Value equals(const PlanNode& self, Frame& frame);
Value not_equals(const PlanNode& self, Frame& frame);
Value less(const PlanNode& self, Frame& frame);
Value less_equal(const PlanNode& self, Frame& frame);
Value greater(const PlanNode& self, Frame& frame);
Value greater_equal(const PlanNode& self, Frame& frame);
Value optional_or(const PlanNode& self, Frame& frame);
Value optional_or_value(const PlanNode& self, Frame& frame);
Value call(const PlanNode& self, Frame& frame);
Value list(const PlanNode& self, Frame& frame);
Value map(const PlanNode& self, Frame& frame);
Value make_struct(const PlanNode& self, Frame& frame);
Value fold(const PlanNode& self, Frame& frame);
Value bind(const PlanNode& self, Frame& frame);
Value observe(const PlanNode& self, Frame& frame);
}  // namespace eval

}  // namespace strake::cel
