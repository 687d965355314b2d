#pragma once
// Runs the rules of schemas on objects. Rules are compiled when they are first met, and kept for as
// long as someone else keeps the schema.
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "base/time.h"
#include "resource/rule_runner.h"
#include "rules/allowed_functions.h"
#include "rules/rule_tree.h"

namespace strake::rules {

// What stands on top of the API server's own limits, which always hold. Off unless it is set.
struct EngineOptions {
  // For the rules of one object, or of one part of an object that is not held. Zero is no limit.
  std::chrono::nanoseconds timeout{0};
  const Clock* clock = nullptr;  // must be there with a timeout, and outlive the engine
  AllowedFunctions functions;
};

// May be used by several threads.
class Engine final : public resource::RuleRunner {
 public:
  Engine() = default;
  explicit Engine(EngineOptions options) : options_(std::move(options)) {}

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

  EngineOptions options_;
  mutable std::mutex mu_;
  mutable std::map<const schema::Node*, Kept> trees_;  // guarded by mu_
  mutable std::size_t drop_at_ = 64;                   // guarded by mu_
};

}  // namespace strake::rules
