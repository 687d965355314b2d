#include "rules/engine.h"

#include "rules/walk.h"

namespace strake::rules {

Engine::Slot& Engine::slot_of(const schema::Node& schema) const {
  {
    const std::shared_lock lock(mu_);
    if (const auto known = slots_.find(&schema); known != slots_.end()) return *known->second;
  }
  const std::lock_guard lock(mu_);
  std::unique_ptr<Slot>& slot = slots_[&schema];
  if (slot == nullptr) slot = std::make_unique<Slot>();
  return *slot;
}

const RuleTree& Engine::tree_of(const schema::Node& schema) const {
  Slot& slot = slot_of(schema);
  std::call_once(slot.once, [&] { slot.tree = std::make_unique<const RuleTree>(schema, true); });
  return *slot.tree;
}

void Engine::forget(const schema::Node& schema) {
  const std::lock_guard lock(mu_);
  slots_.erase(&schema);
}

resource::RuleOutcome Engine::run(const value::Value& object, const schema::Node& schema,
                                  const value::Value* old) const {
  resource::RuleOutcome out;
  if (!schema.has_rules_below) return out;
  const RuleTree& tree = tree_of(schema);
  if (tree.root() == nullptr) return out;
  Walk walk(kObjectCostBudget);
  const FieldPath start;
  const schema::PathTrail at(start);
  if (old == nullptr) {
    walk.visit(*tree.root(), object, nullptr, at, {});
  } else {
    const Correlation root(object, *old, schema);
    walk.visit(*tree.root(), object, old, at, {&root, nullptr});
  }
  out.errors = std::move(walk.errors);
  out.warnings = std::move(walk.warnings);
  return out;
}

}  // namespace strake::rules
