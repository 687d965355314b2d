#pragma once
// What the specs of both kinds of admission policies have in common.
#include <string_view>
#include <vector>

#include "policy/evaluation.h"
#include "policy/expression.h"
#include "value/value.h"

namespace strake::policy {

inline std::string_view text_at(const value::Value& object, std::string_view key) {
  const value::Value& found = object.get(key);
  return found.is_string() ? found.as_string() : std::string_view();
}
inline bool has(const value::Value& object, std::string_view key) {
  return !object.get(key).is_null();
}

// Those of a spec that is stored.
std::vector<NamedExpression> compile_variables(const value::Value& spec, const Offered& offered,
                                               Compiler& compiler);
std::vector<Expression> compile_conditions(const value::Value& spec, const Offered& offered,
                                           const Compiler& compiler);

}  // namespace strake::policy
