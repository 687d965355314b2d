#include "policy/compile_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "rules/literals.h"

namespace strake::policy {

using cel::Type;

namespace {

// As cel-go's Type.String() prints it, which spells null otherwise than the messages of the
// checker.
std::string full_name(const Type& type) {
  std::string out(type.name);
  if (type.wrapper) return fmt::format("wrapper({})", out);
  if (type.params.empty()) return out;
  out += '(';
  for (std::size_t i = 0; i < type.params.size(); ++i) {
    if (i > 0) out += ", ";
    out += full_name(*type.params[i]);
  }
  return out + ")";
}

}  // namespace

std::string type_fault(const Type& type, std::span<const Type* const> wanted) {
  if (wanted.empty()) return {};
  if (std::ranges::any_of(wanted, [&](const Type* one) { return cel::same_type(type, *one); }))
    return {};
  if (wanted.size() == 1) {
    return fmt::format("must evaluate to {} but got {}", full_name(*wanted[0]), full_name(type));
  }
  std::string names;
  for (const Type* one : wanted) {
    if (!names.empty()) names += ' ';
    names += full_name(*one);
  }
  return fmt::format("must evaluate to one of [{}] but got {}", names, full_name(type));
}

std::expected<cel::Ast, std::string> checked_tree(std::string_view text, const cel::Scope& scope) {
  auto ast = cel::parse(text, *scope.environment);
  if (!ast) return std::unexpected(ast.error().to_string());
  if (auto checked = cel::check(*ast, scope); !checked)
    return std::unexpected(checked.error().to_string(ast->source));
  if (const cel::Issues issues = rules::check_literals(*ast); !issues.empty())
    return std::unexpected(issues.to_string(ast->source));
  return *std::move(ast);
}

}  // namespace strake::policy
