#pragma once
// Which functions rules may call. Operators, field access and the loops of the language are always
// allowed; a function is named as it is declared (`size`, `matches`, `sets.contains`).
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cel/syntax/ast.h"
#include "cel/syntax/source.h"

namespace strake::rules {

class AllowedFunctions {
 public:
  AllowedFunctions() = default;  // every function
  // Only these. Code::kUsage for a name that no function has.
  static Result<AllowedFunctions> only(std::span<const std::string> names);

  bool allows(std::string_view name) const { return !names_ || names_->contains(name); }
  // Calls in a checked tree that are not allowed.
  cel::Issues check(const cel::Ast& ast) const;

 private:
  std::optional<std::set<std::string, std::less<>>> names_;
};

}  // namespace strake::rules
