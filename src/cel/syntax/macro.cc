#include "cel/syntax/macro.h"

#include <algorithm>

namespace strake::cel {
namespace {

std::span<Expr*> copy_exprs(std::initializer_list<Expr*> exprs, Arena& arena) {
  Expr** copy = arena.allocate_array<Expr*>(exprs.size());
  std::ranges::copy(exprs, copy);
  return {copy, exprs.size()};
}

}  // namespace

Expr* MacroContext::literal(Value value) {
  Expr* e = node(ExprKind::kLiteral);
  e->literal = value;
  return e;
}

Expr* MacroContext::ident(std::string_view name) {
  Expr* e = node(ExprKind::kIdent);
  e->name = name;
  return e;
}

Expr* MacroContext::select(Expr* operand, std::string_view field, bool test_only) {
  Expr* e = node(ExprKind::kSelect);
  e->target = operand;
  e->name = field;
  e->test_only = test_only;
  return e;
}

Expr* MacroContext::call(std::string_view function, std::initializer_list<Expr*> args) {
  Expr* e = node(ExprKind::kCall);
  e->name = function;
  e->args = copy_exprs(args, arena());
  return e;
}

Expr* MacroContext::member_call(std::string_view function, Expr* target,
                                std::initializer_list<Expr*> args) {
  Expr* e = call(function, args);
  e->target = target;
  return e;
}

Expr* MacroContext::list(std::initializer_list<Expr*> items) {
  Expr* e = node(ExprKind::kList);
  e->args = copy_exprs(items, arena());
  return e;
}

Expr* MacroContext::map(std::span<const Entry> entries) {
  Expr* e = node(ExprKind::kMap);
  Entry* copy = arena().allocate_array<Entry>(entries.size());
  std::ranges::copy(entries, copy);
  e->entries = {copy, entries.size()};
  return e;
}

Expr* MacroContext::fold(const Comprehension& comprehension) {
  Expr* e = node(ExprKind::kComprehension);
  e->comprehension = new (arena().allocate(sizeof(Comprehension))) Comprehension(comprehension);
  return e;
}

Expr* MacroContext::bind(std::string_view name, Expr* init, Expr* result) {
  Expr* range = list({});
  Expr* condition = literal(Value::boolean(false));
  return fold({kUnusedIterVar, {}, range, name, init, condition, ident(name), result});
}

Expr* MacroContext::copy(const Expr* e) {
  Expr* out = node(e->kind);
  const std::uint32_t id = out->id;
  *out = *e;
  out->id = id;
  if (e->target != nullptr) out->target = copy(e->target);
  Expr** args = arena().allocate_array<Expr*>(e->args.size());
  for (std::size_t i = 0; i < e->args.size(); ++i) args[i] = copy(e->args[i]);
  out->args = {args, e->args.size()};
  Entry* entries = arena().allocate_array<Entry>(e->entries.size());
  for (std::size_t i = 0; i < e->entries.size(); ++i) {
    const Entry& from = e->entries[i];
    Entry& to = *new (&entries[i]) Entry(from);
    to.id = entry().id;
    if (from.key != nullptr) to.key = copy(from.key);
    to.value = copy(from.value);
  }
  out->entries = {entries, e->entries.size()};
  if (e->comprehension != nullptr) {
    Comprehension c = *e->comprehension;
    for (Expr** part : {&c.range, &c.init, &c.condition, &c.step, &c.result}) *part = copy(*part);
    out->comprehension = new (arena().allocate(sizeof(Comprehension))) Comprehension(c);
  }
  return out;
}

}  // namespace strake::cel
