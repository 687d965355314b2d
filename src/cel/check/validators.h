#pragma once
// Checks of a checked tree that are no matter of types alone.
#include "cel/syntax/ast.h"
#include "cel/syntax/source.h"

namespace strake::cel {

struct Validations {
  // Literal arguments of duration(), timestamp(), matches() and format() that would fail when
  // evaluated.
  bool literals = false;
  // Items of a list, keys of a map and values of a map must have one type each; but not inside a
  // call of format().
  bool homogeneous = false;
};

// What was found, in the order of places.
Issues validate(const Expr* root, const Validations& validations);

}  // namespace strake::cel
