// optional.of and its kin; optMap and optFlatMap; the optional forms of indexing.
#include "cel/lib/library.h"
#include "cel/syntax/macro.h"
#include "cel/syntax/operators.h"
#include "cel/value/containers.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;
using Exprs = std::span<Expr* const>;

// target.hasValue() ? <mapped> : optional.none(), with the variable bound to target.value().
Expr* mapped(MacroContext& m, Expr* target, Exprs args, bool flat, const char* fault) {
  const Expr* variable = args[0];
  if (variable->kind != ExprKind::kIdent || variable->absolute) {
    return m.fail(variable->offset, fault);
  }
  Expr* present = m.member_call("hasValue", target, {});
  Expr* value = m.member_call("value", m.copy(target), {});
  Expr* result = m.bind(variable->name, value, args[1]);
  if (!flat) result = m.call("optional.of", {result});
  return m.call(op::kConditional, {present, result, m.call("optional.none", {})});
}

Expr* expand_opt_map(MacroContext& m, Expr* target, Exprs args) {
  return mapped(m, target, args, false, "optMap() variable name must be a simple identifier");
}
Expr* expand_opt_flat_map(MacroContext& m, Expr* target, Exprs args) {
  return mapped(m, target, args, true, "optFlatMap() variable name must be a simple identifier");
}

Value unwrap(EvalContext& c, Args x) {
  Value out = Value::list(new_list(0, c.arena), 0);
  for (Cursor item(x[0], c.arena); !item.done(); item.next()) {
    const Value optional = item.item();
    if (!optional.is(Kind::kOptional)) return c.error("value in list is not optional");
    if (optional.held() != nullptr) out = list_append(out, *optional.held(), c.arena);
  }
  return out;
}

Value end_of(EvalContext& c, Args x, bool last) {
  const std::uint64_t size = list_size(x[0]);
  if (size == 0) return Value::none();
  return Value::some(list_at(x[0], last ? size - 1 : 0, c.arena), c.arena);
}

void declare_optionals(Library& library) {
  TypeFactory& make = library.types();
  const Type* k = make.param("K");
  const Type* v = make.param("V");
  const Type* optional = make.optional(v);
  const Type* list = make.list(v);
  const Type* map = make.map(k, v);
  library.type_name("optional_type", optional);
  library.function("optional.of").global("optional_of", {v}, optional, [](EvalContext& c, Args x) {
    return Value::some(x[0], c.arena);
  });
  library.function("optional.ofNonZeroValue")
      .global("optional_ofNonZeroValue", {v}, optional, [](EvalContext& c, Args x) {
        return is_zero_value(x[0]) ? Value::none() : Value::some(x[0], c.arena);
      });
  library.function("optional.none").global("optional_none", {}, optional, [](EvalContext&, Args) {
    return Value::none();
  });
  library.function("hasValue")
      .member("optional_hasValue", {optional}, &types::boolean,
              [](EvalContext&, Args x) { return Value::boolean(x[0].held() != nullptr); });
  library.function("value").member("optional_value", {optional}, v, [](EvalContext& c, Args x) {
    return x[0].held() != nullptr ? *x[0].held() : c.error("optional.none() dereference");
  });
  // Evaluated by nodes of their own, since the right side may not be needed.
  library.function("or").member("optional_or_optional", {optional, optional}, optional, nullptr);
  library.function("orValue").member("optional_orValue_value", {optional, v}, v, nullptr);
  library.function(op::kOptionalIndex)
      .global("list_optindex_optional_int", {list, &types::integer}, optional, nullptr)
      .global("optional_list_optindex_optional_int", {make.optional(list), &types::integer},
              optional, nullptr)
      .global("map_optindex_optional_value", {map, k}, optional, nullptr)
      .global("optional_map_optindex_optional_value", {make.optional(map), k}, optional, nullptr);
  library.function(op::kIndex)
      .global("optional_list_index_int", {make.optional(list), &types::integer}, optional, nullptr)
      .global("optional_map_index_value", {make.optional(map), k}, optional, nullptr);
  library.function("first").member("list_first", {list}, optional,
                                   [](EvalContext& c, Args x) { return end_of(c, x, false); });
  library.function("last").member("list_last", {list}, optional,
                                  [](EvalContext& c, Args x) { return end_of(c, x, true); });
  library.function("optional.unwrap")
      .global("optional_unwrap", {make.list(optional)}, list, unwrap);
  library.function("unwrapOpt").member("optional_unwrapOpt", {make.list(optional)}, list, unwrap);
  library.macro({"optMap", true, 2, expand_opt_map});
  library.macro({"optFlatMap", true, 2, expand_opt_flat_map});
}

}  // namespace

const Library& optionals_library() {
  static const Library* const library = [] {
    auto* out = new Library("optional");
    declare_optionals(*out);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
