// Operators that do not wait for all their operands, and comparisons.
#include "cel/eval/plan.h"

namespace strake::cel {
namespace {

// && when `decisive` is false, || when it is true: the decisive value wins over errors on either
// side.
Value logical(const BinaryNode& node, Frame& frame, bool decisive) {
  const Value left = node.left->run(frame);
  // CEL's logical operators are commutative in their errors: `error && false` is false. Only an
  // evaluation that was aborted is never decided by the other side, since its error must reach the
  // caller.
  if (left.is(Kind::kBool) && left.as_bool() == decisive) return left;
  if (frame.aborted) [[unlikely]]
    return left;
  const Value right = node.right->run(frame);
  if (right.is(Kind::kBool) && right.as_bool() == decisive && !frame.aborted) return right;
  if (left.is(Kind::kBool) && right.is(Kind::kBool)) return Value::boolean(!decisive);
  if (frame.aborted) [[unlikely]]
    return frame.abort_value();
  if (left.is_error()) return left;
  if (right.is_error()) return right;
  return frame.error("no such overload");
}

struct Operands {
  Value left;
  Value right;
};

Value charged(const BinaryNode& node, Frame& frame, const Operands& operands, const Value& result) {
  if (frame.cost != nullptr) [[unlikely]] {
    const Value args[] = {operands.left, operands.right};
    frame.charge(node.cost != nullptr ? node.cost(args, result) : 1);
    if (frame.aborted) return frame.abort_value();
  }
  return result;
}

// Evaluates both; false when the result is the error put into `left`, which is charged as a result
// is.
bool both(const BinaryNode& node, Frame& frame, Operands& out) {
  out.left = node.left->run(frame);
  out.right = node.right->run(frame);
  if (!out.left.is_error() && !out.right.is_error()) return true;
  const Value error = out.left.is_error() ? out.left : out.right;
  out.left = frame.aborted ? error : charged(node, frame, out, error);
  return false;
}

template <typename Accept>
Value ordered(const PlanNode& self, Frame& frame, Accept accept) {
  const auto& node = static_cast<const BinaryNode&>(self);
  Operands o;
  if (!both(node, frame, o)) return o.left;
  if (o.left.is(Kind::kInt) && o.right.is(Kind::kInt)) {
    const std::int64_t a = o.left.as_int();
    const std::int64_t b = o.right.as_int();
    return charged(node, frame, o, Value::boolean(accept(a < b ? -1 : (a > b ? 1 : 0))));
  }
  const std::optional<int> order = compare(o.left, o.right);
  if (order) return charged(node, frame, o, Value::boolean(accept(*order)));
  // The message depends on whether the left type has an order at all, as cel-go's does.
  if (!comparable(o.left, o.left)) {
    return frame.error("no such overload: " + std::string(node.function));
  }
  if (!comparable(o.left, o.right)) return frame.error("no such overload");
  return charged(node, frame, o, frame.error("NaN values cannot be ordered"));
}

}  // namespace

Value eval::logical_and(const PlanNode& self, Frame& frame) {
  return logical(static_cast<const BinaryNode&>(self), frame, false);
}

Value eval::logical_or(const PlanNode& self, Frame& frame) {
  return logical(static_cast<const BinaryNode&>(self), frame, true);
}

Value eval::conditional(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const ConditionalNode&>(self);
  const Value condition = node.condition->run(frame);
  if (condition.is_true()) return node.yes->run(frame);
  if (condition.is_false()) return node.no->run(frame);
  return condition.is_error() ? condition : frame.error("no such overload");
}

Value eval::not_strictly_false(const PlanNode& self, Frame& frame) {
  const Value operand = static_cast<const UnaryNode&>(self).operand->run(frame);
  frame.charge(1);
  return Value::boolean(!operand.is_false());
}

// The right side runs only when the left side is empty.
Value eval::optional_or(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const BinaryNode&>(self);
  const Value left = node.left->run(frame);
  if (left.is_error()) return left;
  if (!left.is(Kind::kOptional)) return frame.error("no such overload");
  return left.held() != nullptr ? left : node.right->run(frame);
}

Value eval::optional_or_value(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const BinaryNode&>(self);
  const Value left = node.left->run(frame);
  if (left.is_error()) return left;
  if (!left.is(Kind::kOptional)) return frame.error("no such overload");
  return left.held() != nullptr ? *left.held() : node.right->run(frame);
}

Value eval::equals(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const BinaryNode&>(self);
  Operands o;
  if (!both(node, frame, o)) return o.left;
  return charged(node, frame, o, Value::boolean(equal(o.left, o.right, frame.arena())));
}

Value eval::not_equals(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const BinaryNode&>(self);
  Operands o;
  if (!both(node, frame, o)) return o.left;
  return charged(node, frame, o, Value::boolean(!equal(o.left, o.right, frame.arena())));
}

Value eval::less(const PlanNode& self, Frame& frame) {
  return ordered(self, frame, [](int order) { return order < 0; });
}
Value eval::less_equal(const PlanNode& self, Frame& frame) {
  return ordered(self, frame, [](int order) { return order <= 0; });
}
Value eval::greater(const PlanNode& self, Frame& frame) {
  return ordered(self, frame, [](int order) { return order > 0; });
}
Value eval::greater_equal(const PlanNode& self, Frame& frame) {
  return ordered(self, frame, [](int order) { return order >= 0; });
}

}  // namespace strake::cel
