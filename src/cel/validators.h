#pragma once
// Checks of literals that a type checker cannot make: texts of durations, timestamps and regular
// expressions.
#include "cel/ast.h"
#include "cel/source.h"

namespace strake::cel {

// One issue, `invalid duration argument` or the like, for each literal argument of duration(),
// timestamp() and matches() that would fail when evaluated.
Issues validate_literals(const Expr* root);

}  // namespace strake::cel
