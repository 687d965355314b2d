#pragma once
// Text to a syntax tree.
#include <expected>
#include <string>
#include <string_view>

#include "cel/env/env.h"
#include "cel/syntax/ast.h"
#include "cel/syntax/source.h"

namespace strake::cel {

// Why an expression was refused, with the source to print it against.
struct CompileError {
  Source source;
  Issues issues;
  std::string to_string() const { return issues.to_string(source); }
};

// Text to a tree with macros expanded.
std::expected<Ast, CompileError> parse(std::string_view text, const Environment& environment);

}  // namespace strake::cel
