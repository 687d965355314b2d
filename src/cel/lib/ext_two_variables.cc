// Iteration over index and item, or key and value: all, exists, existsOne, transformList,
// transformMap, transformMapEntry.
#include <fmt/format.h>

#include "cel/lib/iteration_macros.h"
#include "cel/lib/library.h"
#include "cel/syntax/operators.h"
#include "cel/value/containers.h"
#include "cel/value/format_value.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;
using Exprs = std::span<Expr* const>;

constexpr std::string_view kMapInsert = "cel.@mapInsert";

// False when a fault was reported.
bool take_names(MacroContext& m, Expr* target, Exprs args, Iteration& out) {
  for (const Expr* arg : args.first(2)) {
    if (arg->kind != ExprKind::kIdent || arg->absolute) {
      m.fail(arg->offset, "argument must be a simple name");
      return false;
    }
    if (arg->name == kAccumulator || arg->name == "__result__") {
      m.fail(arg->offset, "iteration variable overwrites accumulator variable");
      return false;
    }
  }
  if (args[0]->name == args[1]->name) {
    m.fail(args[1]->offset, fmt::format("duplicate variable name: {}", args[0]->name));
    return false;
  }
  out = {target, args[0]->name, args[1]->name};
  return true;
}

Expr* failed(MacroContext& m) { return m.node(ExprKind::kUnspecified); }

template <auto Fold>
Expr* expand_quantifier(MacroContext& m, Expr* target, Exprs args) {
  Iteration over;
  return take_names(m, target, args, over) ? Fold(m, over, args[2]) : failed(m);
}

Expr* expand_transform_list(MacroContext& m, Expr* target, Exprs args) {
  Iteration over;
  if (!take_names(m, target, args, over)) return failed(m);
  return fold_to_list(m, over, args.size() == 4 ? args[2] : nullptr, args.back());
}

Expr* fold_to_map(MacroContext& m, const Iteration& over, Expr* filter, Expr* step) {
  if (filter != nullptr) step = m.call(op::kConditional, {filter, step, m.ident(kAccumulator)});
  return m.fold({over.variable, over.variable2, over.range, kAccumulator, m.map({}),
                 m.literal(Value::boolean(true)), step, m.ident(kAccumulator)});
}

Expr* expand_transform_map(MacroContext& m, Expr* target, Exprs args) {
  Iteration over;
  if (!take_names(m, target, args, over)) return failed(m);
  Expr* step = m.call(kMapInsert, {m.ident(kAccumulator), m.ident(over.variable), args.back()});
  return fold_to_map(m, over, args.size() == 4 ? args[2] : nullptr, step);
}

Expr* expand_transform_map_entry(MacroContext& m, Expr* target, Exprs args) {
  Iteration over;
  if (!take_names(m, target, args, over)) return failed(m);
  Expr* step = m.call(kMapInsert, {m.ident(kAccumulator), args.back()});
  return fold_to_map(m, over, args.size() == 4 ? args[2] : nullptr, step);
}

Value insert(EvalContext& c, const Value& map, const Value& key, const Value& value) {
  if (!is_map_key(key)) return c.error(fmt::format("unsupported key type: {}", type_name(key)));
  const std::optional<Value> out = map_insert(map, key, value, c.arena);
  if (out) return *out;
  return c.error(fmt::format("insert failed: key {} already exists", to_text(key, c.arena)));
}

Value insert_all(EvalContext& c, Args x) {
  Value out = x[0];
  for (Cursor entry(x[1], c.arena); !entry.done(); entry.next()) {
    out = insert(c, out, entry.item(), entry.value());
    if (out.is_error()) return out;
  }
  return out;
}

void declare_two_variables(Library& library) {
  const Type* k = library.types().param("K");
  const Type* v = library.types().param("V");
  const Type* map = library.types().map(k, v);
  library.function(kMapInsert)
      .global("@mapInsert_map_key_value", {map, k, v}, map,
              [](EvalContext& c, Args x) { return insert(c, x[0], x[1], x[2]); })
      .global("@mapInsert_map_map", {map, map}, map, insert_all);
  library.macro({"all", true, 3, expand_quantifier<fold_all>});
  library.macro({"exists", true, 3, expand_quantifier<fold_exists>});
  library.macro({"existsOne", true, 3, expand_quantifier<fold_exists_one>});
  library.macro({"exists_one", true, 3, expand_quantifier<fold_exists_one>});
  for (int args : {3, 4}) {
    library.macro({"transformList", true, args, expand_transform_list});
    library.macro({"transformMap", true, args, expand_transform_map});
    library.macro({"transformMapEntry", true, args, expand_transform_map_entry});
  }
}

}  // namespace

const Library& two_variable_library() {
  static const Library* const library = [] {
    auto* out = new Library("two-variable comprehensions");
    declare_two_variables(*out);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
