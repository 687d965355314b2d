#include "policy/evaluation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/cancel_scope.h"
#include "base/quote.h"
#include "cel/lib/k8s_objects.h"

namespace strake::policy {
namespace {

constexpr std::string_view kOutOfBudget =
    "validation failed due to running out of cost budget, no further validation rules will be run";

// Ends what nobody waits for any more.
class CancelInterrupt final : public cel::Interrupt {
 public:
  bool is_due() const override { return CancelScope::is_cancelled(); }
};

}  // namespace

// `variables`: a field is evaluated when it is read.
class Evaluation::Variables final : public cel::Object {
 public:
  explicit Variables(Evaluation& evaluation) : evaluation_(&evaluation) {}
  const cel::Type* type() const override { return &kVariablesType; }
  bool equal(const cel::Object& other, Arena&) const override { return this == &other; }
  cel::Value get_field(std::string_view name, Arena&) const override {
    return evaluation_->variable(name);
  }
  cel::Value has_field(std::string_view name, Arena&) const override {
    return cel::Value::boolean(std::ranges::any_of(
        evaluation_->variables_, [&](const Variable& one) { return one.named->name == name; }));
  }

 private:
  Evaluation* evaluation_;
};

Evaluation::Evaluation(const Inputs& inputs, std::span<const NamedExpression> variables,
                       Arena& arena)
    : arena_(arena), total_(inputs.cost) {
  for (const NamedExpression& one : variables) {
    // Of several of a name the last one counts.
    std::erase_if(variables_, [&](const Variable& v) { return v.named->name == one.name; });
    variables_.push_back({.named = &one});
  }
  const auto set = [&](Slot slot, cel::Value v) { slots_[static_cast<std::size_t>(slot)] = v; };
  const auto document = [&](const value::Value* node) {
    return node != nullptr ? cel::Value::from_node(*node, nullptr, arena) : cel::Value::null();
  };
  set(Slot::kObject, document(inputs.object));
  set(Slot::kOldObject, document(inputs.old_object));
  set(Slot::kNamespace, document(inputs.namespace_object));
  set(Slot::kRequest, document(inputs.request));
  set(Slot::kParams, document(inputs.params));
  if (inputs.authority != nullptr) {
    set(Slot::kAuthorizer, cel::make_authorizer(*inputs.authority, arena));
    set(Slot::kRequestResource,
        cel::make_resource_check(*inputs.authority, inputs.request_resource, arena));
  } else {
    set(Slot::kAuthorizer, cel::Value::error("no such attribute(s): authorizer", arena));
    set(Slot::kRequestResource,
        cel::Value::error("no such attribute(s): authorizer.requestResource", arena));
  }
  set(Slot::kVariables, cel::new_object<Variables>(arena, *this));
}

cel::Value Evaluation::evaluate(const cel::Program& program, std::uint64_t& cost) {
  static const CancelInterrupt interrupt;
  cel::CostTracker tracker{.limit = kCallCostLimit, .interrupt = &interrupt};
  const cel::Value out = program.evaluate({.variables = slots_, .cost = &tracker}, arena_);
  cost = tracker.total;
  if (total_ != nullptr) *total_ += cost;
  return out;
}

cel::Value Evaluation::variable(std::string_view name) {
  // The program keeps its place while one variable evaluates another: they only name those before
  // them.
  for (Variable& one : variables_) {
    if (one.named->name != name) continue;
    if (one.known) return one.value;
    one.known = true;
    const Expression& expression = one.named->expression;
    if (!expression.program) {
      one.value = cel::Value::error(
          fmt::format("composited variable {} fails to compile: {}", quote(name), expression.fault),
          arena_);
      return one.value;
    }
    std::uint64_t cost = 0;
    const cel::Value result = evaluate(*expression.program, cost);
    variable_cost_ = variable_cost_ + cost < cost ? UINT64_MAX : variable_cost_ + cost;
    one.value = !result.is_error()
                    ? result
                    : cel::Value::error(fmt::format("composited variable {} fails to evaluate: {}",
                                                    quote(name), result.as_error().message),
                                        arena_);
    return one.value;
  }
  return cel::Value::error(fmt::format("no such key: {}", name), arena_);
}

std::expected<Evaluation::Outcome, std::string> Evaluation::run(const Expression& expression,
                                                                std::int64_t& budget) {
  if (!expression.program) return Outcome{.error = "compilation error: " + expression.fault};
  std::uint64_t cost = 0;
  const cel::Value result = evaluate(*expression.program, cost);
  for (const std::uint64_t spent : {std::exchange(variable_cost_, 0), cost}) {
    if (spent > static_cast<std::uint64_t>(budget))
      return std::unexpected(std::string(kOutOfBudget));
    budget -= static_cast<std::int64_t>(spent);
  }
  if (!result.is_error()) return Outcome{.value = result};
  return Outcome{.error = fmt::format("expression '{}' resulted in error: {}", expression.text,
                                      result.as_error().message)};
}

MatchOutcome match_conditions(std::span<const Expression> conditions,
                              std::span<const NamedExpression> variables, const Inputs& inputs,
                              bool fail_closed, Arena& arena) {
  if (conditions.empty()) return {.matches = true};
  // Conditions do not see the namespace.
  Inputs seen = inputs;
  seen.namespace_object = nullptr;
  if (seen.condition_request != nullptr) seen.request = seen.condition_request;
  Evaluation evaluation(seen, variables, arena);
  std::int64_t budget = kConditionCostBudget;
  std::vector<std::string> errors;
  bool any_false = false;
  for (const Expression& condition : conditions) {
    auto outcome = evaluation.run(condition, budget);
    if (!outcome) {
      if (!fail_closed) return {.matches = false};
      return {.matches = false, .error = std::move(outcome.error())};
    }
    if (!outcome->error.empty())
      errors.push_back(std::move(outcome->error));
    else
      any_false = any_false || outcome->value.is_false();
  }
  if (any_false) return {.matches = false};
  if (errors.empty()) return {.matches = true};
  if (!fail_closed) return {.matches = false};
  return {.matches = false, .error = join_errors(errors)};
}

std::string join_errors(std::span<const std::string> errors) {
  std::vector<std::string_view> once;
  for (const std::string& one : errors) {
    if (std::ranges::find(once, one) == once.end()) once.push_back(one);
  }
  if (once.size() == 1) return std::string(once[0]);
  return fmt::format("[{}]", fmt::join(once, ", "));
}

}  // namespace strake::policy
