#include "rules/allowed_functions.h"

#include <fmt/format.h>

#include "cel/env/env.h"
#include "rules/environment.h"
#include "rules/literals.h"

namespace strake::rules {
namespace {

// Operators and what macros leave behind have names that nobody can write.
bool is_written_name(std::string_view name) {
  return !name.empty() &&
         ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
}

}  // namespace

Result<AllowedFunctions> AllowedFunctions::only(std::span<const std::string> names) {
  AllowedFunctions out;
  out.names_.emplace();
  for (const std::string& name : names) {
    if (!is_written_name(name) || stored_rule_environment().find_function(name) == nullptr)
      return fail(Code::kUsage, "rules have no function \"{}\"", name);
    out.names_->insert(name);
  }
  return out;
}

cel::Issues AllowedFunctions::check(const cel::Ast& ast) const {
  cel::Issues issues;
  if (!names_) return issues;
  for_each_call(ast.root, [&](const cel::Expr& call) {
    const std::string_view name = call.reference.name.empty() ? call.name : call.reference.name;
    if (is_written_name(name) && !allows(name))
      issues.add(call.offset, fmt::format("the function '{}' is not allowed here", name));
  });
  issues.sort();
  return issues;
}

}  // namespace strake::rules
