#pragma once
// Judges the rules of a CRD: whether they compile, what they may cost, and what they say to its
// defaults. Must outlive what begin() returns.
#include <memory>
#include <span>
#include <vector>

#include "crd/rule_compiler.h"
#include "rules/allowed_functions.h"

namespace strake::rules {

inline constexpr std::uint64_t kExpressionCostLimit = 10'000'000;
inline constexpr std::uint64_t kSchemaCostLimit = 100'000'000;

// Without `costs` it keeps nothing and may be used from many threads. With it, what each expression
// may cost is appended there, by one thread at a time; it must outlive what begin() returns.
class CrdRules final : public crd::RuleCompiler {
 public:
  explicit CrdRules(std::vector<crd::RuleCost>* costs = nullptr) : costs_(costs) {}
  // Rules that call any other function are refused.
  explicit CrdRules(AllowedFunctions functions) : functions_(std::move(functions)) {}
  std::unique_ptr<crd::SchemaRules> begin(const schema::NodePtr& root,
                                          const crd::RuleScope& scope) override;
  std::span<const crd::RuleCost> costs() const override {
    return costs_ != nullptr ? std::span<const crd::RuleCost>(*costs_)
                             : std::span<const crd::RuleCost>();
  }

 private:
  std::vector<crd::RuleCost>* costs_ = nullptr;
  AllowedFunctions functions_;
};

}  // namespace strake::rules
