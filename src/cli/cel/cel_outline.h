#pragma once
// The sub-expressions of an expression as a person sees them: each with the stretch of the source
// that it came from. What macros made of the source is hidden; their parts are shown where they
// were written.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/syntax/ast.h"

namespace strake::cli {

struct CelPart {
  const cel::Expr* expr = nullptr;
  std::size_t depth = 0;    // 0 for the whole
  std::uint32_t begin = 0;  // in code points
  std::uint32_t end = 0;
  std::string text;                   // the stretch on one line
  std::vector<std::size_t> children;  // places in the outline
};

// Every part before its own parts. Points into the tree.
std::vector<CelPart> outline(const cel::Ast& ast);

// Whether a checked expression looks at the variable.
bool mentions_variable(const cel::Ast& ast, std::string_view name);

}  // namespace strake::cli
