#pragma once
// Where the checks of a CRD meet its validation rules. What a rule says is judged by whoever knows
// the expression language and implements these roles; without one, rules are checked for form only.
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/field_path.h"
#include "schema/node.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::crd {

// What is known of a schema before its rules are looked at.
struct RuleScope {
  // The schema of this version stands unchanged: the cost of a single expression is not held
  // against it.
  bool unchanged = false;
  // Texts that stood in any version of the CRD that is updated; they compile as stored expressions
  // do. Null for a new CRD.
  const std::set<std::string, std::less<>>* stored_rules = nullptr;
  const std::set<std::string, std::less<>>* stored_message_expressions = nullptr;
};

// A node with rules, and the way to it from the root.
struct RulePlace {
  enum class Step : std::uint8_t { kRoot, kProperty, kItems, kAdditional };
  const schema::Node* node = nullptr;
  const RulePlace* parent = nullptr;  // null for the root
  Step step = Step::kRoot;
  std::string_view property;      // the name, for kProperty
  const FieldPath* at = nullptr;  // where the node's schema stands in the CRD
  // Where the first list on the way stands whose items cannot be told apart over time; null when
  // there is none. Below it oldSelf may not be used.
  const FieldPath* uncorrelatable = nullptr;
};

// The rules of one schema. Nodes are given from the inside out, those of a node's allOf and other
// junctors never.
class SchemaRules {
 public:
  virtual ~SchemaRules() = default;
  // Compiles the rules of a node and estimates their cost. Faults are at
  // <node>.x-kubernetes-validations[i].
  virtual value::FieldErrors check(const RulePlace& place) = 0;
  // The cost of all rules given so far, against the limit for a schema; `at` is where the root
  // schema stands.
  virtual value::FieldErrors check_total(const FieldPath& at) = 0;
  // Runs the rules at and below a node on a default: once as if it replaced itself, and when that
  // finds nothing, once as if it were new. `budget` is what may still be spent, and falls below
  // zero when it is gone.
  virtual value::FieldErrors run_on_default(const schema::Node& node, bool resource_root,
                                            const value::Value& v, const FieldPath& at,
                                            std::int64_t& budget) = 0;
};

// What an expression may cost for one object, with all the times its node can occur.
struct RuleCost {
  FieldPath at;  // of the expression: <node>.x-kubernetes-validations[i].rule
  std::uint64_t cost = 0;
  std::uint64_t limit = 0;
};

class RuleCompiler {
 public:
  virtual ~RuleCompiler() = default;
  virtual std::unique_ptr<SchemaRules> begin(const schema::NodePtr& root,
                                             const RuleScope& scope) = 0;
  // Of all expressions that were checked so far, in their order; none unless the compiler keeps
  // them.
  virtual std::span<const RuleCost> costs() const { return {}; }
};

}  // namespace strake::crd
