#include "rules/crd_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/cancel_scope.h"
#include "cel/cost/cost_range.h"
#include "rules/compile.h"
#include "rules/environment.h"
#include "rules/occurrences.h"
#include "rules/rule_tree.h"
#include "rules/walk.h"
#include "value/json_writer.h"

// The check of a CRD's rules when it is written: each must compile against the types at its place,
// and its estimated cost, times how often the place can occur in an object, must stay below a
// limit; the sum over the schema has a limit of its own. A place below an unbounded list or map
// occurs as often as a request can hold its smallest value.
//
// Rules that the stored CRD already has may use any library that is known; new ones only those of
// the previous Kubernetes version, so that a server can be rolled back.

namespace strake::rules {
namespace {

using schema::Node;
using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::size_t kMostExpensive = 4;

std::string json_text(std::string_view text) { return value::to_json(Value::string(text)); }

// The rule as the API server prints it inside a message: with the names of its internal fields.
std::string dump(const schema::Rule& rule) {
  return fmt::format(
      R"({{"Rule":{},"Message":{},"MessageExpression":{},"Reason":{},"FieldPath":{},"OptionalOldSelf":{}}})",
      json_text(rule.rule), json_text(rule.message), json_text(rule.message_expression),
      rule.reason.empty() ? "null" : json_text(rule.reason), json_text(rule.field_path),
      !rule.optional_old_self ? "null" : (*rule.optional_old_self ? "true" : "false"));
}

FieldError invalid_rule(FieldPath at, const schema::Rule& rule, std::string detail) {
  FieldError out;
  out.type = FieldError::Type::kInvalid;
  out.path = std::move(at);
  out.shown = dump(rule);
  out.detail = std::move(detail);
  return out;
}

std::string over_budget(std::string_view what, std::uint64_t cost, std::uint64_t limit) {
  const double factor = static_cast<double>(cost) / static_cast<double>(limit);
  std::string shown = "more than 100x";
  if (factor < 1.5) {
    shown = fmt::format("{:f}x", factor);
  } else if (factor <= 100) {
    shown = fmt::format("{:.1f}x", factor);
  }
  return fmt::format(
      "{} exceeds budget by factor of {} (try simplifying the rule, or adding "
      "maxItems, maxProperties, and maxLength where arrays, maps, and strings are "
      "declared)",
      what, shown);
}

std::optional<std::uint64_t> max_occurrences(const crd::RulePlace& place) {
  std::uint64_t product = 1;
  for (const crd::RulePlace* at = place.parent; at != nullptr; at = at->parent) {
    const auto factor = max_children(*at->node);
    if (!factor) return std::nullopt;
    product = cel::saturating_multiply(product, *factor);
  }
  return product;
}

class SchemaCheck final : public crd::SchemaRules {
 public:
  SchemaCheck(schema::NodePtr root, const crd::RuleScope& scope, std::vector<crd::RuleCost>* costs,
              AllowedFunctions functions)
      : root_(std::move(root)), scope_(scope), costs_(costs), functions_(std::move(functions)) {}

  FieldErrors check(const crd::RulePlace& place) override {
    FieldErrors errors;
    const Node& node = *place.node;
    const FieldPath at = *place.at / "x-kubernetes-validations";
    const SchemaShape* shape =
        shapes_.find(node, place.parent == nullptr || node.embedded_resource);
    if (shape == nullptr) {
      errors.push_back(FieldError::internal(
          at,
          "internal error: failed to construct type information for x-kubernetes-validations "
          "rules: unable to convert structural schema to CEL declarations"));
      return errors;
    }
    const std::uint64_t occurrences =
        max_occurrences(place).value_or(kMaxRequestBytes / (shape->min_json + 1));
    for (std::size_t i = 0; i < node.rules.size(); ++i) {
      if (CancelScope::is_cancelled()) break;
      check_rule(node.rules[i], place, *shape, occurrences, at / i, errors);
    }
    return errors;
  }

  FieldErrors check_total(const FieldPath& at) override {
    FieldErrors errors;
    if (total_ <= kSchemaCostLimit) return errors;
    for (const Expensive& one : most_expensive_) {
      errors.push_back(FieldError::forbidden(
          one.at,
          "contributed to estimated rule cost total exceeding cost limit for entire "
          "OpenAPIv3 schema"));
    }
    errors.push_back(FieldError::forbidden(
        at, over_budget("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 "
                        "schema",
                        total_, kSchemaCostLimit)));
    return errors;
  }

  FieldErrors run_on_default(const Node& node, bool resource_root, const Value& v,
                             const FieldPath& at, std::int64_t& budget) override {
    if (!node.has_rules_below) return {};
    const RuleTree tree(node, resource_root, &functions_);
    if (tree.root() == nullptr) return {};
    // A default can arrive on a create and on an update that leaves it unchanged: it must pass
    // both.
    for (const Value* old : {&v, static_cast<const Value*>(nullptr)}) {
      Walk walk(budget);
      walk.visit(*tree.root(), v, old, schema::PathTrail(at), {});
      budget = walk.budget();
      if (!walk.errors.empty() || budget < 0) return std::move(walk.errors);
    }
    return {};
  }

 private:
  struct Expensive {
    FieldPath at;
    std::uint64_t cost;
  };

  RuleEnvironments environments_for(const schema::Rule& rule) const {
    const auto choose = [](const auto* stored, const std::string& text) {
      return stored != nullptr && stored->contains(text) ? &stored_rule_environment()
                                                         : &new_rule_environment();
    };
    return {choose(scope_.stored_rules, rule.rule),
            choose(scope_.stored_message_expressions, rule.message_expression), &functions_};
  }

  void check_rule(const schema::Rule& rule, const crd::RulePlace& place, const SchemaShape& shape,
                  std::uint64_t occurrences, const FieldPath& at, FieldErrors& errors) {
    const CompiledRule compiled =
        compile_rule(rule, *place.node, shape, shapes_, environments_for(rule));
    charge(at / "rule", cel::saturating_multiply(compiled.max_cost, occurrences),
           "estimated rule cost", errors);
    if (compiled.fault) errors.push_back(invalid_rule(at / "rule", rule, *compiled.fault));
    if (compiled.message_fault) {
      errors.push_back(invalid_rule(at / "messageExpression", rule, *compiled.message_fault));
    } else if (compiled.message) {
      charge(at / "messageExpression", compiled.message_max_cost,
             "estimated messageExpression cost", errors);
    }
    if (compiled.uses_old_self) {
      if (place.uncorrelatable != nullptr) {
        errors.push_back(FieldError::invalid(
            at / "rule", Value::string(rule.rule),
            "oldSelf cannot be used on the uncorrelatable portion of the schema within " +
                place.uncorrelatable->to_k8s()));
      }
    } else if (rule.optional_old_self) {
      errors.push_back(FieldError::invalid(at / "optionalOldSelf",
                                           Value::boolean(*rule.optional_old_self),
                                           "may not be set if oldSelf is not used in rule"));
    }
  }

  void charge(FieldPath at, std::uint64_t cost, std::string_view what, FieldErrors& errors) {
    if (!scope_.unchanged && cost > kExpressionCostLimit) {
      errors.push_back(FieldError::forbidden(at, over_budget(what, cost, kExpressionCostLimit)));
    }
    if (costs_ != nullptr)
      costs_->push_back({.at = at, .cost = cost, .limit = kExpressionCostLimit});
    total_ = cel::saturating_add(total_, cost);
    if (cost < kSchemaCostLimit / 100) return;
    const auto place =
        std::ranges::upper_bound(most_expensive_, cost, std::greater{}, &Expensive::cost);
    most_expensive_.insert(place, {std::move(at), cost});
    if (most_expensive_.size() > kMostExpensive) most_expensive_.resize(kMostExpensive);
  }

  schema::NodePtr root_;
  crd::RuleScope scope_;
  std::vector<crd::RuleCost>* costs_;  // may be null
  AllowedFunctions functions_;
  Shapes shapes_;
  std::uint64_t total_ = 0;
  std::vector<Expensive> most_expensive_;
};

}  // namespace

std::unique_ptr<crd::SchemaRules> CrdRules::begin(const schema::NodePtr& root,
                                                  const crd::RuleScope& scope) {
  return std::make_unique<SchemaCheck>(root, scope, costs_, functions_);
}

}  // namespace strake::rules
