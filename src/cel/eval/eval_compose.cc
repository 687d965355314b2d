// Calls, literals with parts, comprehensions.
#include <fmt/format.h>

#include <algorithm>

#include "cel/eval/plan.h"
#include "cel/syntax/operators.h"
#include "cel/value/containers.h"

// Errors are values: an argument that is an error becomes the result of the call, unless the
// function takes errors (lenient). An abort, by cost or interruption, is an error too, but nothing
// may absorb it: each node that charges looks at frame.aborted before it goes on.

namespace strake::cel {
namespace {

constexpr std::uint64_t kListCost = 10;
constexpr std::uint64_t kMapCost = 30;
constexpr std::uint64_t kStructCost = 40;
constexpr std::size_t kInlineArgs = 4;

using Kinds = std::uint32_t;
constexpr Kinds bit_of(Kind kind) { return Kinds{1} << static_cast<unsigned>(kind); }
constexpr Kinds kIntegers = bit_of(Kind::kInt) | bit_of(Kind::kUint);
constexpr Kinds kNumbers = kIntegers | bit_of(Kind::kDouble);
constexpr Kinds kTimes = bit_of(Kind::kTimestamp) | bit_of(Kind::kDuration);
constexpr Kinds kTexts = bit_of(Kind::kString) | bit_of(Kind::kBytes);

// The kinds that a function knows as its first operand at all; the message names the function for
// others.
struct FirstOperand {
  std::string_view function;
  Kinds kinds;
};
constexpr FirstOperand kFirstOperands[] = {
    {op::kAdd, kNumbers | kTimes | kTexts | bit_of(Kind::kList)},
    {op::kSubtract, kNumbers | kTimes},
    {op::kMultiply, kNumbers},
    {op::kDivide, kNumbers},
    {op::kModulo, kIntegers},
    {op::kNegate, bit_of(Kind::kInt) | bit_of(Kind::kDouble) | bit_of(Kind::kBool)},
    {"size", kTexts | bit_of(Kind::kList) | bit_of(Kind::kMap)},
};
constexpr std::string_view kConversionTargets[] = {"bool", "bytes",  "double",    "duration",
                                                   "int",  "string", "timestamp", "uint"};
constexpr std::string_view kBareFunctions[] = {op::kNot,     op::kIn,    "contains",
                                               "startsWith", "endsWith", "matches"};

// Worded as cel-go words it, which depends on the function.
Value no_overload(const CallNode& node, std::span<const Value> args, Frame& frame) {
  for (const FirstOperand& known : kFirstOperands) {
    if (known.function != node.function || args.empty()) continue;
    const bool fits = (known.kinds & bit_of(args[0].kind())) != 0;
    return frame.error(fits ? "no such overload"
                            : "no such overload: " + std::string(node.function));
  }
  if (std::ranges::find(kBareFunctions, node.function) != std::end(kBareFunctions)) {
    return frame.error("no such overload");
  }
  if (args.size() == 1 &&
      std::ranges::find(kConversionTargets, node.function) != std::end(kConversionTargets)) {
    std::string target(node.function);
    if (target == "duration") target = types::duration.name;
    if (target == "timestamp") target = types::timestamp.name;
    return frame.error(
        fmt::format("type conversion error from '{}' to '{}'", type_name(args[0]), target));
  }
  std::string kinds;
  for (const Value& arg : args) {
    if (!kinds.empty()) kinds += ", ";
    kinds += type_name(arg);
  }
  return frame.error(fmt::format("no such overload: {}({})", node.function, kinds));
}

// An element written with ?: true when it is to be left out, with `value` an error when it is no
// optional.
bool absent(Value& value, Frame& frame) {
  if (!value.is(Kind::kOptional)) {
    if (!value.is_error()) {
      value = frame.error(fmt::format("cannot initialize optional entry from non-optional value {}",
                                      type_name(value)));
    }
    return false;
  }
  if (value.held() == nullptr) return true;
  value = *value.held();
  return false;
}

}  // namespace

Value eval::call(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const CallNode&>(self);
  Value inline_args[kInlineArgs];
  Value* args = node.args.size() <= kInlineArgs
                    ? inline_args
                    : frame.arena().allocate_array<Value>(node.args.size());
  const Value* first_error = nullptr;
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    new (&args[i]) Value(node.args[i]->run(frame));
    if (args[i].is_error() && first_error == nullptr) first_error = &args[i];
  }
  const std::span<const Value> given(args, node.args.size());
  if (first_error != nullptr && (!node.lenient || frame.aborted)) {
    // A call that an error stops is charged all the same.
    if (frame.cost != nullptr && !frame.aborted) {
      frame.charge(node.cost != nullptr ? node.cost(given, *first_error) : 1);
      if (frame.aborted) return frame.abort_value();
    }
    return *first_error;
  }
  // The first overload that takes these kinds of values. In a checked tree there is mostly one;
  // with dyn arguments the order of declaration decides, as in cel-go.
  for (const Overload* overload : node.overloads) {
    if (overload->function == nullptr || !overload->accepts(given)) continue;
    frame.context.prepared = node.prepared;
    const Value result = overload->function(frame.context, given);
    if (frame.cost != nullptr) [[unlikely]] {
      frame.charge(node.cost != nullptr ? node.cost(given, result) : 1);
      if (frame.aborted) return frame.abort_value();
    }
    return result;
  }
  return no_overload(node, given, frame);
}

Value eval::list(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const ListNode&>(self);
  ListStorage* storage = new_list(node.items.size(), frame.arena());
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    Value item = node.items[i]->run(frame);
    if (!node.optional.empty() && node.optional[i] && absent(item, frame)) continue;
    if (item.is_error()) return item;
    new (&storage->items[count++]) Value(item);
  }
  // Optional items may have left room behind the last one, but the storage's capacity is that of
  // the literal: a later append may use it, since no other value shares it.
  storage->used = count;
  frame.charge(kListCost);
  if (frame.aborted) [[unlikely]]
    return frame.abort_value();
  return Value::list(storage, count);
}

Value eval::map(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const MapNode&>(self);
  Value out = new_map(node.items.size(), frame.arena());
  for (const MapNode::Item& item : node.items) {
    const Value key = item.key->run(frame);
    if (key.is_error()) return key;
    Value value = item.value->run(frame);
    if (item.optional && absent(value, frame)) continue;
    if (value.is_error()) return value;
    if (!is_map_key(key)) {
      return frame.error(fmt::format("unsupported key type: {}", type_name(key)));
    }
    const std::optional<Value> grown = map_insert(out, key, value, frame.arena());
    if (!grown) return frame.error("Failed with repeated key");
    out = *grown;
  }
  frame.charge(kMapCost);
  if (frame.aborted) [[unlikely]]
    return frame.abort_value();
  return out;
}

Value eval::make_struct(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const StructNode&>(self);
  auto* fields = frame.arena().allocate_array<TypeProvider::FieldValue>(node.items.size());
  std::size_t count = 0;
  for (const StructNode::Item& item : node.items) {
    Value value = item.value->run(frame);
    if (item.optional && absent(value, frame)) continue;
    if (value.is_error()) return value;
    new (&fields[count++]) TypeProvider::FieldValue{item.name, value};
  }
  frame.charge(kStructCost);
  if (frame.aborted) [[unlikely]]
    return frame.abort_value();
  return node.types->make(node.type_name, {fields, count}, frame.arena());
}

Value eval::fold(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const FoldNode&>(self);
  const Value range = node.range->run(frame);
  if (range.is_error()) return range;
  if (!range.is(Kind::kList) && !range.is(Kind::kMap)) {
    return frame.error(fmt::format("got '{}', expected iterable type", type_name(range)));
  }
  frame.locals[node.accu_slot] = node.init->run(frame);
  const bool over_list = range.is(Kind::kList);
  for (Cursor cursor(range, frame.arena()); !cursor.done(); cursor.next()) {
    if (!node.two_variables) {
      frame.locals[node.iter_slot] = cursor.item();
    } else {
      frame.locals[node.iter_slot] =
          over_list ? Value::integer(static_cast<std::int64_t>(cursor.index())) : cursor.item();
      frame.locals[node.iter2_slot] = cursor.value();
    }
    if (node.condition->run(frame).is_false()) break;
    const Value next = node.step->run(frame);
    frame.charge(0);  // a loop over constants costs nothing, but takes time
    if (frame.aborted) [[unlikely]]
      return frame.abort_value();
    frame.locals[node.accu_slot] = next;
  }
  return node.result->run(frame);
}

Value eval::bind(const PlanNode& self, Frame& frame) {
  const auto& node = static_cast<const FoldNode&>(self);
  // An error shows where the variable is used.
  frame.locals[node.accu_slot] = node.init->run(frame);
  if (frame.aborted) [[unlikely]]
    return frame.abort_value();
  return node.result->run(frame);
}

Value eval::observe(const PlanNode& self, Frame& frame) {
  const Value value = static_cast<const ObserveNode&>(self).observed->run(frame);
  if (frame.observer != nullptr) frame.observer->on_value(self.id, value);
  return value;
}

}  // namespace strake::cel
