// has, all, exists, exists_one, map, filter.
#include "cel/lib/iteration_macros.h"
#include "cel/lib/std_library.h"
#include "cel/syntax/macro.h"
#include "cel/syntax/operators.h"

namespace strake::cel {
namespace {

using Exprs = std::span<Expr* const>;

Expr* expand_has(MacroContext& m, Expr*, Exprs args) {
  const Expr* arg = args[0];
  if (arg->kind != ExprKind::kSelect || arg->test_only) {
    return m.fail(arg->offset, "invalid argument to has() macro");
  }
  return m.select(arg->target, arg->name, true);
}

// The name a macro binds; an empty one when a fault was reported.
std::string_view simple_name(MacroContext& m, const Expr* arg, const char* fault) {
  if (arg->kind != ExprKind::kIdent || arg->absolute) {
    m.fail(arg->offset, fault);
    return {};
  }
  if (arg->name == kAccumulator || arg->name == "__result__") {
    m.fail(arg->offset, "iteration variable overwrites accumulator variable");
    return {};
  }
  return arg->name;
}

Expr* quantified(MacroContext& m, Expr* target, Exprs args,
                 Expr* (*expand)(MacroContext&, const Iteration&, Expr*)) {
  const std::string_view name = simple_name(m, args[0], "argument must be a simple name");
  if (name.empty()) return m.node(ExprKind::kUnspecified);
  return expand(m, {target, name, {}}, args[1]);
}

Expr* expand_all(MacroContext& m, Expr* target, Exprs args) {
  return quantified(m, target, args, fold_all);
}
Expr* expand_exists(MacroContext& m, Expr* target, Exprs args) {
  return quantified(m, target, args, fold_exists);
}
Expr* expand_exists_one(MacroContext& m, Expr* target, Exprs args) {
  return quantified(m, target, args, fold_exists_one);
}

Expr* expand_map(MacroContext& m, Expr* target, Exprs args) {
  const std::string_view name = simple_name(m, args[0], "argument is not an identifier");
  if (name.empty()) return m.node(ExprKind::kUnspecified);
  return fold_to_list(m, {target, name, {}}, args.size() == 3 ? args[1] : nullptr, args.back());
}

Expr* expand_filter(MacroContext& m, Expr* target, Exprs args) {
  const std::string_view name = simple_name(m, args[0], "argument is not an identifier");
  if (name.empty()) return m.node(ExprKind::kUnspecified);
  return fold_to_list(m, {target, name, {}}, args[1], args[0]);
}

}  // namespace

// Every macro is a fold: an accumulator, a condition that ends the loop early, a step and a result.
// The condition of all() and exists() is "not strictly false": an error in the accumulator does not
// end the loop, since a later item may still decide it (see eval_logic.cc). exists_one() counts all
// matches, so it has no early end and an error in any item is the result.
Expr* fold_all(MacroContext& m, const Iteration& over, Expr* predicate) {
  Expr* init = m.literal(Value::boolean(true));
  Expr* condition = m.call(op::kNotStrictlyFalse, {m.ident(kAccumulator)});
  Expr* step = m.call(op::kAnd, {m.ident(kAccumulator), predicate});
  return m.fold({over.variable, over.variable2, over.range, kAccumulator, init, condition, step,
                 m.ident(kAccumulator)});
}

Expr* fold_exists(MacroContext& m, const Iteration& over, Expr* predicate) {
  Expr* init = m.literal(Value::boolean(false));
  Expr* condition = m.call(op::kNotStrictlyFalse, {m.call(op::kNot, {m.ident(kAccumulator)})});
  Expr* step = m.call(op::kOr, {m.ident(kAccumulator), predicate});
  return m.fold({over.variable, over.variable2, over.range, kAccumulator, init, condition, step,
                 m.ident(kAccumulator)});
}

Expr* fold_exists_one(MacroContext& m, const Iteration& over, Expr* predicate) {
  Expr* init = m.literal(Value::integer(0));
  Expr* condition = m.literal(Value::boolean(true));
  Expr* more = m.call(op::kAdd, {m.ident(kAccumulator), m.literal(Value::integer(1))});
  Expr* step = m.call(op::kConditional, {predicate, more, m.ident(kAccumulator)});
  Expr* result = m.call(op::kEqual, {m.ident(kAccumulator), m.literal(Value::integer(1))});
  return m.fold(
      {over.variable, over.variable2, over.range, kAccumulator, init, condition, step, result});
}

Expr* fold_to_list(MacroContext& m, const Iteration& over, Expr* filter, Expr* item) {
  Expr* init = m.list({});
  Expr* condition = m.literal(Value::boolean(true));
  Expr* step = m.call(op::kAdd, {m.ident(kAccumulator), m.list({item})});
  if (filter != nullptr) step = m.call(op::kConditional, {filter, step, m.ident(kAccumulator)});
  return m.fold({over.variable, over.variable2, over.range, kAccumulator, init, condition, step,
                 m.ident(kAccumulator)});
}

void declare_standard_macros(Library& library) {
  library.macro({"has", false, 1, expand_has});
  library.macro({"all", true, 2, expand_all});
  library.macro({"exists", true, 2, expand_exists});
  library.macro({"exists_one", true, 2, expand_exists_one});
  library.macro({"existsOne", true, 2, expand_exists_one});
  library.macro({"map", true, 2, expand_map});
  library.macro({"map", true, 3, expand_map});
  library.macro({"filter", true, 2, expand_filter});
}

}  // namespace strake::cel
