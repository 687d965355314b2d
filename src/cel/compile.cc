#include "cel/compile.h"

#include <utility>

namespace strake::cel {

std::expected<Compiled, CompileError> compile(std::string_view text, const Scope& scope,
                                              const PlanOptions& options) {
  auto ast = parse(text, *scope.environment);
  if (!ast) return std::unexpected(std::move(ast).error());
  if (auto checked = check(*ast, scope); !checked) {
    return std::unexpected(CompileError{std::move(ast->source), std::move(checked).error()});
  }
  Compiled out;
  out.program = plan(*ast, scope, options);
  out.type = ast->root->type;
  out.ast = *std::move(ast);
  return out;
}

}  // namespace strake::cel
