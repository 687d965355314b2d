// slice, flatten, sort, sortBy, reverse, distinct, lists.range.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "cel/lib/iteration_macros.h"
#include "cel/lib/library.h"
#include "cel/value/containers.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;
using Exprs = std::span<Expr* const>;

constexpr std::string_view kSortInput = "@__sortBy_input__";
constexpr std::string_view kSortByKeys = "@sortByAssociatedKeys";
constexpr std::int64_t kMaxRange = 1'000'000;  // what a run-time budget could pay for

std::vector<Value> items_of(const Value& list, Arena& arena) {
  std::vector<Value> out;
  for (Cursor c(list, arena); !c.done(); c.next()) out.push_back(c.item());
  return out;
}

Value slice(EvalContext& c, Args x) {
  const std::int64_t start = x[1].as_int();
  const std::int64_t end = x[2].as_int();
  const auto size = static_cast<std::int64_t>(list_size(x[0]));
  if (start < 0 || end < 0) {
    return c.error(fmt::format("cannot slice({}, {}), negative indexes not supported", start, end));
  }
  if (start > end) {
    return c.error(fmt::format(
        "cannot slice({}, {}), start index must be less than or equal to end index", start, end));
  }
  if (size < end)
    return c.error(fmt::format("cannot slice({}, {}), list is length {}", start, end, size));
  ListStorage* out = new_list(static_cast<std::size_t>(end - start), c.arena);
  for (std::int64_t i = start; i < end; ++i) {
    out->items[i - start] = list_at(x[0], static_cast<std::uint64_t>(i), c.arena);
  }
  return Value::list(out, out->used);
}

// False when the result would be too long.
bool flatten_into(const Value& list, std::int64_t levels, std::vector<Value>& out, Arena& arena) {
  for (Cursor c(list, arena); !c.done(); c.next()) {
    const Value item = c.item();
    if (item.is(Kind::kList) && levels > 0) {
      if (!flatten_into(item, levels - 1, out, arena)) return false;
    } else {
      if (out.size() >= kMaxListItems) return false;
      out.push_back(item);
    }
  }
  return true;
}

Value flatten(EvalContext& c, Args x) {
  const std::int64_t levels = x.size() == 2 ? x[1].as_int() : 1;
  if (levels < 0) return c.error("level must be non-negative");
  std::vector<Value> out;
  if (!flatten_into(x[0], levels, out, c.arena)) return c.error("list too long");
  return Value::list(out, c.arena);
}

// x[0] in the order of the keys x[1].
Value sort_by_keys(EvalContext& c, Args x) {
  const std::vector<Value> items = items_of(x[0], c.arena);
  const std::vector<Value> keys = items_of(x[1], c.arena);
  if (items.size() != keys.size()) {
    return c.error(fmt::format(
        "@sortByAssociatedKeys() expected a list of the same size as the associated keys "
        "list, but got {} and {} elements respectively",
        items.size(), keys.size()));
  }
  if (keys.empty()) return x[0];
  for (const Value& key : keys) {
    if (!comparable(key, key)) return c.error("list elements must be comparable");
    if (key.kind() != keys[0].kind()) return c.error("list elements must have the same type");
  }
  std::vector<std::uint32_t> order(items.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  // NaN has no place in an order; ties break by place.
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const int by_key = compare(keys[a], keys[b]).value_or(0);
    return by_key != 0 ? by_key < 0 : a < b;
  });
  ListStorage* out = new_list(items.size(), c.arena);
  for (std::size_t i = 0; i < order.size(); ++i) out->items[i] = items[order[i]];
  return Value::list(out, out->used);
}

Value sorted(EvalContext& c, Args x) {
  const Value both[] = {x[0], x[0]};
  return sort_by_keys(c, both);
}

Value reversed(EvalContext& c, Args x) {
  std::vector<Value> items = items_of(x[0], c.arena);
  std::ranges::reverse(items);
  return Value::list(items, c.arena);
}

// Numbers hash by their double, because 1, 1u and 1.0 are equal. Containers and the rest share one
// bucket and are compared pairwise.
std::uint64_t scalar_hash(const Value& v) {
  switch (v.kind()) {
    case Kind::kString:
    case Kind::kBytes: return std::hash<std::string_view>{}(v.as_text());
    case Kind::kInt: return std::hash<double>{}(static_cast<double>(v.as_int()));
    case Kind::kUint: return std::hash<double>{}(static_cast<double>(v.as_uint()));
    case Kind::kDouble: return std::hash<double>{}(v.as_double());
    default: return 0;
  }
}

Value distinct(EvalContext& c, Args x) {
  std::vector<Value> out;
  std::unordered_multimap<std::uint64_t, std::size_t> seen;
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    const Value v = item.item();
    auto [first, last] = seen.equal_range(scalar_hash(v));
    const bool known =
        std::any_of(first, last, [&](const auto& s) { return equal(out[s.second], v, c.arena); });
    if (known) continue;
    seen.emplace(scalar_hash(v), out.size());
    out.push_back(v);
  }
  return Value::list(out, c.arena);
}

Value range(EvalContext& c, Args x) {
  const std::int64_t n = std::max<std::int64_t>(0, x[0].as_int());
  if (n > kMaxRange) return c.error(fmt::format("lists.range({}) is too long", n));
  ListStorage* out = new_list(static_cast<std::size_t>(n), c.arena);
  for (std::int64_t i = 0; i < n; ++i) out->items[i] = Value::integer(i);
  return Value::list(out, out->used);
}

// xs.sortBy(x, f(x)) becomes
//
//   cel.bind(@__sortBy_input__, xs, @__sortBy_input__.@sortByAssociatedKeys(
//       @__sortBy_input__.map(x, f(x))))
//
// so that xs is evaluated once, and each key once rather than once per comparison.
Expr* expand_sort_by(MacroContext& m, Expr* target, Exprs args) {
  if (target->kind == ExprKind::kLiteral || target->kind == ExprKind::kMap ||
      target->kind == ExprKind::kStruct) {
    return m.fail(target->offset,
                  "sortBy can only be applied to a list, identifier, comprehension, call or select "
                  "expression");
  }
  if (args[0]->kind != ExprKind::kIdent || args[0]->absolute) {
    return m.fail(args[0]->offset, "argument is not an identifier");
  }
  Expr* keys = fold_to_list(m, {m.ident(kSortInput), args[0]->name, {}}, nullptr, args[1]);
  return m.bind(kSortInput, target, m.member_call(kSortByKeys, m.ident(kSortInput), {keys}));
}

void declare_lists(Library& library) {
  TypeFactory& make = library.types();
  const Type* t = make.param("T");
  const Type* list = make.list(t);
  library.function("slice").member("list_slice", {list, &types::integer, &types::integer}, list,
                                   slice);
  library.function("flatten")
      .member("list_flatten", {make.list(list)}, list, flatten)
      .member("list_flatten_int", {make.list(&types::dyn), &types::integer}, make.list(&types::dyn),
              flatten);
  library.function("reverse").member("list_reverse", {list}, list, reversed);
  library.function("distinct").member("list_distinct", {list}, list, distinct);
  library.function("lists.range")
      .global("lists_range", {&types::integer}, make.list(&types::integer), range);
  auto sort = library.function("sort");
  auto by_keys = library.function(kSortByKeys);
  for (const Type* key : {&types::integer, &types::uinteger, &types::number, &types::boolean,
                          &types::duration, &types::timestamp, &types::string, &types::bytes}) {
    sort.member(fmt::format("list_{}_sort", key->name), {make.list(key)}, make.list(key), sorted);
    by_keys.member(fmt::format("list_{}_sortByAssociatedKeys", key->name), {list, make.list(key)},
                   list, sort_by_keys);
  }
  library.macro({"sortBy", true, 2, expand_sort_by});
}

}  // namespace

const Library& lists_library() {
  static const Library* const library = [] {
    auto* out = new Library("lists");
    declare_lists(*out);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
