#pragma once
// From text to program: parse, check, plan. Each step can be taken alone.
#include <expected>
#include <string_view>

#include "cel/ast.h"
#include "cel/env.h"
#include "cel/program.h"
#include "cel/source.h"

namespace strake::cel {

// Why an expression was refused, with the source to print it against.
struct CompileError {
  Source source;
  Issues issues;
  std::string to_string() const { return issues.to_string(source); }
};

// Text to a tree with macros expanded.
std::expected<Ast, CompileError> parse(std::string_view text, const Environment& environment);

// Writes types and references into the tree. On failure the tree is not to be used.
std::expected<void, Issues> check(Ast& ast, const Scope& scope);

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

// All three; the result type must be `expected` unless that is null or dyn.
struct Compiled {
  Program program;
  const Type* type = nullptr;  // of the result; lives as long as `ast`
  Ast ast;
};
std::expected<Compiled, CompileError> compile(std::string_view text, const Scope& scope,
                                              const PlanOptions& options = {});

}  // namespace strake::cel
