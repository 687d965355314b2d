#pragma once
// What a macro works with while the parser expands it: makes nodes placed where the macro was
// called, reports faults.
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "cel/syntax/ast.h"

namespace strake::cel {

// Names that expressions cannot spell.
inline constexpr std::string_view kAccumulator = "@result";
inline constexpr std::string_view kUnusedIterVar = "#unused";

class MacroContext {
 public:
  virtual ~MacroContext() = default;
  virtual Arena& arena() = 0;
  virtual Expr* node(ExprKind kind) = 0;  // at the macro's place, with a fresh id
  virtual Entry entry() = 0;
  // Reports a fault and returns a node that stands for the failed expansion.
  virtual Expr* fail(std::uint32_t offset, std::string message) = 0;

  Expr* literal(Value value);
  Expr* ident(std::string_view name);
  Expr* select(Expr* operand, std::string_view field, bool test_only = false);
  Expr* call(std::string_view function, std::initializer_list<Expr*> args);
  Expr* member_call(std::string_view function, Expr* target, std::initializer_list<Expr*> args);
  Expr* list(std::initializer_list<Expr*> items);
  Expr* map(std::span<const Entry> entries);
  Expr* fold(const Comprehension& comprehension);
  // cel.bind: `name` stands for `init` inside `result`.
  Expr* bind(std::string_view name, Expr* init, Expr* result);
  // The whole tree again, with fresh ids at the same places.
  Expr* copy(const Expr* e);
};

}  // namespace strake::cel
