#pragma once
// Runs the rules of schemas on objects. Rules are compiled when a schema is first met and kept.
#include <map>
#include <memory>
#include <mutex>

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
  const RuleTree& tree_of(const schema::Node& schema) const;

  mutable std::mutex mu_;
  mutable std::map<const schema::Node*, std::unique_ptr<const RuleTree>> trees_;  // guarded by mu_
};

}  // namespace strake::rules
