#pragma once
// From text to program: parse, check, plan. Each step can be taken alone.
#include <expected>
#include <string_view>

#include "cel/check/checker.h"
#include "cel/env/env.h"
#include "cel/eval/planner.h"
#include "cel/eval/program.h"
#include "cel/syntax/ast.h"
#include "cel/syntax/parser.h"
#include "cel/syntax/source.h"

namespace strake::cel {

// All three steps.
struct Compiled {
  Program program;
  const Type* type = nullptr;  // of the result; lives as long as `ast`
  Ast ast;
};
std::expected<Compiled, CompileError> compile(std::string_view text, const Scope& scope,
                                              const PlanOptions& options = {});

}  // namespace strake::cel
