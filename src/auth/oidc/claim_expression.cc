#include "auth/oidc/claim_expression.h"

#include <fmt/format.h>

#include <optional>

#include "cel/compile.h"
#include "cel/cost/cost_runtime.h"
#include "policy/types.h"
#include "rules/environment.h"
#include "rules/literals.h"

namespace strake::auth {
namespace {

using cel::Expr;
using cel::ExprKind;
using cel::Type;
using cel::TypeKind;

// Of one expression, as in kube-apiserver.
constexpr std::uint64_t kMostExpressionCost = 1'000'000;

constexpr const Type* kClaimsParams[] = {&cel::types::string, &cel::types::any};
constexpr Type kClaimsType{TypeKind::kMap, false, "map", kClaimsParams};
// Its fields are declared with those of admission policies, which know the same type.
constexpr Type kClaimsUserType{TypeKind::kObject, false, "kubernetes.UserInfo"};

const cel::TypeProvider& user_types() {
  static const policy::Types types;
  return types;
}

template <typename Visit>
void for_each_part(Expr* e, const Visit& visit) {
  if (e == nullptr) return;
  visit(*e);
  for_each_part(e->target, visit);
  for (Expr* arg : e->args) for_each_part(arg, visit);
  for (cel::Entry& entry : e->entries) {
    for_each_part(entry.key, visit);
    for_each_part(entry.value, visit);
  }
  if (cel::Comprehension* c = e->comprehension) {
    for (Expr* part : {c->range, c->init, c->condition, c->step, c->result})
      for_each_part(part, visit);
  }
}

// The name that an escaped one stands for ("a__dot__b" for "a.b"); nothing for one that is none.
std::optional<std::string> unescaped(std::string_view name) {
  struct Escape {
    std::string_view written;
    std::string_view meant;
  };
  constexpr Escape kEscapes[] = {
      {"__underscores__", "__"}, {"__dot__", "."}, {"__dash__", "-"}, {"__slash__", "/"}};
  constexpr std::string_view kWords[] = {
      "true", "false",    "null", "in",     "as",  "break", "const",   "continue",  "else",
      "for",  "function", "if",   "import", "let", "loop",  "package", "namespace", "return"};
  if (!name.contains("__")) return std::nullopt;
  for (const std::string_view word : kWords) {
    if (name.size() == word.size() + 4 && name.starts_with("__") && name.ends_with("__") &&
        name.substr(2, word.size()) == word)
      return std::string(word);
  }
  std::string out;
  while (!name.empty()) {
    if (name.starts_with("__")) {
      const Escape* found = nullptr;
      for (const Escape& one : kEscapes) {
        if (name.starts_with(one.written)) found = &one;
      }
      if (found == nullptr) return std::nullopt;
      out += found->meant;
      name.remove_prefix(found->written.size());
      continue;
    }
    out += name.front();
    name.remove_prefix(1);
  }
  return out;
}

// Names with dots and dashes in them are written escaped, and looked up as they are meant.
void unescape_fields(cel::Ast& ast) {
  for_each_part(ast.root, [&](Expr& e) {
    if (e.kind != ExprKind::kSelect) return;
    if (const auto meant = unescaped(e.name)) e.name = ast.arena->copy(*meant);
  });
}

bool reads_claim(const cel::Ast& ast, std::string_view claim) {
  bool found = false;
  const auto is_claims = [](const Expr* e) {
    return e != nullptr && e->kind == ExprKind::kIdent && e->name == "claims";
  };
  for_each_part(ast.root, [&](Expr& e) {
    if (e.kind == ExprKind::kSelect && e.name == claim && is_claims(e.target)) found = true;
    // claims.?email
    if (e.kind == ExprKind::kCall && e.name == "_?._" && e.args.size() == 2 &&
        is_claims(e.args[0]) && e.args[1]->kind == ExprKind::kLiteral &&
        e.args[1]->literal.is(cel::Kind::kString) && e.args[1]->literal.as_text() == claim)
      found = true;
  });
  return found;
}

}  // namespace

std::expected<ClaimExpression, ClaimExpression::Fault> ClaimExpression::compile(
    std::string_view text, About about, Gives gives) {
  const auto fault = [](std::string detail) { return std::unexpected(Fault{std::move(detail)}); };
  const cel::Variable variables[] = {about == About::kClaims
                                         ? cel::Variable{"claims", &kClaimsType}
                                         : cel::Variable{"user", &kClaimsUserType}};
  const cel::Scope scope{.environment = &rules::stored_rule_environment(),
                         .variables = variables,
                         .types = &user_types()};
  auto ast = cel::parse(text, *scope.environment);
  if (!ast) return fault("compilation failed: " + ast.error().to_string());
  unescape_fields(*ast);
  if (auto checked = cel::check(*ast, scope); !checked)
    return fault("compilation failed: " + checked.error().to_string(ast->source));
  if (const cel::Issues issues = rules::check_literals(*ast); !issues.empty())
    return fault("compilation failed: " + issues.to_string(ast->source));
  if (gives == Gives::kBool && !cel::same_type(*ast->root->type, cel::types::boolean))
    return fault("must evaluate to bool");
  if (auto why = rules::find_pattern_fault(*ast))
    return std::unexpected(Fault{"program instantiation failed: " + *std::move(why), true});
  ClaimExpression out;
  out.text_ = text;
  out.reads_email_ = about == About::kClaims && reads_claim(*ast, "email");
  out.reads_email_verified_ = about == About::kClaims && reads_claim(*ast, "email_verified");
  out.program_ = cel::plan(*ast, scope, {.cost_of = cel::kubernetes_call_cost});
  return out;
}

std::expected<cel::Value, std::string> ClaimExpression::evaluate(const value::Value& subject,
                                                                 Arena& arena) const {
  const cel::Value variables[] = {cel::Value::from_node(subject, nullptr, arena)};
  cel::CostTracker cost{.limit = kMostExpressionCost};
  const cel::Value result = program_.evaluate({.variables = variables, .cost = &cost}, arena);
  if (!result.is_error()) return result;
  return std::unexpected(
      fmt::format("expression '{}' resulted in error: {}", text_, result.as_error().message));
}

}  // namespace strake::auth
