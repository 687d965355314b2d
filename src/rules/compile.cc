#include "rules/compile.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/trim.h"
#include "cel/compile.h"
#include "cel/cost/cost_runtime.h"
#include "cel/value/shape_type.h"
#include "rules/field_path.h"
#include "rules/literals.h"

namespace strake::rules {
namespace {

using cel::Expr;
using schema::Node;

bool mentions(const Expr* e, std::string_view name) {
  if (e == nullptr) return false;
  if (e->kind == cel::ExprKind::kIdent && e->reference.name == name) return true;
  if (mentions(e->target, name)) return true;
  if (std::ranges::any_of(e->args, [&](const Expr* arg) { return mentions(arg, name); })) {
    return true;
  }
  for (const cel::Entry& entry : e->entries) {
    if (mentions(entry.key, name) || mentions(entry.value, name)) return true;
  }
  const cel::Comprehension* c = e->comprehension;
  return c != nullptr &&
         (mentions(c->range, name) || mentions(c->init, name) || mentions(c->condition, name) ||
          mentions(c->step, name) || mentions(c->result, name));
}

struct Expression {
  cel::Program program;
  std::uint64_t max_cost = 0;
  bool uses_old_self = false;
};

struct Failure {
  std::string issues;  // of the compiler, or empty when the result has the wrong type
  bool at_planning = false;
};

std::expected<Expression, Failure> compile_expression(
    std::string_view text, const cel::Environment& environment, const AllowedFunctions* allowed,
    std::span<const cel::Variable> variables, cel::TypeKind wanted, const SchemaShape& shape,
    const Shapes& shapes) {
  auto ast = cel::parse(text, environment);
  if (!ast) return std::unexpected(Failure{ast.error().to_string()});
  const cel::Scope scope{.environment = &environment, .variables = variables};
  if (auto checked = cel::check(*ast, scope); !checked) {
    return std::unexpected(Failure{checked.error().to_string(ast->source)});
  }
  if (allowed != nullptr) {
    if (const cel::Issues issues = allowed->check(*ast); !issues.empty())
      return std::unexpected(Failure{issues.to_string(ast->source)});
  }
  if (const cel::Issues issues = check_literals(*ast); !issues.empty()) {
    return std::unexpected(Failure{issues.to_string(ast->source)});
  }
  if (ast->root->type->kind != wanted || ast->root->type->wrapper)
    return std::unexpected(Failure{});
  if (auto fault = find_pattern_fault(*ast)) {
    return std::unexpected(Failure{*std::move(fault), true});
  }
  return Expression{.program = cel::plan(*ast, scope, {.cost_of = cel::kubernetes_call_cost}),
                    .max_cost = cel::estimate_cost(*ast, shape, shapes).max,
                    .uses_old_self = mentions(ast->root, "oldSelf")};
}

std::string describe(const Failure& failure, std::string_view prefix, std::string_view wrong_type) {
  if (failure.issues.empty()) return std::string(wrong_type);
  if (failure.at_planning) {
    return fmt::format("{}instantiation failed: {}", prefix.empty() ? "program " : prefix,
                       failure.issues);
  }
  return fmt::format("{}compilation failed: {}", prefix, failure.issues);
}

}  // namespace

CompiledRule compile_rule(const schema::Rule& rule, const Node& node, const SchemaShape& shape,
                          const Shapes& shapes, const RuleEnvironments& environments) {
  CompiledRule out;
  out.source = &rule;
  if (trim_unicode(rule.rule).empty()) return out;
  Arena arena;
  cel::TypeFactory make(arena);
  const cel::Type* self = cel::type_at(shape, "selfType", make);
  const cel::Type* old_self = out.optional_old_self() ? make.optional(self) : self;
  const cel::Variable variables[] = {{"self", self}, {"oldSelf", old_self}};

  auto compiled = compile_expression(rule.rule, *environments.rule, environments.allowed, variables,
                                     cel::TypeKind::kBool, shape, shapes);
  if (!compiled) {
    out.fault = describe(compiled.error(), "", "cel expression must evaluate to a bool");
    return out;
  }
  out.uses_old_self = compiled->uses_old_self;
  out.max_cost = compiled->max_cost;
  out.program = std::move(compiled->program);
  if (!rule.message_expression.empty()) {
    auto message =
        compile_expression(rule.message_expression, *environments.message, environments.allowed,
                           variables, cel::TypeKind::kString, shape, shapes);
    if (!message) {
      out.message_fault = describe(message.error(), "messageExpression ",
                                   "messageExpression must evaluate to a string");
      return out;
    }
    out.message_max_cost = message->max_cost;
    out.message = std::move(message->program);
  }
  if (!rule.field_path.empty()) {
    if (auto path = resolve_field_path(rule.field_path, node)) out.field_path = *std::move(path);
  }
  return out;
}

}  // namespace strake::rules
