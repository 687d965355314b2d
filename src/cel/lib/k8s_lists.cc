// isSorted, sum, min, max, indexOf and lastIndexOf of lists.
#include <fmt/format.h>

#include "cel/lib/k8s_libraries.h"
#include "cel/value/containers.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

struct ElementType {
  std::string_view name;
  const Type* type;
};

constexpr ElementType kSummable[] = {{"int", &types::integer},
                                     {"uint", &types::uinteger},
                                     {"double", &types::number},
                                     {"duration", &types::duration}};
constexpr ElementType kComparable[] = {
    {"int", &types::integer},   {"uint", &types::uinteger},     {"double", &types::number},
    {"bool", &types::boolean},  {"duration", &types::duration}, {"timestamp", &types::timestamp},
    {"string", &types::string}, {"bytes", &types::bytes}};

Value is_sorted(EvalContext& c, Args x) {
  Value previous;
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    const Value next = item.item();
    if (next.is_error()) return next;
    if (!comparable(next, next)) return c.error("no such overload");
    if (item.index() > 0 && compare(previous, next).value_or(0) > 0) return Value::boolean(false);
    previous = next;
  }
  return Value::boolean(true);
}

Value extreme(EvalContext& c, Args x, int unwanted, std::string_view name) {
  if (list_size(x[0]) == 0) return c.error(fmt::format("{} called on empty list", name));
  Value best;
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    const Value next = item.item();
    if (next.is_error()) return next;
    if (!comparable(next, next)) return c.error("no such overload");
    if (item.index() == 0 || compare(best, next).value_or(0) == unwanted) best = next;
  }
  return best;
}

// The sum of items of one kind, `zero` being the sum of none. An overload is chosen by its
// declaration only, so a list of dyn comes here with any kind of items.
Value sum_from(EvalContext& c, const Value& list, Value zero) {
  Value total = zero;
  for (Cursor item(list, c.arena); !item.done(); item.next()) {
    const Value next = item.item();
    if (next.is_error()) return next;
    // The zero only stands for an empty list: adding to it would refuse lists of dyn whose items
    // are of another kind.
    if (item.index() == 0) {
      total = next;
      continue;
    }
    if (next.kind() != total.kind()) return c.error("no such overload");
    std::int64_t sum = 0;
    std::uint64_t unsigned_sum = 0;
    switch (next.kind()) {
      case Kind::kInt:
      case Kind::kDuration:
        if (__builtin_add_overflow(total.as_int(), next.as_int(), &sum)) {
          return c.error(next.is(Kind::kInt) ? "integer overflow" : "duration overflow");
        }
        total = next.is(Kind::kInt) ? Value::integer(sum) : Value::duration(sum);
        break;
      case Kind::kUint:
        if (__builtin_add_overflow(total.as_uint(), next.as_uint(), &unsigned_sum)) {
          return c.error("unsigned integer overflow");
        }
        total = Value::uinteger(unsigned_sum);
        break;
      case Kind::kDouble: total = Value::number(total.as_double() + next.as_double()); break;
      default: return c.error("no such overload");
    }
  }
  return total;
}

Function sum_of(const Type* element) {
  switch (element->kind) {
    case TypeKind::kInt:
      return [](EvalContext& c, Args x) { return sum_from(c, x[0], Value::integer(0)); };
    case TypeKind::kDuration:
      return [](EvalContext& c, Args x) { return sum_from(c, x[0], Value::duration(0)); };
    case TypeKind::kUint:
      return [](EvalContext& c, Args x) { return sum_from(c, x[0], Value::uinteger(0)); };
    default: return [](EvalContext& c, Args x) { return sum_from(c, x[0], Value::number(0)); };
  }
}

Value list_index_of(EvalContext& c, Args x) {
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    if (equal(item.item(), x[1], c.arena)) {
      return Value::integer(static_cast<std::int64_t>(item.index()));
    }
  }
  return Value::integer(-1);
}

Value list_last_index_of(EvalContext& c, Args x) {
  std::int64_t last = -1;
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    if (equal(item.item(), x[1], c.arena)) last = static_cast<std::int64_t>(item.index());
  }
  return Value::integer(last);
}

}  // namespace

const Library& k8s_lists_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.lists");
    for (const ElementType& e : kComparable) {
      const Type* list = out->types().list(e.type);
      out->function("isSorted")
          .member(fmt::format("list_{}_is_sorted_bool", e.name), {list}, &types::boolean,
                  is_sorted);
      out->function("max").member(fmt::format("list_{}_max_{}", e.name, e.name), {list}, e.type,
                                  [](EvalContext& c, Args x) { return extreme(c, x, -1, "max"); });
      out->function("min").member(fmt::format("list_{}_min_{}", e.name, e.name), {list}, e.type,
                                  [](EvalContext& c, Args x) { return extreme(c, x, 1, "min"); });
    }
    for (const ElementType& e : kSummable) {
      out->function("sum").member(fmt::format("list_{}_sum_{}", e.name, e.name),
                                  {out->types().list(e.type)}, e.type, sum_of(e.type));
    }
    const Type* a = out->types().param("A");
    const Type* list = out->types().list(a);
    out->function("indexOf").member("list_a_index_of_int", {list, a}, &types::integer,
                                    list_index_of);
    out->function("lastIndexOf")
        .member("list_a_last_index_of_int", {list, a}, &types::integer, list_last_index_of);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
