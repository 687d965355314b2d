#pragma once
// A syntax tree to one with types.
#include <expected>

#include "cel/env/env.h"
#include "cel/syntax/ast.h"
#include "cel/syntax/source.h"

namespace strake::cel {

// Writes types and references into the tree. On failure the tree is not to be used.
std::expected<void, Issues> check(Ast& ast, const Scope& scope);

}  // namespace strake::cel
