// isSorted, sum, min, max, indexOf and lastIndexOf of lists.
#include <fmt/format.h>

#include "cel/containers.h"
#include "cel/k8s_libraries.h"
#include "cel/time.h"

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

Value sum_ints(EvalContext& c, Args x, bool durations) {
  std::int64_t total = 0;
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    const Value next = item.item();
    if (!next.is(durations ? Kind::kDuration : Kind::kInt)) return c.error("no such overload");
    if (__builtin_add_overflow(total, next.as_int(), &total)) {
      return c.error(durations ? "duration overflow" : "integer overflow");
    }
  }
  return durations ? Value::duration(total) : Value::integer(total);
}

Value sum_uints(EvalContext& c, Args x) {
  std::uint64_t total = 0;
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    const Value next = item.item();
    if (!next.is(Kind::kUint)) return c.error("no such overload");
    if (__builtin_add_overflow(total, next.as_uint(), &total)) {
      return c.error("unsigned integer overflow");
    }
  }
  return Value::uinteger(total);
}

Value sum_doubles(EvalContext& c, Args x) {
  double total = 0;
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    const Value next = item.item();
    if (!next.is(Kind::kDouble)) return c.error("no such overload");
    total += next.as_double();
  }
  return Value::number(total);
}

Function sum_of(const Type* element) {
  switch (element->kind) {
    case TypeKind::kInt: return [](EvalContext& c, Args x) { return sum_ints(c, x, false); };
    case TypeKind::kDuration: return [](EvalContext& c, Args x) { return sum_ints(c, x, true); };
    case TypeKind::kUint: return sum_uints;
    default: return sum_doubles;
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
