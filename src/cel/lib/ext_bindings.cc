// cel.bind, and cel.block with cel.index: names for parts of an expression.
#include <fmt/format.h>

#include "cel/lib/library.h"
#include "cel/syntax/macro.h"

namespace strake::cel {
namespace {

using Exprs = std::span<Expr* const>;

constexpr std::size_t kMaxBlockParts = 100;

bool is_cel(const Expr* target) {
  return target->kind == ExprKind::kIdent && target->name == "cel";
}

Expr* expand_bind(MacroContext& m, Expr* target, Exprs args) {
  if (!is_cel(target)) return nullptr;
  if (args[0]->kind != ExprKind::kIdent || args[0]->absolute) {
    return m.fail(args[0]->offset, "cel.bind() variable names must be simple identifiers");
  }
  return m.bind(args[0]->name, args[1], args[2]);
}

// Each part is bound in turn, so that later parts see earlier ones.
Expr* expand_block(MacroContext& m, Expr* target, Exprs args) {
  if (!is_cel(target)) return nullptr;
  const Expr* parts = args[0];
  if (parts->kind != ExprKind::kList) {
    return m.fail(parts->offset, "cel.block requires the first arg to be a list literal");
  }
  if (parts->args.size() > kMaxBlockParts) {
    return m.fail(parts->offset, fmt::format("cel.block takes at most {} parts", kMaxBlockParts));
  }
  Expr* out = args[1];
  for (std::size_t i = parts->args.size(); i > 0; --i) {
    out = m.bind(m.arena().copy(fmt::format("@index{}", i - 1)), parts->args[i - 1], out);
  }
  return out;
}

bool is_small_number(const Expr* e) {
  return e->kind == ExprKind::kLiteral && e->literal.is(Kind::kInt) && e->literal.as_int() >= 0;
}

Expr* expand_index(MacroContext& m, Expr* target, Exprs args) {
  if (!is_cel(target)) return nullptr;
  if (!is_small_number(args[0])) {
    return m.fail(args[0]->offset, "cel.index requires a single non-negative int constant arg");
  }
  return m.ident(m.arena().copy(fmt::format("@index{}", args[0]->literal.as_int())));
}

Expr* numbered(MacroContext& m, Expr* target, Exprs args, std::string_view prefix) {
  if (!is_cel(target)) return nullptr;
  for (const Expr* arg : args) {
    if (!is_small_number(arg))
      return m.fail(arg->offset, "requires two non-negative int constant args");
  }
  return m.ident(m.arena().copy(
      fmt::format("{}:{}:{}", prefix, args[0]->literal.as_int(), args[1]->literal.as_int())));
}

Expr* expand_iter_var(MacroContext& m, Expr* target, Exprs args) {
  return numbered(m, target, args, "@it");
}
Expr* expand_accu_var(MacroContext& m, Expr* target, Exprs args) {
  return numbered(m, target, args, "@ac");
}

}  // namespace

const Library& bindings_library() {
  static const Library* const library = [] {
    auto* out = new Library("bindings");
    out->macro({"bind", true, 3, expand_bind});
    return out;
  }();
  return *library;
}

const Library& block_library() {
  static const Library* const library = [] {
    auto* out = new Library("block");
    out->macro({"block", true, 2, expand_block});
    out->macro({"index", true, 1, expand_index});
    out->macro({"iterVar", true, 2, expand_iter_var});
    out->macro({"accuVar", true, 2, expand_accu_var});
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
