#pragma once
// A syntax tree to a program.
#include <string_view>

#include "cel/env/env.h"
#include "cel/eval/program.h"
#include "cel/syntax/ast.h"

namespace strake::cel {

struct PlanOptions {
  // Replaces the cost of calls; a null answer keeps the overload's own. The id is empty when
  // several may apply.
  RuntimeCost (*cost_of)(std::string_view function, std::string_view overload_id) = nullptr;
  // Makes every node report its value to Evaluation::observer.
  bool observable = false;
};

// A program of a tree, checked or not. The program keeps what it needs of the tree; the tree may
// go.
Program plan(const Ast& ast, const Scope& scope, const PlanOptions& options = {});

}  // namespace strake::cel
