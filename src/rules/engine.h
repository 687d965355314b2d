#pragma once
// Runs the rules of schemas on objects. Rules are compiled when they are first met and kept.
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include "resource/rule_runner.h"
#include "rules/rule_tree.h"

namespace strake::rules {

// May be used by several threads. Schemas given to it must outlive it, or be forgotten first.
class Engine final : public resource::RuleRunner {
 public:
  resource::RuleOutcome run(const value::Value& object, const schema::Node& schema,
                            const value::Value* old) const override;
  // Drops what was compiled for the schema. Nobody may be running its rules.
  void forget(const schema::Node& schema);

 private:
  // Made outside of the lock: other schemas need not wait.
  struct Slot {
    std::once_flag once;
    std::unique_ptr<const RuleTree> tree;
  };
  const RuleTree& tree_of(const schema::Node& schema) const;
  Slot& slot_of(const schema::Node& schema) const;

  mutable std::shared_mutex mu_;
  mutable std::map<const schema::Node*, std::unique_ptr<Slot>> slots_;  // guarded by mu_
};

}  // namespace strake::rules
