#pragma once
// Judges the rules of a CRD: whether they compile, what they may cost, and what they say to its
// defaults. Must outlive what begin() returns.
#include <memory>
#include <span>
#include <vector>

#include "crd/rule_compiler.h"

namespace strake::rules {

inline constexpr std::uint64_t kExpressionCostLimit = 10'000'000;
inline constexpr std::uint64_t kSchemaCostLimit = 100'000'000;

class CrdRules final : public crd::RuleCompiler {
 public:
  std::unique_ptr<crd::SchemaRules> begin(const schema::NodePtr& root,
                                          const crd::RuleScope& scope) override;
  std::span<const crd::RuleCost> costs() const override { return costs_; }

 private:
  std::vector<crd::RuleCost> costs_;
};

}  // namespace strake::rules
