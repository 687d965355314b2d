#include "cel/eval/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cel/eval/plan.h"
#include "cel/syntax/operators.h"
#include "cel/value/containers.h"

// From the tree to nodes with a function pointer each: names become indexes and slots, overloads
// that checking has settled are called without a lookup, constants are folded, and regular
// expressions are compiled (prepare). What is wrong becomes a FaultNode, since it must not fail
// before it is reached.
//
// Folding is visible in the cost of an evaluation: what is folded costs nothing later. So exactly
// those calls and literals are folded that cel-go folds; a cleverer planner would count other
// costs.

namespace strake::cel {
namespace {

// Calls of these with constants are made while planning, and so cost nothing later.
constexpr std::array<std::string_view, 10> kConversions = {
    "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"};

const Expr* root_of_chain(const Expr* e) {
  while (e->kind == ExprKind::kSelect && !e->test_only) e = e->target;
  return e->kind == ExprKind::kIdent ? e : nullptr;
}

std::string chain_name(const Expr* e) {
  if (e->kind == ExprKind::kIdent) return std::string(e->name);
  return chain_name(e->target) + "." + std::string(e->name);
}

class Planner {
 public:
  Planner(const Scope& scope, const PlanOptions& options, bool checked)
      : scope_(scope), options_(options), checked_(checked) {}

  Program run(const Expr* root) {
    plan_->root = plan(root);
    plan_->locals = max_locals_;
    return Program(std::move(plan_));
  }

 private:
  template <typename T>
  T* make(const Expr* e, PlanNode::Eval eval) {
    T* node = new (arena().allocate(sizeof(T))) T();
    node->eval = eval;
    node->id = e->id;
    return node;
  }
  Arena& arena() { return plan_->arena; }

  const PlanNode* plan(const Expr* e) {
    // Observers are woven into the plan, so that programs without one pay nothing for the
    // possibility.
    const PlanNode* node = plan_bare(e);
    if (!options_.observable) return node;
    auto* observed = make<ObserveNode>(e, eval::observe);
    observed->observed = node;
    return observed;
  }

  const PlanNode* plan_bare(const Expr* e) {
    switch (e->kind) {
      case ExprKind::kLiteral: return constant(e, e->literal);
      case ExprKind::kIdent: return ident(e);
      case ExprKind::kSelect: return select(e);
      case ExprKind::kCall: return call(e);
      case ExprKind::kList: return list(e);
      case ExprKind::kMap: return map(e);
      case ExprKind::kStruct: return make_struct(e);
      case ExprKind::kComprehension: return comprehension(e);
      case ExprKind::kUnspecified: break;
    }
    return fault(e, "unspecified expression");
  }

  const PlanNode* fault(const Expr* e, std::string_view message) {
    auto* node = make<FaultNode>(e, eval::fault);
    node->message = arena().copy(message);
    return node;
  }

  // The text of a literal lives in the tree, which may go.
  const PlanNode* constant(const Expr* e, Value value) {
    auto* node = make<ConstantNode>(e, eval::constant);
    if (value.is(Kind::kString)) value = Value::string(arena().copy(value.as_text()));
    if (value.is(Kind::kBytes)) value = Value::bytes(arena().copy(value.as_text()));
    node->value = value;
    return node;
  }

  // Null when nothing of that full name is known.
  const PlanNode* named(const Expr* e, std::string_view full) {
    for (std::size_t i = 0; i < scope_.variables.size(); ++i) {
      if (scope_.variables[i].name != full) continue;
      auto* node = make<VariableNode>(e, eval::variable);
      node->index = static_cast<std::uint32_t>(i);
      node->free = e == free_;
      node->name = arena().copy(full);
      return node;
    }
    if (const Constant* c = scope_.environment->find_constant(full)) return constant(e, c->value);
    if (scope_.types == nullptr) return nullptr;
    if (const auto number = scope_.types->find_enum(full)) {
      return constant(e, Value::integer(*number));
    }
    if (const Type* type = scope_.types->find_type(full)) return constant(e, Value::type(type));
    return nullptr;
  }

  const PlanNode* named_in_container(const Expr* e, std::string_view name) {
    for (const std::string& candidate : candidate_names(scope_.container, name)) {
      if (const PlanNode* node = named(e, candidate)) return node;
    }
    return nullptr;
  }

  std::optional<std::uint32_t> find_local(std::string_view name) const {
    for (std::size_t i = locals_.size(); i > 0; --i) {
      if (locals_[i - 1] == name) return static_cast<std::uint32_t>(i - 1);
    }
    return std::nullopt;
  }

  const PlanNode* ident(const Expr* e) {
    if (const auto slot = find_local(e->name)) {
      auto* node = make<LocalNode>(e, eval::local);
      node->slot = *slot;
      node->free = e == free_;
      return node;
    }
    const PlanNode* node =
        e->reference.name.empty() ? named_in_container(e, e->name) : named(e, e->reference.name);
    return node != nullptr ? node : fault(e, fmt::format("no such attribute(s): {}", e->name));
  }

  // Plans a branch of a condition, or an index. As in cel-go, the variable that such a part starts
  // from is not charged, the steps from it are.
  const PlanNode* plan_part(const Expr* e) {
    const Expr* root = e;
    for (;;) {
      if (root->kind == ExprKind::kSelect && !root->test_only) {
        root = root->target;
      } else if (root->kind == ExprKind::kCall && root->name == op::kIndex) {
        root = root->args[0];
      } else {
        break;
      }
    }
    const Expr* outer = std::exchange(free_, root->kind == ExprKind::kIdent ? root : nullptr);
    const PlanNode* node = plan(e);
    free_ = outer;
    return node;
  }

  const PlanNode* select(const Expr* e) {
    if (!e->reference.name.empty()) {
      if (const PlanNode* node = named(e, e->reference.name)) return node;
    }
    if (!checked_ && !e->test_only) {
      // Unchecked trees get the longest name that means something.
      const Expr* root = root_of_chain(e);
      if (root != nullptr && !find_local(root->name)) {
        if (const PlanNode* node = named_in_container(e, chain_name(e))) return node;
      }
    }
    return field(e, e->target, e->name, e->test_only ? eval::has : eval::select);
  }

  const PlanNode* field(const Expr* e, const Expr* operand, std::string_view name,
                        PlanNode::Eval eval) {
    auto* node = make<SelectNode>(e, eval);
    node->operand = plan(operand);
    node->name = arena().copy(name);
    node->strict = scope_.environment->options().error_on_bad_presence_test;
    const Type* type = operand->type;
    if (type != nullptr && type->is_optional()) type = type->params[0];
    if (type != nullptr && type->shape != nullptr) {
      node->shape = type->shape;
      node->field = type->shape->find_field(name);
    }
    return node;
  }

  const PlanNode* binary(const Expr* e, std::string_view function, PlanNode::Eval eval) {
    auto* node = make<BinaryNode>(e, eval);
    node->function = function;
    node->left = plan(e->args[0]);
    node->right = plan(e->args[1]);
    node->cost = cost_of(e);
    return node;
  }

  RuntimeCost cost_of(const Expr* e) const {
    // The cost depends on the overload. When several remain, which one runs is decided by the
    // arguments, and cel-go then charges by the function's name alone.
    const auto& overloads = e->reference.overloads;
    const Overload* only = overloads.size() == 1 ? overloads[0] : nullptr;
    if (options_.cost_of != nullptr) {
      const RuntimeCost replaced =
          options_.cost_of(e->name, only != nullptr ? only->id : std::string_view{});
      if (replaced != nullptr) return replaced;
    }
    return only != nullptr ? only->cost : nullptr;
  }

  const PlanNode* index(const Expr* e, PlanNode::Eval eval) {
    auto* node = make<IndexNode>(e, eval);
    node->operand = plan(e->args[0]);
    node->index = plan_part(e->args[1]);
    node->strict = scope_.environment->options().error_on_bad_presence_test;
    return node;
  }

  const PlanNode* call(const Expr* e) {
    if (e->target == nullptr) {
      if (const PlanNode* node = operator_call(e)) return node;
    } else if (e->args.size() == 1 && scope_.environment->find_function(e->name) != nullptr) {
      if (e->name == "or") return lazy(e, eval::optional_or);
      if (e->name == "orValue") return lazy(e, eval::optional_or_value);
    }
    return function_call(e);
  }

  const PlanNode* lazy(const Expr* e, PlanNode::Eval eval) {
    auto* node = make<BinaryNode>(e, eval);
    node->left = plan(e->target);
    node->right = plan(e->args[0]);
    return node;
  }

  const PlanNode* operator_call(const Expr* e) {
    struct BinaryOperator {
      std::string_view name;
      PlanNode::Eval eval;
    };
    static constexpr BinaryOperator kBinary[] = {
        {op::kAnd, eval::logical_and}, {op::kOr, eval::logical_or},
        {op::kEqual, eval::equals},    {op::kNotEqual, eval::not_equals},
        {op::kLess, eval::less},       {op::kLessEqual, eval::less_equal},
        {op::kGreater, eval::greater}, {op::kGreaterEqual, eval::greater_equal}};
    if (e->args.size() == 2) {
      for (const BinaryOperator& candidate : kBinary) {
        if (candidate.name == e->name) return binary(e, candidate.name, candidate.eval);
      }
      if (e->name == op::kIndex) return index(e, eval::index);
      if (e->name == op::kOptionalIndex) return index(e, eval::optional_index);
      if (e->name == op::kOptionalSelect) {
        return field(e, e->args[0], e->args[1]->literal.as_text(), eval::optional_select);
      }
    }
    if (e->name == op::kConditional && e->args.size() == 3) {
      auto* node = make<ConditionalNode>(e, eval::conditional);
      node->condition = plan(e->args[0]);
      node->yes = plan_part(e->args[1]);
      node->no = plan_part(e->args[2]);
      return node;
    }
    if (e->name == op::kNotStrictlyFalse && e->args.size() == 1) {
      auto* node = make<UnaryNode>(e, eval::not_strictly_false);
      node->operand = plan(e->args[0]);
      return node;
    }
    return nullptr;
  }

  // In an unchecked tree: the overloads by name and number of arguments.
  std::span<const Overload* const> candidates(const Expr* e, const FunctionDecl& function,
                                              bool member) {
    const std::size_t args = e->args.size() + (member ? 1 : 0);
    std::vector<const Overload*> out;
    for (const Overload* o : function.overloads) {
      if (o->member == member && o->params.size() == args) out.push_back(o);
    }
    return keep(std::span<const Overload* const>(out));
  }

  template <typename T>
  std::span<T> keep(std::span<T> items) {
    auto* copy = arena().allocate_array<std::remove_const_t<T>>(items.size());
    std::ranges::copy(items, copy);
    return {copy, items.size()};
  }

  const FunctionDecl* find_function(std::string_view name) const {
    for (const std::string& candidate : candidate_names(scope_.container, name)) {
      if (const FunctionDecl* f = scope_.environment->find_function(candidate)) return f;
    }
    return nullptr;
  }

  const PlanNode* function_call(const Expr* e) {
    auto* node = make<CallNode>(e, eval::call);
    const Expr* target = e->target;
    std::string_view name = e->name;
    if (!e->reference.overloads.empty()) {
      node->overloads = keep(e->reference.overloads);
    } else {
      const FunctionDecl* function = nullptr;
      if (target != nullptr && root_of_chain(target) != nullptr) {
        function = find_function(chain_name(target) + "." + std::string(e->name));
        if (function != nullptr) target = nullptr;
      }
      if (function == nullptr) function = find_function(e->name);
      if (function == nullptr) return fault(e, fmt::format("unbound function: {}", e->name));
      name = function->name;
      node->overloads = candidates(e, *function, target != nullptr);
    }
    node->function = arena().copy(name);
    std::vector<const PlanNode*> args;
    if (target != nullptr) args.push_back(plan(target));
    for (const Expr* arg : e->args) args.push_back(plan(arg));
    node->args = keep(std::span<const PlanNode* const>(args));
    node->cost = cost_of(e);
    // Membership of a list of constants is looked up, which cel-go does not charge.
    if (options_.cost_of != nullptr && name == op::kIn && is_constant(args[1])) {
      node->cost = [](std::span<const Value>, const Value&) -> std::uint64_t { return 0; };
    }
    node->lenient = std::ranges::any_of(node->overloads, &Overload::lenient);
    prepare(*node);
    const bool conversion = target == nullptr && args.size() == 1 && is_constant(args[0]) &&
                            std::ranges::find(kConversions, name) != kConversions.end();
    return conversion ? folded(e, node) : node;
  }

  void prepare(CallNode& node) {
    if (node.overloads.size() != 1 || node.overloads[0]->prepare == nullptr) return;
    std::vector<const Value*> constants;
    for (const PlanNode* arg : node.args) {
      constants.push_back(is_constant(arg) ? &static_cast<const ConstantNode*>(arg)->value
                                           : nullptr);
    }
    if (auto prepared = node.overloads[0]->prepare(constants)) {
      node.prepared = prepared.get();
      plan_->prepared.push_back(std::move(prepared));
    }
  }

  static bool is_constant(const PlanNode* node) { return node->eval == eval::constant; }

  // Runs the node now; keeps it as it is when that fails, so that the error shows when it runs.
  const PlanNode* folded(const Expr* e, const PlanNode* node) {
    Frame frame{.context = {arena()}};
    const Value value = node->run(frame);
    if (value.is_error()) return node;
    auto* constant = make<ConstantNode>(e, eval::constant);
    constant->value = value;
    return constant;
  }

  const PlanNode* list(const Expr* e) {
    auto* node = make<ListNode>(e, eval::list);
    std::vector<const PlanNode*> items;
    for (const Expr* item : e->args) items.push_back(plan(item));
    node->items = keep(std::span<const PlanNode* const>(items));
    if (!e->optional_items.empty()) {
      node->optional = keep(e->optional_items);
      return node;
    }
    return std::ranges::all_of(items, is_constant) ? folded(e, node) : node;
  }

  const PlanNode* map(const Expr* e) {
    auto* node = make<MapNode>(e, eval::map);
    std::vector<MapNode::Item> items;
    for (const Entry& entry : e->entries) {
      items.push_back({plan(entry.key), plan(entry.value), entry.optional});
    }
    node->items = keep(std::span<const MapNode::Item>(items));
    const bool constant = std::ranges::all_of(items, [](const MapNode::Item& item) {
      return is_constant(item.key) && is_constant(item.value) && !item.optional;
    });
    if (!constant) return node;
    const PlanNode* out = folded(e, node);
    // Shared by evaluations from now on, so none may append to it in place.
    if (is_constant(out)) {
      const Value& value = static_cast<const ConstantNode*>(out)->value;
      const_cast<MapStorage*>(value.map_storage())->capacity = value.storage_count();
    }
    return out;
  }

  const PlanNode* make_struct(const Expr* e) {
    std::string_view name = e->reference.name;
    std::string found;
    if (name.empty() && scope_.types != nullptr) {
      for (const std::string& candidate : candidate_names(scope_.container, e->name)) {
        if (scope_.types->find_type(candidate) == nullptr) continue;
        found = candidate;
        name = found;
        break;
      }
    }
    if (name.empty() || scope_.types == nullptr) {
      return fault(e, fmt::format("unknown type: {}", e->name));
    }
    auto* node = make<StructNode>(e, eval::make_struct);
    node->type_name = arena().copy(name);
    node->types = scope_.types;
    std::vector<StructNode::Item> items;
    for (const Entry& entry : e->entries) {
      items.push_back({arena().copy(entry.name), plan(entry.value), entry.optional});
    }
    node->items = keep(std::span<const StructNode::Item>(items));
    return node;
  }

  std::uint32_t push_local(std::string_view name) {
    locals_.push_back(name);
    max_locals_ = std::max(max_locals_, static_cast<std::uint32_t>(locals_.size()));
    return static_cast<std::uint32_t>(locals_.size() - 1);
  }

  const PlanNode* comprehension(const Expr* e) {
    const Comprehension& c = *e->comprehension;
    auto* node = make<FoldNode>(e, eval::fold);
    node->range = plan(c.range);
    node->init = plan(c.init);
    const std::size_t outer = locals_.size();
    node->accu_slot = push_local(c.accu_var);
    node->two_variables = !c.iter_var2.empty();
    node->iter_slot = push_local(c.iter_var);
    if (node->two_variables) node->iter2_slot = push_local(c.iter_var2);
    node->condition = plan(c.condition);
    node->step = plan(c.step);
    // The result sees the accumulator only.
    locals_.resize(node->accu_slot + 1);
    node->result = plan(c.result);
    locals_.resize(outer);
    // Over an empty list literal no step ever runs: cel.bind() expands to this, and so does
    // [].all(...).
    if (c.range->kind == ExprKind::kList && c.range->args.empty()) node->eval = eval::bind;
    return node;
  }

  const Scope& scope_;
  const PlanOptions& options_;
  bool checked_;
  std::shared_ptr<Program::Plan> plan_ = std::make_shared<Program::Plan>();
  std::vector<std::string_view> locals_;
  const Expr* free_ = nullptr;  // the identifier that is not charged
  std::uint32_t max_locals_ = 0;
};

}  // namespace

Program plan(const Ast& ast, const Scope& scope, const PlanOptions& options) {
  return Planner(scope, options, ast.checked).run(ast.root);
}

}  // namespace strake::cel
