// Variables, fields and indexes.
#include <fmt/format.h>

#include <cmath>

#include "cel/eval/plan.h"
#include "cel/value/containers.h"
#include "cel/value/format_value.h"

namespace strake::cel {
namespace {

Value missing_key(std::string_view name, Frame& frame) {
  return frame.error(fmt::format("no such key: {}", name));
}

const value::Value* find_member(const Value& object, const SelectNode& node) {
  const DocumentField* field =
      // The planner has looked the field up in the shape that the checker found. A value of another
      // shape, as dyn allows, is looked up by name.
      object.shape() == node.shape ? node.field : object.shape()->find_field(node.name);
  if (field == nullptr) return nullptr;
  const value::Value* member = object.node()->find(field->key);
  return member != nullptr && !member->is_null() ? member : nullptr;
}

// The field when it is there; nothing when it is not; an error value when the operand has no
// fields.
std::optional<Value> find_field(const Value& operand, const SelectNode& node, Frame& frame) {
  switch (operand.kind()) {
    case Kind::kMap: return map_find(operand, Value::string(node.name), frame.arena());
    case Kind::kObject:
      if (operand.node() != nullptr) {
        const value::Value* member = find_member(operand, node);
        if (member == nullptr) return std::nullopt;
        const DocumentField* field =
            operand.shape() == node.shape ? node.field : operand.shape()->find_field(node.name);
        return Value::from_node(*member, field->shape, frame.arena());
      } else {
        const Value present = operand.as_object()->has_field(node.name, frame.arena());
        if (present.is_error()) return present;
        if (present.is_false()) return std::nullopt;
        return operand.as_object()->get_field(node.name, frame.arena());
      }
    case Kind::kError: return operand;
    case Kind::kList: return frame.error("unsupported index type 'string' in list");
    default: return missing_key(node.name, frame);
  }
}

bool has_parts(const Value& v) {
  return v.is(Kind::kMap) || v.is(Kind::kObject) || v.is(Kind::kList) || v.is(Kind::kOptional) ||
         v.is_error();
}

Value wrap(const std::optional<Value>& found, Frame& frame) {
  if (!found) return Value::none();
  return found->is_error() ? *found : Value::some(*found, frame.arena());
}

// Looking for what is not there is not charged.
Value charged_wrap(const std::optional<Value>& found, Frame& frame) {
  if (!found) return Value::none();
  frame.charge(1);
  if (frame.aborted) [[unlikely]]
    return frame.abort_value();
  return wrap(found, frame);
}

std::optional<std::int64_t> as_list_index(const Value& index) {
  switch (index.kind()) {
    case Kind::kInt: return index.as_int();
    case Kind::kUint:
      if (index.as_uint() > INT64_MAX) return INT64_MAX;
      return index.as_int();
    case Kind::kDouble: {
      const double d = index.as_double();
      if (std::trunc(d) != d || std::abs(d) > 9e18) return std::nullopt;
      return static_cast<std::int64_t>(d);
    }
    default: return std::nullopt;
  }
}

// Like find_field. A list index out of range is an absence too.
std::optional<Value> find_index(const Value& operand, const Value& index, Frame& frame) {
  switch (operand.kind()) {
    case Kind::kList: {
      const std::optional<std::int64_t> i = as_list_index(index);
      if (!i) {
        return frame.error(fmt::format("unsupported index type '{}' in list", type_name(index)));
      }
      if (*i < 0 || static_cast<std::uint64_t>(*i) >= list_size(operand)) return std::nullopt;
      return list_at(operand, static_cast<std::uint64_t>(*i), frame.arena());
    }
    case Kind::kMap:
      if (!is_map_key(index) && !index.is(Kind::kDouble)) {
        return frame.error("no such overload");
      }
      return map_find(operand, index, frame.arena());
    case Kind::kObject:
      if (index.is(Kind::kString)) {
        SelectNode node;
        node.name = index.as_text();
        return find_field(operand, node, frame);
      }
      [[fallthrough]];
    default: return missing_key(to_text(index, frame.arena()), frame);
  }
}

Value absent_index(const Value& operand, const Value& index, Frame& frame) {
  if (operand.is(Kind::kList)) {
    return frame.error(fmt::format("index out of bounds: {}", to_text(index, frame.arena())));
  }
  return missing_key(to_text(index, frame.arena()), frame);
}

}  // namespace

Value eval::constant(const PlanNode& self, Frame&) {
  return static_cast<const ConstantNode&>(self).value;
}

Value eval::fault(const PlanNode& self, Frame& frame) {
  return frame.error(static_cast<const FaultNode&>(self).message);
}

Value eval::variable(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const VariableNode&>(self);
  if (!node.free) frame.charge(1);
  if (frame.aborted) [[unlikely]]
    return frame.abort_value();
  if (node.index < frame.variables.size()) [[likely]]
    return frame.variables[node.index];
  return frame.error(fmt::format("no such attribute(s): {}", node.name));
}

Value eval::local(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const LocalNode&>(self);
  if (!node.free) frame.charge(1);
  if (frame.aborted) [[unlikely]]
    return frame.abort_value();
  return frame.locals[node.slot];
}

Value eval::select(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const SelectNode&>(self);
  const Value operand = node.operand->run(frame);
  if (operand.is_error()) return operand;
  frame.charge(1);
  if (frame.aborted) [[unlikely]]
    return frame.abort_value();
  if (operand.is(Kind::kObject)) [[likely]] {
    if (operand.node() != nullptr && operand.shape() == node.shape && node.field != nullptr) {
      const value::Value* member = operand.node()->find(node.field->key);
      if (member == nullptr || member->is_null()) return missing_key(node.name, frame);
      return Value::from_node(*member, node.field->shape, frame.arena());
    }
    // A message's unset field reads as its default.
    if (operand.as_object() != nullptr) {
      return operand.as_object()->get_field(node.name, frame.arena());
    }
  }
  if (operand.is(Kind::kOptional)) {
    if (operand.held() == nullptr) return operand;
    if (!node.strict && !has_parts(*operand.held())) return Value::none();
    return wrap(find_field(*operand.held(), node, frame), frame);
  }
  const std::optional<Value> found = find_field(operand, node, frame);
  return found ? *found : missing_key(node.name, frame);
}

// has() on an optional looks inside of it, and a null member of a document counts as absent.
Value eval::has(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const SelectNode&>(self);
  Value operand = node.operand->run(frame);
  if (operand.is(Kind::kOptional)) {
    if (operand.held() == nullptr) return Value::boolean(false);
    operand = *operand.held();
  }
  if (operand.is(Kind::kObject) && operand.node() != nullptr) {
    return Value::boolean(find_member(operand, node) != nullptr);
  }
  if (operand.is(Kind::kObject)) return operand.as_object()->has_field(node.name, frame.arena());
  if (!node.strict && !has_parts(operand)) return Value::boolean(false);
  const std::optional<Value> found = find_field(operand, node, frame);
  if (found && found->is_error() && !operand.is(Kind::kMap)) return *found;
  return Value::boolean(found.has_value());
}

Value eval::optional_select(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const SelectNode&>(self);
  Value operand = node.operand->run(frame);
  if (operand.is_error()) return operand;
  if (operand.is(Kind::kOptional)) {
    if (operand.held() == nullptr) return operand;
    operand = *operand.held();
  }
  if (!node.strict && !has_parts(operand)) return Value::none();
  return charged_wrap(find_field(operand, node, frame), frame);
}

Value eval::index(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const IndexNode&>(self);
  const Value operand = node.operand->run(frame);
  if (operand.is_error()) return operand;
  const Value index = node.index->run(frame);
  if (index.is_error()) return index;
  frame.charge(1);
  if (frame.aborted) [[unlikely]]
    return frame.abort_value();
  if (operand.is(Kind::kOptional)) {
    if (operand.held() == nullptr) return operand;
    if (!node.strict && !has_parts(*operand.held())) return Value::none();
    return wrap(find_index(*operand.held(), index, frame), frame);
  }
  const std::optional<Value> found = find_index(operand, index, frame);
  return found ? *found : absent_index(operand, index, frame);
}

Value eval::optional_index(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const IndexNode&>(self);
  Value operand = node.operand->run(frame);
  if (operand.is_error()) return operand;
  const Value index = node.index->run(frame);
  if (index.is_error()) return index;
  if (operand.is(Kind::kOptional)) {
    if (operand.held() == nullptr) return operand;
    operand = *operand.held();
  }
  if (!node.strict && !has_parts(operand)) return Value::none();
  return charged_wrap(find_index(operand, index, frame), frame);
}

}  // namespace strake::cel
