#include "rules/walk.h"

#include <fmt/format.h>

#include "base/cancel_scope.h"
#include "base/quote.h"
#include "base/trim.h"

// Rules run top down, a node's own before those below it, additional members before named ones: the
// order of kube-apiserver 1.36, which shows in messages and in what the budget reaches. Two limits
// apply: a cost per expression, which ends the walk when it is exceeded, and a budget for the
// object that all evaluations share.
//
// An update may forgive failures (ratcheting): a rule that does not mention oldSelf and fails on a
// value that has not changed is reported as a warning. A node without a counterpart in the old
// object, such as a new item of a list, is forgiven when the nearest ancestor that has one is
// unchanged.

namespace strake::rules {
namespace {

using schema::JsonType;
using schema::PathTrail;
using value::FieldError;
using value::Value;

std::string_view type_text(const schema::Node& node) {
  switch (node.type) {
    case JsonType::kString: return "string";
    case JsonType::kNumber: return "number";
    case JsonType::kInteger: return "integer";
    case JsonType::kBoolean: return "boolean";
    case JsonType::kArray: return "array";
    case JsonType::kObject: return "object";
    case JsonType::kNone: return "";
  }
  return "";
}

// What stands for the rule in messages about it.
std::string_view rule_text(const schema::Rule& rule) {
  return trim_unicode(rule.message.empty() ? rule.rule : rule.message);
}

std::string default_message(const schema::Rule& rule) {
  if (rule.message.empty()) return fmt::format("failed rule: {}", trim_unicode(rule.rule));
  return std::string(trim_unicode(rule.message));
}

FieldError at_path(FieldPath path) {
  FieldError out;
  out.nil_path = path.empty();
  out.path = std::move(path);
  return out;
}

// The API server shows the name of the type where a rule could not be judged.
FieldError type_error(FieldPath path, const schema::Node& node, std::string detail) {
  FieldError out = at_path(std::move(path));
  out.type = FieldError::Type::kInvalid;
  out.shown = quote(type_text(node));
  out.detail = std::move(detail);
  return out;
}

FieldPath joined(FieldPath path, const FieldPath& below) {
  for (const FieldPath::Step& step : below.steps()) {
    if (step.kind == FieldPath::Kind::kField) {
      path.push_field(step.name);
    } else {
      path.push_key(step.name);
    }
  }
  return path;
}

FieldError failure(FieldPath path, const schema::Node& node, const Value& v,
                   const schema::Rule& rule, std::string detail) {
  FieldError out = at_path(std::move(path));
  const bool compound = node.type == JsonType::kObject || node.type == JsonType::kArray;
  if (rule.reason == "FieldValueForbidden") {
    out.type = FieldError::Type::kForbidden;
  } else if (rule.reason == "FieldValueRequired") {
    out.type = FieldError::Type::kRequired;
  } else {
    out.type = rule.reason == "FieldValueDuplicate" ? FieldError::Type::kDuplicate
                                                    : FieldError::Type::kInvalid;
    if (!compound) out.shown = value::render_value(v);
  }
  if (out.type != FieldError::Type::kDuplicate) out.detail = std::move(detail);
  return out;
}

const Value* present(const Value* v) { return v == nullptr || v->is_null() ? nullptr : v; }

constexpr std::string_view kOutOfBudget =
    "validation failed due to running out of cost budget, no further validation rules will be run";

constexpr std::string_view kOutOfTime =
    "validation failed due to running out of time, no further validation rules will be run";

}  // namespace

void Walk::visit(const RuleNode& rules, const Value& v, const Value* old, const PathTrail& at,
                 const Ratchet& ratchet) {
  if (v.is_null()) return;
  const Subject subject{rules, v, present(old), at, ratchet};
  run_rules(subject);
  if (stopped()) return;
  for (const RuleNode* branch : rules.all_of) {
    // Nothing inside allOf is forgiven for its own sake.
    visit(*branch, v, old, at, {nullptr, ratchet.nearest});
    if (stopped()) return;
  }
  if (v.is_array()) {
    visit_items(subject);
  } else if (v.is_object()) {
    visit_members(subject);
  }
}

void Walk::visit_alone(const RuleNode& rules, const Value& v, const PathTrail& at) {
  if (!v.is_null()) run_rules({rules, v, nullptr, at, {}});
}

void Walk::run_rules(const Subject& subject) {
  const RuleNode& rules = subject.rules;
  if (!rules.compiles) {
    return refuse(subject,
                  "rule compiler initialization error: failed to convert to declType for "
                  "CEL validation rules");
  }
  if (!rules.has_rules()) return;
  if (budget_ <= 0) {
    refuse(subject, std::string(kOutOfBudget));
    return stop();
  }
  const Bindings bindings = bind(subject);
  for (const CompiledRule& rule : rules.compiled().rules) {
    if (!run_rule(rule, subject, bindings)) return;
  }
}

Walk::Bindings Walk::bind(const Subject& subject) {
  Bindings out;
  out.plain[0] = cel::Value::from_node(subject.v, subject.rules.shape, arena_);
  out.optional[0] = out.plain[0];
  if (!subject.rules.compiled().binds_old_self) return out;
  out.optional[1] = cel::Value::none();
  if (subject.old != nullptr) {
    out.plain[1] = cel::Value::from_node(*subject.old, subject.rules.shape, arena_);
    out.optional[1] = cel::Value::some(out.plain[1], arena_);
    out.plain_count = 2;
  }
  return out;
}

Walk::Evaluated Walk::evaluate(const cel::Program& program, std::span<const cel::Value> variables) {
  cel::CostTracker cost{.limit = kCallCostLimit, .interrupt = interrupt_, .steps = steps_};
  Evaluated out;
  out.value = program.evaluate({.variables = variables, .cost = &cost}, arena_);
  steps_ = cost.steps;
  out.interrupted = cost.interrupted;
  // What exceeds the budget is not subtracted: the walk stops here anyway.
  if (cost.total > static_cast<std::uint64_t>(budget_)) {
    out.over_budget = true;
  } else {
    budget_ -= static_cast<std::int64_t>(cost.total);
  }
  return out;
}

bool Walk::run_rule(const CompiledRule& rule, const Subject& subject, const Bindings& bindings) {
  if (CancelScope::is_cancelled()) {
    stop();
    return false;
  }
  if (rule.fault) {
    refuse(subject, "rule compile error: " + *rule.fault);
    return true;
  }
  if (!rule.program) return true;
  const bool optional = rule.optional_old_self();
  // A transition rule says nothing about a value that is new.
  if (rule.uses_old_self && subject.old == nullptr && !optional) return true;
  const auto variables = optional && subject.rules.compiled().binds_old_self
                             ? std::span<const cel::Value>(bindings.optional, 2)
                             : std::span<const cel::Value>(bindings.plain, bindings.plain_count);
  const Evaluated result = evaluate(*rule.program, variables);
  if (result.interrupted || result.over_budget) {
    refuse(subject, std::string(result.interrupted ? kOutOfTime : kOutOfBudget));
    stop();
    return false;
  }
  if (result.value.is_true()) return true;
  if (result.value.is_error()) return report_error(rule, subject, result.value.as_error().message);
  return report_failure(rule, subject, bindings);
}

bool Walk::report_error(const CompiledRule& rule, const Subject& subject,
                        std::string_view message) {
  const std::string_view text = rule_text(*rule.source);
  if (message.starts_with("no such overload")) {
    refuse(subject, fmt::format("'{}': call arguments did not match a supported operator, function "
                                "or macro signature for rule: {}",
                                message, text));
  } else if (message.starts_with(cel::kCostLimitExceeded)) {
    refuse(subject, fmt::format("'{}': no further validation rules will be run due to call cost "
                                "exceeds limit for rule: {}",
                                message, text));
    stop();
    return false;
  } else {
    refuse(subject, fmt::format("{} evaluating rule: {}", message, text));
  }
  return true;
}

bool Walk::report_failure(const CompiledRule& rule, const Subject& subject,
                          const Bindings& bindings) {
  FieldPath path = joined(subject.at.path(), rule.field_path);
  std::string detail;
  if (rule.message) {
    const Evaluated result =
        evaluate(*rule.message, std::span<const cel::Value>(bindings.plain, bindings.plain_count));
    std::string fatal;
    if (result.interrupted) {
      fatal =
          "messageExpression evaluation failed due to running out of time, no further validation "
          "rules will be run";
    } else if (result.over_budget) {
      fatal =
          "messageExpression evaluation failed due to running out of cost budget, no further "
          "validation rules will be run";
    } else if (result.value.is_error()) {
      if (result.value.as_error().message.starts_with(cel::kCostLimitExceeded)) {
        fatal = fmt::format(
            "no further validation rules will be run due to call cost exceeds "
            "limit for messageExpression: {}",
            quote(rule.source->message_expression));
      }
    } else if (result.value.is(cel::Kind::kString)) {
      const std::string_view text = trim_unicode(result.value.as_text());
      const bool usable =
          text.size() <= kMaxMessageBytes && text.find('\n') == std::string_view::npos;
      if (usable) detail = text;
    }
    if (!fatal.empty()) {
      add(type_error(std::move(path), *subject.rules.node, std::move(fatal)), rule, subject);
      stop();
      return false;
    }
  }
  if (detail.empty()) detail = default_message(*rule.source);
  add(failure(std::move(path), *subject.rules.node, subject.v, *rule.source, std::move(detail)),
      rule, subject);
  return true;
}

// What failed is forgiven with a warning where nothing was changed, unless the rule looks at
// changes itself.
void Walk::add(FieldError error, const CompiledRule& rule, const Subject& subject) {
  if (!rule.uses_old_self && subject.ratchet.forgives()) {
    warnings.push_back(error.to_string());
  } else {
    errors.push_back(std::move(error));
  }
}

void Walk::refuse(const Subject& subject, std::string detail) {
  errors.push_back(type_error(subject.at.path(), *subject.rules.node, std::move(detail)));
}

void Walk::visit_members(const Subject& subject) {
  const auto visit_member = [&](const RuleNode& rules, const value::Member& m,
                                const PathTrail& at) {
    const Value* old = subject.old == nullptr ? nullptr : subject.old->find(m.key);
    const Ratchet& above = subject.ratchet;
    if (above.current == nullptr) return visit(rules, m.value, old, at, above);
    // The type of an object is that of the request on both sides.
    if (above.nearest == nullptr && (m.key == "apiVersion" || m.key == "kind")) {
      return visit(rules, m.value, old, at, {});
    }
    const std::optional<Correlation> below = above.current->member(m.key);
    visit(rules, m.value, old, at, {below ? &*below : nullptr, above.current});
  };
  if (subject.rules.additional != nullptr) {
    for (const value::Member& m : subject.v.members()) {
      visit_member(*subject.rules.additional, m, PathTrail::key(subject.at, m.key));
      if (stopped()) return;
    }
  }
  // Both are sorted by name.
  auto child = subject.rules.properties.begin();
  for (const value::Member& m : subject.v.members()) {
    while (child != subject.rules.properties.end() && child->name < m.key) ++child;
    if (child == subject.rules.properties.end()) return;
    if (child->name != m.key) continue;
    visit_member(*child->node, m, PathTrail::field(subject.at, m.key));
    if (stopped()) return;
  }
}

void Walk::visit_items(const Subject& subject) {
  if (subject.rules.items == nullptr) return;
  const OldItems old_items(*subject.rules.node, subject.old);
  std::size_t index = 0;
  for (const Value& item : subject.v.items()) {
    const PathTrail at = PathTrail::index(subject.at, index++);
    const Value* old = old_items.find(item);
    const Ratchet& above = subject.ratchet;
    if (above.current == nullptr) {
      visit(*subject.rules.items, item, old, at, above);
    } else {
      const std::optional<Correlation> below = above.current->item(item, old);
      visit(*subject.rules.items, item, old, at, {below ? &*below : nullptr, above.current});
    }
    if (stopped()) return;
  }
}

}  // namespace strake::rules
