#include "policy/spec.h"

namespace strake::policy {

using value::Value;

std::vector<NamedExpression> compile_variables(const Value& spec, const Offered& offered,
                                               Compiler& compiler) {
  std::vector<NamedExpression> out;
  for (const Value& one : spec.get("variables").items()) {
    const std::string_view name = text_at(one, "name");
    out.push_back(
        {.name = std::string(name),
         .expression = compiler.compile_variable(name, text_at(one, "expression"), offered, true)});
  }
  return out;
}

std::vector<Expression> compile_conditions(const Value& spec, const Offered& offered,
                                           const Compiler& compiler) {
  std::vector<Expression> out;
  for (const Value& one : spec.get("matchConditions").items())
    out.push_back(compiler.compile(text_at(one, "expression"), Gives::kBool, offered, true));
  return out;
}

}  // namespace strake::policy
