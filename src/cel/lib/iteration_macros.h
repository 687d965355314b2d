#pragma once
// The loops that iteration macros become, for one variable or two.
#include <string_view>

#include "cel/syntax/macro.h"

namespace strake::cel {

struct Iteration {
  Expr* range = nullptr;
  std::string_view variable;
  std::string_view variable2;  // empty for one-variable forms
};

Expr* fold_all(MacroContext& macro, const Iteration& over, Expr* predicate);
Expr* fold_exists(MacroContext& macro, const Iteration& over, Expr* predicate);
Expr* fold_exists_one(MacroContext& macro, const Iteration& over, Expr* predicate);
// A list of `item` for each iteration that passes the filter, which may be null.
Expr* fold_to_list(MacroContext& macro, const Iteration& over, Expr* filter, Expr* item);

}  // namespace strake::cel
