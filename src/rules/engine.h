#pragma once
// Runs the rules of schemas on objects. Rules are compiled when they are first met, and kept for as
// long as someone else keeps the schema.
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "resource/rule_runner.h"
#include "rules/rule_tree.h"

namespace strake::rules {

// May be used by several threads.
class Engine final : public resource::RuleRunner {
 public:
  resource::RuleOutcome run(const value::Value& object, const schema::NodePtr& schema,
                            const value::Value* old) const override;
  resource::RuleOutcome run_part(const resource::RulePart& part,
                                 std::optional<std::int64_t>& budget) const override;
  bool has_rules(const schema::NodePtr& schema, const FieldPath& at) const override;
  // How many schemas it holds the rules of; for tests.
  std::size_t held() const;

 private:
  // Made outside of the lock: those who ask for other schemas need not wait.
  struct Slot {
    std::once_flag once;
    std::optional<const RuleTree> tree;
  };
  struct Kept {
    schema::NodePtr schema;  // so that its address is not given to another
    std::shared_ptr<Slot> slot;
  };
  std::shared_ptr<const RuleTree> tree_of(const schema::NodePtr& schema) const;
  std::shared_ptr<Slot> slot_of(const schema::NodePtr& schema) const;
  void drop_unused() const;

  mutable std::mutex mu_;
  mutable std::map<const schema::Node*, Kept> trees_;  // guarded by mu_
  mutable std::size_t drop_at_ = 64;                   // guarded by mu_
};

}  // namespace strake::rules
