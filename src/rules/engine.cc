#include "rules/engine.h"

#include <algorithm>

#include "base/deadline.h"
#include "rules/walk.h"

namespace strake::rules {
namespace {

// What lies on the way must have no allOf: rules in there would be missed.
const RuleNode* rules_at(const RuleNode* rules, const FieldPath& at) {
  for (const FieldPath::Step& step : at.steps()) {
    if (rules == nullptr) return nullptr;
    if (step.kind == FieldPath::Kind::kIndex) {
      rules = rules->items;
    } else if (step.kind == FieldPath::Kind::kKey) {
      rules = rules->additional;
    } else {
      const auto child = std::ranges::lower_bound(rules->properties, std::string_view(step.name),
                                                  {}, &RuleNode::Child::name);
      const bool found = child != rules->properties.end() && child->name == step.name;
      rules = found ? child->node : nullptr;
    }
  }
  return rules;
}

// Due once the time for an object is up.
class TimeLimit final : public cel::Interrupt {
 public:
  explicit TimeLimit(const EngineOptions& options) : clock_(options.clock) {
    if (options.timeout.count() > 0) deadline_ = Deadline::after(options.timeout, *clock_);
  }
  bool is_due() const override { return deadline_.expired(*clock_); }
  // Null without a limit.
  const cel::Interrupt* get() const { return deadline_.is_never() ? nullptr : this; }

 private:
  const Clock* clock_;
  Deadline deadline_;
};

}  // namespace

std::shared_ptr<Engine::Slot> Engine::slot_of(const schema::NodePtr& schema) const {
  const std::lock_guard lock(mu_);
  if (const auto found = trees_.find(schema.get()); found != trees_.end())
    return found->second.slot;
  // Amortised: the next look is due when the table has doubled.
  if (trees_.size() >= drop_at_) drop_unused();
  Kept& kept = trees_[schema.get()];
  kept = {.schema = schema, .slot = std::make_shared<Slot>()};
  return kept.slot;
}

std::shared_ptr<const RuleTree> Engine::tree_of(const schema::NodePtr& schema) const {
  std::shared_ptr<Slot> slot = slot_of(schema);
  // Compiling is done outside of mu_: others may look up their trees meanwhile, and whoever needs
  // this one waits for it.
  std::call_once(slot->once, [&] { slot->tree.emplace(*schema, true, &options_.functions); });
  const RuleTree* tree = &*slot->tree;
  return {std::move(slot), tree};
}

// Schemas come and go with their CRDs; what nobody else holds will not be asked for again.
void Engine::drop_unused() const {
  std::erase_if(trees_, [](const auto& one) { return one.second.schema.use_count() == 1; });
  drop_at_ = std::max<std::size_t>(64, 2 * trees_.size());
}

std::size_t Engine::held() const {
  const std::lock_guard lock(mu_);
  return trees_.size();
}

resource::RuleOutcome Engine::run(const value::Value& object, const schema::NodePtr& schema_ptr,
                                  const value::Value* old) const {
  resource::RuleOutcome out;
  const schema::Node& schema = *schema_ptr;
  if (!schema.has_rules_below) return out;
  const std::shared_ptr<const RuleTree> kept = tree_of(schema_ptr);
  const RuleTree& tree = *kept;
  if (tree.root() == nullptr) return out;
  const TimeLimit time(options_);
  Walk walk(kObjectCostBudget, time.get());
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
  out.cost = kObjectCostBudget - std::max<std::int64_t>(walk.budget(), 0);
  return out;
}

resource::RuleOutcome Engine::run_part(const resource::RulePart& part,
                                       std::optional<std::int64_t>& budget) const {
  resource::RuleOutcome out;
  const std::int64_t left = budget.value_or(kObjectCostBudget);
  if (!part.schema->has_rules_below || left < 0) return out;
  const std::shared_ptr<const RuleTree> tree = tree_of(part.schema);
  const RuleNode* rules = rules_at(tree->root(), part.at);
  if (rules == nullptr) return out;
  const TimeLimit time(options_);
  Walk walk(left, time.get());
  const schema::PathTrail at(part.at);
  if (part.below) {
    walk.visit(*rules, part.part, nullptr, at, {});
  } else {
    walk.visit_alone(*rules, part.part, at);
  }
  budget = walk.budget();
  out.errors = std::move(walk.errors);
  return out;
}

bool Engine::has_rules(const schema::NodePtr& schema, const FieldPath& at) const {
  if (!schema->has_rules_below) return false;
  const std::shared_ptr<const RuleTree> tree = tree_of(schema);
  const RuleNode* rules = rules_at(tree->root(), at);
  if (rules == nullptr) return false;
  if (!rules->compiles) return true;
  return std::ranges::any_of(rules->compiled().rules, [](const CompiledRule& rule) {
    return rule.fault || !rule.uses_old_self || rule.optional_old_self();
  });
}

}  // namespace strake::rules
