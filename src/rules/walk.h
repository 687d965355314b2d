#pragma once
// Runs the rules of a tree over one object, within a budget.
#include <cstdint>
#include <string>
#include <vector>

#include "base/arena.h"
#include "rules/correlation.h"
#include "rules/rule_tree.h"
#include "schema/path_trail.h"
#include "value/field_error.h"

namespace strake::rules {

inline constexpr std::uint64_t kCallCostLimit = 1'000'000;     // of one rule or message
inline constexpr std::int64_t kObjectCostBudget = 10'000'000;  // of all rules on one object
inline constexpr std::size_t kMaxMessageBytes = 5120;          // of an evaluated message

class Walk {
 public:
  // The interrupt may be null, and must outlive the walk.
  explicit Walk(std::int64_t budget, const cel::Interrupt* interrupt = nullptr)
      : budget_(budget), interrupt_(interrupt) {}

  // `old` is the stored value, or null.
  void visit(const RuleNode& rules, const value::Value& v, const value::Value* old,
             const schema::PathTrail& at, const Ratchet& ratchet);

  // Only the rules of the value itself.
  void visit_alone(const RuleNode& rules, const value::Value& v, const schema::PathTrail& at);

  value::FieldErrors errors;
  std::vector<std::string> warnings;
  // What is left; below zero when the walk was stopped.
  std::int64_t budget() const { return budget_; }

 private:
  struct Subject {
    const RuleNode& rules;
    const value::Value& v;
    const value::Value* old;
    const schema::PathTrail& at;
    const Ratchet& ratchet;
  };
  struct Bindings {
    cel::Value plain[2];     // self, oldSelf
    cel::Value optional[2];  // self, optional oldSelf
    std::size_t plain_count = 1;
  };
  struct Evaluated {
    cel::Value value;
    bool over_budget = false;
    bool interrupted = false;
  };

  void run_rules(const Subject& subject);
  Bindings bind(const Subject& subject);
  // False when the walk is to stop.
  bool run_rule(const CompiledRule& rule, const Subject& subject, const Bindings& bindings);
  bool report_error(const CompiledRule& rule, const Subject& subject, std::string_view message);
  bool report_failure(const CompiledRule& rule, const Subject& subject, const Bindings& bindings);
  Evaluated evaluate(const cel::Program& program, std::span<const cel::Value> variables);
  void add(value::FieldError error, const CompiledRule& rule, const Subject& subject);
  void refuse(const Subject& subject, std::string detail);
  void visit_members(const Subject& subject);
  void visit_items(const Subject& subject);
  void stop() { budget_ = -1; }
  bool stopped() const { return budget_ < 0; }

  std::int64_t budget_;
  const cel::Interrupt* interrupt_;
  std::uint32_t steps_ = 0;  // of all evaluations together
  Arena arena_;              // for the evaluation under way
};

}  // namespace strake::rules
